"""Options that commands share, declared once: a command takes a group of them as one argument.

A group is a dataclass derived from `Options`, its fields annotated as a command's parameters would be. `expanded` makes
of a function with groups one with single options, which is what typer reads, and adds `--quiet`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from types import ModuleType
from typing import Annotated, get_type_hints

import typer

import iosq
from iosq.narrowing import narrowing
from iosq.settings import lake_path
from iosq.toolkit.cli import completion, talk
from iosq.toolkit.cli.weights import WEIGHTS
from iosq.toolkit.show import stages

LakeOption = Annotated[
    Path | None, typer.Option("--lake", metavar="DIR", help="The lake; default $IOSQ_LAKE, iosq.toml, or ./lake.")
]
OutputOption = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")]
UtcOption = Annotated[bool, typer.Option("--utc", help="Show times in UTC instead of local time.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Show everything, however long.")]
# rows and lines that fit a screen with their surroundings
SCREEN = 30
_Time = str | None
_LIMITS = ("max_memory", "timeout", "threads", "engine", "master")
_Names = list[str] | None
SystemOption = Annotated[
    _Names,
    typer.Option("--system", metavar="ID", autocompletion=completion.systems, help="Only this system; repeatable."),
]


_QUIET = Parameter(
    "quiet",
    Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--quiet", "-q", help="Suppress progress and notes; errors stay.")],
)

OWN = "duckdb"  # the default engine, on this machine
ENGINES = (OWN, "spark")
EngineOption = Annotated[
    str, typer.Option("--engine", metavar="NAME", help="duckdb (this machine), or spark: see the guide of Spark.")
]
MasterOption = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="Spark's master; default what its settings say.")
]


@dataclass(frozen=True)
class Options:
    """A group of options."""


def add_command(app: typer.Typer, module: ModuleType) -> None:
    """Add the commands of a module's `register`, or its function with the command's name."""
    if hasattr(module, "register"):
        module.register(app)
    else:
        app.command()(expanded(getattr(module, module.__name__.rpartition(".")[2])))


def add_summary(app: typer.Typer, module: ModuleType) -> None:
    """Add a module's command by its name and help alone, which is all that a list of commands shows."""
    name = module.__name__.rpartition(".")[2]
    text = getattr(module, "HELP", None) or getattr(module, name).__doc__
    app.command(name, help=text)(lambda: None)


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with every group among its parameters replaced by the group's options."""
    hints = get_type_hints(command, include_extras=True)
    single: list[Parameter] = []
    groups: dict[str, type[Options]] = {}
    for name, parameter in signature(command).parameters.items():
        kind = hints[name]
        if isinstance(kind, type) and issubclass(kind, Options):
            groups[name] = kind
            single += _parameters(kind)
        else:
            single.append(parameter.replace(annotation=kind, kind=Parameter.KEYWORD_ONLY))
    single.append(_QUIET)

    @wraps(command)
    def called(**given: object) -> None:
        quiet = given.pop(_QUIET.name)
        made = {name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in groups.items()}
        try:
            with talk.silent() if quiet else stages.watched(command.__name__, WEIGHTS.get(command.__name__)):
                command(**given, **made)
        except (KeyboardInterrupt, RuntimeError) as error:
            if isinstance(error, RuntimeError) and str(error) != "Query interrupted":  # DuckDB's word for Ctrl-C
                raise
            raise KeyboardInterrupt from None

    called.__signature__ = Signature(single)  # type: ignore[attr-defined]
    called.__annotations__ = {p.name: p.annotation for p in single}
    return called


def _parameters(group: type[Options]) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for f in sorted(fields(group), key=lambda f: f.name in _LIMITS):  # rarely needed options come last
        default = Parameter.empty if f.default is MISSING else f.default
        yield Parameter(f.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[f.name])


@dataclass(frozen=True)
class Limits(Options):
    """How much questions may take: set for the whole process as soon as the options are read."""

    max_memory: Annotated[
        str | None, typer.Option("--max-memory", metavar="SIZE", help="Memory, as 8GB; default half of the machine's.")
    ] = None
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", metavar="S", help="Seconds per query; default 1800, 0: no limit."),
    ] = None
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", help="Threads of the database; default all processors.")
    ] = None

    def __post_init__(self) -> None:
        if (self.max_memory, self.timeout, self.threads) != (None, None, None):
            iosq.limit(memory=self.max_memory, timeout_s=self.timeout, threads=self.threads)


@dataclass(frozen=True)
class Span(Limits):
    """Which intervals."""

    since: Annotated[
        _Time, typer.Option("--since", metavar="TIME", help="First interval: local date or time, or ISO with Z.")
    ] = None
    until: Annotated[
        _Time, typer.Option("--until", metavar="TIME", help="End (exclusive). A date means the end of that day.")
    ] = None

    def given(self) -> list[str]:
        """The options that were given."""
        narrowing = (f.name for f in fields(self) if f.name not in _LIMITS)
        return [f"--{name}" for name in narrowing if getattr(self, name)]

    def of(self, lake: Path | None, utc: bool = False) -> iosq.Lake:
        """That part of a lake, which need not be there yet; `utc`: its advice shows times in UTC."""
        names = (getattr(self, name, None) for name in ("system", "lcu", "volume"))
        return iosq.Lake(lake_path(lake), narrowing(self.since, self.until, *names), utc=utc)


@dataclass(frozen=True)
class Part(Span):
    """Which part of a lake. Where cutting rows away would change what is asked, a group below says what is meant."""

    system: SystemOption = None
    lcu: Annotated[
        _Names, typer.Option("--lcu", metavar="HEX", autocompletion=completion.lcus, help="Only this LCU; repeatable.")
    ] = None
    volume: Annotated[
        _Names,
        typer.Option(
            "--volume", metavar="VOLSER", autocompletion=completion.volumes, help="Only this volume; repeatable."
        ),
    ] = None


@dataclass(frozen=True)
class Engine(Part):
    """Which part of a lake, and what answers questions about it."""

    engine: EngineOption = OWN
    master: MasterOption = None

    def of(self, lake: Path | None, utc: bool = False) -> iosq.Lake:
        """That part of a lake, asked of that engine."""
        whole = super().of(lake, utc)
        return iosq.Lake(whole.path, whole.where, utc=utc, spark=spark_of(self.engine, self.master))


@dataclass(frozen=True)
class Subsystem(Span):
    """Which cache records: they have no LCU and no volume."""

    system: SystemOption = None


@dataclass(frozen=True)
class Asked(Part):
    """What is asked about; the rest of the box is still read."""

    system: Annotated[
        _Names,
        typer.Option(
            "--system", metavar="ID", autocompletion=completion.systems, help="The system that measured; one."
        ),
    ] = None
    lcu: Annotated[
        _Names,
        typer.Option(
            "--lcu", metavar="HEX", autocompletion=completion.lcus, help="Pool of that LCU; several: pools that lend."
        ),
    ] = None
    volume: Annotated[
        _Names,
        typer.Option(
            "--volume",
            metavar="VOLSER",
            autocompletion=completion.volumes,
            help="The same as VOLUME; its box is read whole.",
        ),
    ] = None


@dataclass(frozen=True)
class Box(Span):
    """Which box."""

    lcu: Annotated[
        _Names,
        typer.Option(
            "--lcu",
            metavar="HEX",
            autocompletion=completion.lcus,
            help="An LCU of the box, which is read whole; repeatable.",
        ),
    ] = None


def spark_of(engine: str, master: str | None) -> str | None:
    """The master of Spark, empty for the one its settings name; None where DuckDB is asked.

    Raises:
        RequestError: there is no such engine, or a master without Spark.
    """
    if engine not in ENGINES:
        raise iosq.RequestError(f"there is no {engine}", place="--engine", remedy=f"known are {', '.join(ENGINES)}")
    if engine != "spark" and master is not None:
        raise iosq.RequestError("is Spark's", place="--master", remedy="add --engine spark, or leave it out")
    return master or "" if engine == "spark" else None


def refuse_unread(lake: Path | None, part: Span, because: str, remedy: str = "leave one of them out") -> None:
    """Refuse options of a lake where the answer comes from something else; `because` says why.

    Raises:
        RequestError: some were given; names them.
    """
    given = (["--lake"] if lake else []) + part.given()
    if given:
        raise iosq.RequestError(f"no lake is read: {because}", place=", ".join(given), remedy=remedy)
