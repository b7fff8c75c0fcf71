"""`iosq`: finds the commands, runs one, and turns errors into one line and an exit code."""

import importlib
import os
import pkgutil
import shlex
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer._click.core import Command, Context

# typer brings click with it and has no public names for its exceptions
from typer._click.exceptions import NoArgsIsHelpError, UsageError

from iosq.toolkit.cli import commands
from iosq.toolkit.cli.options import add_command, add_summary
from iosq.toolkit.cli.words import take_plainly
from iosq.toolkit.errors import ChangedError, IosqError, printable
from iosq.toolkit.show import output, stages, terminal

HELP = """Find volumes that wait, the cause and the remedy, and predict the effect of hardware changes.

iosq loads SMF dumps, RMF and z/VM listings into a lake of Parquet files. Reports, advice and SQL read the lake.

Example: iosq demo -o report.html
"""
EXIT_CODES = (
    "Exit codes: 0 done, 1 bad input or request, 2 wrong usage, 3 done, but data is missing or damaged, "
    "130 interrupted, 143 terminated, 129 terminal closed."
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"iosq {version('iosq')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback if the command ends with an error.")] = False,
) -> None:
    del version, debug  # the first acts through its callback, the second is read from sys.argv in `run`


def build(arguments: Sequence[str] | None = None) -> typer.Typer:
    """The application with all commands, or with what these arguments of a command line need.

    That is the command they name. Where they name none (help, a word that is no command), names and summaries suffice.
    """
    # plain help: the rich one costs four times the start-up time
    app = typer.Typer(
        help=HELP,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    known = sorted(m.name for m in pkgutil.iter_modules(commands.__path__))
    named = next((a for a in arguments or () if not a.startswith("-")), "")
    add = add_command if arguments is None or named in known else add_summary
    for module in [named] if named in known else known:
        add(app, importlib.import_module(f"{commands.__name__}.{module}"))
    return app


def command(arguments: Sequence[str] | None = None) -> Command:
    """The application (see `build`) as a click command whose help texts all end in exit codes and an example."""
    made = typer.main.get_command(build(arguments))
    _examples_last(made)
    _explain_usage(made)
    return made


def _examples_last(made: Command) -> None:
    text, mark, example = (made.help or "").rpartition("Example: ")
    if mark:
        # \b keeps the line as it is: a wrapped one can't be copied
        made.help, made.epilog = text.rstrip(), f"{EXIT_CODES}\n\n\b\n{mark}{example.rstrip()}"
    for child in getattr(made, "commands", {}).values():
        _examples_last(child)


def _explain_usage(made: Command) -> None:
    """What is wrong with a command line, on a terminal's terms: marks that turn text around are shown, not written.

    Where a folder stands alone that no argument is for, it says that a lake has an option.
    """
    parse = made.parse_args
    takes_lake = any("--lake" in option.opts for option in made.params)

    def parsed(context: Context, args: list[str]) -> list[str]:
        folder = next((a for a in args if os.path.isdir(a)), "")  # noqa: PTH112 - a long statement is no path at all
        take_plainly(made.get_params(context))  # among them the one for help, which is made there
        try:
            return parse(context, args)
        except NoArgsIsHelpError:
            raise  # its message is the help: lines of our own
        except UsageError as error:
            if folder and takes_lake and any(text in error.message for text in ("extra argument", "valid integer")):
                error.message += f": a lake is named with --lake {shlex.quote(folder)}"
            error.message = printable(error.message)
            raise

    made.parse_args = parsed  # type: ignore[method-assign, assignment]
    for child in getattr(made, "commands", {}).values():
        _explain_usage(child)


def run() -> None:
    """The command; `iosq.toolkit.cli.start` is where the console script begins."""
    try:
        _command()
    except IosqError as error:
        _fail(str(error), error)
    except MemoryError as error:
        _fail("out of memory: narrow the query or ingest fewer files at once", error)
    except OSError as error:
        _fail(f"{error.filename or 'the system'}: {error.strerror or error}", error)
    except Exception as error:  # noqa: BLE001 - a defect of ours must not look like the user's
        _fail(f"internal error ({type(error).__name__}: {error}); run again with --debug and report it", error)


def _command() -> None:
    """Once more on the new state, where the lake changed before anything was written."""
    # a shell that completes a word puts the line elsewhere
    arguments = None if "_IOSQ_COMPLETE" in os.environ else sys.argv[1:]
    try:
        command(arguments)()
    except ChangedError:
        if output.is_begun():
            raise
        command(arguments)()


def _fail(text: str, error: BaseException) -> None:
    if "--debug" in sys.argv or stages.interrupted():
        raise error
    terminal.echo(f"iosq: {text}", err=True)
    sys.exit(1)
