"""The page of the command line: every command's help text."""

from collections.abc import Iterator

from typer._click.core import Command

from iosq.toolkit.cli.main import command

WIDTH = 100
_HEAD = """# Command line

The help text of every command.

"""


def cli_markdown() -> str:
    """`docs/reference/cli.md`."""
    return _HEAD + "\n".join(_commands(command(), "iosq"))


def _commands(made: Command, path: str) -> Iterator[str]:
    context = made.context_class(made, info_name=path, max_content_width=WIDTH, terminal_width=WIDTH)
    yield f"## {path}\n\n```text\n{made.get_help(context).rstrip()}\n```\n"
    for name, child in sorted(getattr(made, "commands", {}).items()):
        yield from _commands(child, f"{path} {name}")
