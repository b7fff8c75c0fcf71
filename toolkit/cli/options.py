"""Options that commands share, declared once: a command takes a group of them as one argument.

A group is a dataclass derived from `Options`. `options.csv` has the names and the help of every option and argument, of
a command, of a group, or (`of` is empty) of all that have a parameter of that name. `expanded` makes of a function with
groups one with single options, which is what typer reads, and adds `--quiet`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache, wraps
from importlib import import_module
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
from iosq.toolkit.rows import csv_rows
from iosq.toolkit.show import stages

# rows and lines that fit a screen with their surroundings
SCREEN = 30
_LIMITS = ("max_memory", "timeout", "threads", "engine", "master")
_Names = list[str] | None
_QUIET = Parameter(
    "quiet",
    Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--quiet", "-q", help="Suppress progress and notes; errors stay.")],
)

ARGUMENT = "ARGUMENT"  # in place of the names of an option
OWN = "duckdb"  # the default engine, on this machine
ENGINES = (OWN, "spark")


@dataclass(frozen=True)
class Options:
    """A group of options."""


def add_command(app: typer.Typer, module: ModuleType) -> None:
    """Add a module's function with the command's name, or, for a group, those of the modules of its `KINDS`."""
    name = module.__name__.rpartition(".")[2]
    if not hasattr(module, "KINDS"):
        app.command(context_settings=getattr(module, "CONTEXT", None))(expanded(getattr(module, name)))
        return
    group = typer.Typer(help=module.HELP, no_args_is_help=True, rich_markup_mode=None)
    for kind in module.KINDS:
        add_command(group, import_module(f"{module.__name__}.{kind}"))
    app.add_typer(group, name=name)


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
            declared = _declared(kind, name, [command.__name__])
            single.append(parameter.replace(annotation=declared, kind=Parameter.KEYWORD_ONLY))
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
        declared = _declared(hints[f.name], f.name, [c.__name__ for c in group.__mro__])
        yield Parameter(f.name, Parameter.KEYWORD_ONLY, default=default, annotation=declared)


def _declared(kind: object, parameter: str, owners: Sequence[str]) -> object:
    """The type of a parameter with what `options.csv` has about it; the row of the first owner counts."""
    row = next(filter(None, (_rows().get((owner, parameter)) for owner in (*owners, ""))), None)
    if row is None:
        return kind
    make = typer.Argument if row["names"] == ARGUMENT else typer.Option
    names = [] if row["names"] == ARGUMENT else row["names"].split()
    least, most = (int(row[end]) if row[end] else None for end in ("least", "most"))
    completed = getattr(completion, row["completed"]) if row["completed"] else None
    made = make(
        *names, metavar=row["metavar"] or None, min=least, max=most, autocompletion=completed, help=row["help"]
    )  # fmt: skip
    return Annotated[kind, made]


@cache
def _rows() -> Mapping[tuple[str, str], Mapping[str, str]]:
    return {(row["of"], row["parameter"]): row for row in csv_rows("iosq.toolkit.cli", "options.csv")}


@dataclass(frozen=True)
class Limits(Options):
    """How much questions may take: set for the whole process as soon as the options are read."""

    max_memory: str | None = None
    timeout: float | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if (self.max_memory, self.timeout, self.threads) != (None, None, None):
            iosq.limit(memory=self.max_memory, timeout_s=self.timeout, threads=self.threads)


@dataclass(frozen=True)
class Span(Limits):
    """Which intervals."""

    since: str | None = None
    until: str | None = None

    def given(self) -> list[str]:
        narrowing = (f.name for f in fields(self) if f.name not in _LIMITS)
        return [f"--{name}" for name in narrowing if getattr(self, name)]

    def of(self, lake: Path | None, utc: bool = False) -> iosq.Lake:
        """That part of a lake, which need not be there yet; `utc`: its advice shows times in UTC."""
        names = (getattr(self, name, None) for name in ("system", "lcu", "volume"))
        return iosq.Lake(lake_path(lake), narrowing(self.since, self.until, *names), utc=utc)


@dataclass(frozen=True)
class Part(Span):
    """Which part of a lake. Where cutting rows away would change what is asked, a group below says what is meant."""

    system: list[str] | None = None
    lcu: _Names = None
    volume: _Names = None


@dataclass(frozen=True)
class Engine(Part):
    """Which part of a lake, and what answers questions about it."""

    engine: str = OWN
    master: str | None = None

    def of(self, lake: Path | None, utc: bool = False) -> iosq.Lake:
        """That part of a lake, asked of that engine."""
        whole = super().of(lake, utc)
        return iosq.Lake(whole.path, whole.where, utc=utc, spark=spark_of(self.engine, self.master))


@dataclass(frozen=True)
class Subsystem(Span):
    """Which cache records: they have no LCU and no volume."""

    system: list[str] | None = None


@dataclass(frozen=True)
class Asked(Part):
    """What is asked about; the rest of the box is still read."""


@dataclass(frozen=True)
class Box(Span):
    """Which box."""

    lcu: _Names = None


def spark_of(engine: str, master: str | None) -> str | None:
    """The master of Spark, empty for the one its settings name; None where DuckDB is asked.

    RequestError if there is no such engine, or for a master without Spark.
    """
    if engine not in ENGINES:
        raise iosq.RequestError(f"unknown engine {engine}", place="--engine", remedy=f"known are {', '.join(ENGINES)}")
    if engine != "spark" and master is not None:
        raise iosq.RequestError("applies to Spark only", place="--master", remedy="add --engine spark, or leave it out")
    return master or "" if engine == "spark" else None


def refuse_unread(lake: Path | None, part: Span, because: str, remedy: str = "leave one of them out") -> None:
    """RequestError if options of a lake were given, but the answer comes from something else; `because` says why."""
    given = (["--lake"] if lake else []) + part.given()
    if given:
        raise iosq.RequestError(f"the command reads no lake: {because}", place=", ".join(given), remedy=remedy)
