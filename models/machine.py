"""Machine files: one TOML file per box, channel or tape server, with parameters and their sources.

The guide docs/guides/add-a-machine.md has the format. A fitted box also has tables of lists of numbers: `seen`, `draws`
and `points`, see `Machine`; `iosq simulate fit` writes them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import Row, csv_rows
from iosq.toolkit.toml import read_toml

HOW = ("measured", "sheet", "fitted", "assumed")
# assumed relative standard deviation if the file states none: of a repeated measurement, a rounded figure, a fit to a
# dozen measurements, a guess
UNSTATED: Mapping[str, float] = MappingProxyType({"measured": 0.02, "sheet": 0.03, "fitted": 0.05, "assumed": 0.2})
EXACT_UNITS = frozenset({"flag", "count", "bytes", "10^9 bytes", "GB", "km"})  # installed equipment, not its speed
COUNT_MAX = 65536
_MACHINE_KEYS = frozenset({"title", "kind", "parameter", "seen", "draws", "points"})
_PARAMETER_KEYS = frozenset({"value", "unit", "source", "how", "spread", "note"})


@dataclass(frozen=True)
class Parameter:
    """One number of a machine.

    Attributes:
        value: the number, in `unit`.
        unit: `ms`, `bytes`, `per s`, `ratio`, …
        source: title of the document, or the calibration it came from.
        how: `measured`, `sheet` (vendor's statement), `fitted` or `assumed`.
        spread: relative standard deviation, None if unknown.
        note: what a reader must know before trusting it.
    """

    value: float
    unit: str
    source: str
    how: str
    spread: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Machine:
    """A machine file: `name` is the file's stem, `kind` selects the model that reads it.

    seen: ranges of the loads it was fitted to; draws: parameter sets, one list per parameter; points: the states it was
    fitted to, one list per column. Lists of a table have the same length; a table is empty if the file has none.
    """

    name: str
    title: str
    kind: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    seen: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    draws: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    points: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def value(self, name: str, default: float | None = None) -> float:
        """The parameter's value, or the default; RequestError naming machine and parameter if there is neither."""
        if name not in self.parameters:
            if default is not None:
                return default
            raise RequestError(
                f"machine {self.name} has no parameter {name}",
                remedy=f"add [parameter.{name}] to its file or choose another machine",
            )
        return self.parameters[name].value

    def positive(self, name: str, default: float | None = None) -> float:
        """As `value`, and RequestError if the file has 0 or less: models divide by it."""
        return self.checked(name, lambda value: value > 0, "be positive", default)

    def count(self, name: str) -> int:
        """As `value`, and RequestError unless it is a whole number from 1 to 65,536."""
        rule = f"be a whole number from 1 to {COUNT_MAX}"
        return int(self.checked(name, lambda value: 1 <= value <= COUNT_MAX and value == int(value), rule))

    def not_negative(self, name: str, default: float | None = None) -> float:
        """As `value`, and RequestError if the file has less than 0."""
        return self.checked(name, lambda value: value >= 0, "not be negative", default)

    def checked(self, name: str, holds: Callable[[float], bool], rule: str, default: float | None = None) -> float:
        """As `value`, and RequestError with the rule if it does not hold."""
        value = self.value(name, default)
        if not holds(value):
            raise RequestError(f"parameter {name} = {value:g} must {rule}", place=f"machine {self.name}")
        return value

    def drawn(self, count: int, rng: np.random.Generator) -> "list[Machine]":
        """Random variants of the machine: every uncertain number varies independently by its spread.

        A ratio stays on its side of 1. Installed equipment (counts, sizes) does not vary.
        """
        uncertain = {name: p for name, p in self.parameters.items() if p.value > 0 and p.unit not in EXACT_UNITS}
        spreads = [UNSTATED[p.how] if p.spread is None else p.spread for p in uncertain.values()]
        factors = np.exp(np.array(spreads) * rng.standard_normal((count, len(spreads))))
        return [replace(self, parameters={**self.parameters, **_scaled(uncertain, row)}) for row in factors]

    def varied(self, **values: float) -> "Machine":
        """The machine with other values for some parameters, marked as assumed, for a what-if."""
        changed = {name: self._assume(name, value) for name, value in values.items()}
        return replace(self, parameters=MappingProxyType({**self.parameters, **changed}))

    def _assume(self, name: str, value: float) -> Parameter:
        self.value(name)
        if not _sane(value):
            raise RequestError(f"{name} = {value} is not a sane number", place=f"machine {self.name}")
        return replace(self.parameters[name], value=float(value), source="what-if", how="assumed", spread=None)


def _scaled(parameters: Mapping[str, Parameter], factors: Iterable[float]) -> dict[str, Parameter]:
    scaled = {}
    for (name, p), factor in zip(parameters.items(), factors, strict=True):
        value = p.value * float(factor)
        if p.unit == "ratio":
            value = min(value, 1.0) if p.value <= 1 else max(value, 1.0)
        scaled[name] = replace(p, value=value)
    return scaled


def available() -> tuple[str, ...]:
    """Names of the machines that come with the product, sorted."""
    names = (entry.name for entry in files("iosq.models").joinpath("hardware").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def load(name_or_path: str | Path) -> Machine:
    """Load a machine by name, or a file if it ends in `.toml`; RequestError if it doesn't exist or is invalid."""
    text = str(name_or_path)
    if text.endswith(".toml"):
        return _parse(Path(text).stem, text, _read(Path(text)))
    if text not in available():
        _check_forms(text)
        raise RequestError(
            f"unknown machine {text!r}", remedy=f"choose one of {', '.join(available())} or give a .toml file"
        )
    resource = files("iosq.models").joinpath("hardware", f"{text}.toml")
    return _parse(text, f"{text}.toml", resource.read_text(encoding="utf-8"))


@cache
def forms() -> Mapping[str, Row]:
    """Machines without published measurements: title, kind, numbers to request, known facts (known, source)."""
    return {row["name"]: row for row in csv_rows("iosq.models", "hardware", "forms.csv")}


def _check_forms(name: str) -> None:
    """RequestError naming the numbers to request from the vendor, if it is a machine of `forms`."""
    if form := forms().get(name):
        known = f" ({form['known']})" if form["known"] else ""
        raise RequestError(
            f"no published measurement of the {form['title']}{known} allows a prediction",
            place=name,
            remedy=f"write {form['numbers']} of a vendor's quote into a machine file of kind {form['kind']} "
            "(docs/guides/add-a-machine.md shows how) and give its path"
            + (", or fit a box from a lake: iosq simulate fit" if form["kind"] == "quoted" else ""),
        )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise RequestError(f"can't read machine file: {reason}", place=str(path)) from error


@lru_cache(maxsize=64)  # a fitted box takes 0.1 s, and one prediction uses several
def _parse(name: str, place: str, text: str) -> Machine:
    content = read_toml(text, place)
    _known_keys(content, _MACHINE_KEYS, "", place)
    tables = content.get("parameter", {})
    if not isinstance(tables, dict) or not tables:
        raise RequestError("key parameter: expected tables [parameter.NAME]", place=place)
    parameters = {key: _parameter(key, table, place) for key, table in tables.items()}
    title, kind = _string(content, "title", "", place), _string(content, "kind", "", place)
    seen, draws, points = (_lists(content, key, place) for key in ("seen", "draws", "points"))
    for key, lists in (("draws", draws), ("points", points)):
        if len({len(values) for values in lists.values()}) > 1:
            raise RequestError(f"key {key}: the lists differ in length", place=place)
    return Machine(name, title, kind, MappingProxyType(parameters), seen, draws, points)


def _lists(content: Row, key: str, place: str) -> Mapping[str, tuple[float, ...]]:
    """A table of lists of numbers; empty if the file has none."""
    table = content.get(key, {})
    if not isinstance(table, dict) or not all(isinstance(values, list) and values for values in table.values()):
        raise RequestError(f"key {key}: expected lists of numbers", place=place)
    return MappingProxyType(
        {name: tuple(_number({name: v}, name, key, place) for v in values) for name, values in table.items()}
    )


def _parameter(key: str, table: Any, place: str) -> Parameter:
    prefix = f"parameter.{key}"
    if not isinstance(table, dict):
        raise RequestError(f"key {prefix}: expected a table", place=place)
    _known_keys(table, _PARAMETER_KEYS, f"{prefix}.", place)
    how = _string(table, "how", f"{prefix}.", place)
    if how not in HOW:
        raise RequestError(f"key {prefix}.how: {how!r} is none of {', '.join(HOW)}", place=place)
    spread = _number(table, "spread", prefix, place) if "spread" in table else None
    if spread is not None and spread < 0:
        raise RequestError(f"key {prefix}.spread: {spread} is negative", place=place)
    return Parameter(
        value=_number(table, "value", prefix, place),
        unit=_string(table, "unit", f"{prefix}.", place),
        source=_string(table, "source", f"{prefix}.", place),
        how=how,
        spread=spread,
        note=_string(table, "note", f"{prefix}.", place) if "note" in table else "",
    )


def _known_keys(table: Row, known: frozenset[str], prefix: str, place: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise RequestError(f"key {prefix}{unknown[0]}: unknown, expected {', '.join(sorted(known))}", place=place)


def _string(table: Row, key: str, prefix: str, place: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RequestError(f"key {prefix}{key}: expected text", place=place)
    return value


def _number(table: Row, key: str, prefix: str, place: str) -> float:
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not _sane(value):
        raise RequestError(f"key {prefix}.{key}: expected a finite number of sane size", place=place)
    return float(value)


def _sane(value: float) -> bool:
    """True if a number is 0 or of a physically possible size, so that models can divide by it and loop over it."""
    return value == 0 or 1e-12 <= abs(value) <= 1e18
