"""Thresholds as data: each is a number with unit, meaning, hardware era and source."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from iosq.toolkit.errors import LakeError
from iosq.toolkit.rows import Row, toml

Site = Mapping[str, Mapping[str, float]]
ANY = "any"  # the era of a limit that names none
# the unit of a threshold without one, by the last word of its name
_UNITS = {
    "ratio": "ratio", "share": "ratio", "ms": "ms", "s": "s", "rate": "per s", "days": "days", "hours": "hours",
    "minutes": "minutes", "ios": "I/Os",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold with its source and the hardware era it is for."""

    value: float
    unit: str
    meaning: str
    era: str
    source: str


@dataclass(frozen=True, slots=True)
class Shared:
    """Thresholds that several rules and predictions share; `code` is their key in iosq.toml."""

    code: str
    title: str
    thresholds: Mapping[str, Threshold]

    def limits(self, site: Site | None = None) -> dict[str, float]:
        """The thresholds in force, by name."""
        return in_force(self.thresholds, (site or {}).get(self.code))


def in_force(thresholds: Mapping[str, Threshold], own: Mapping[str, float] | None) -> dict[str, float]:
    """The shipped values, overridden by the site's own."""
    return {name: float((own or {}).get(name, t.value)) for name, t in thresholds.items()}


def shared(package: str, file: str) -> Shared:
    """Thresholds from a file of a package, as `headroom.toml`; LakeError that names the file if a text is missing."""
    entries = toml(package, file)
    insist({"title", "thresholds"} ^ entries.keys(), "lacks, or doesn't know,", file)
    return Shared(file.removesuffix(".toml"), one_line(entries["title"]), thresholds(entries["thresholds"], file))


def thresholds(entries: Mapping[str, Row], place: str) -> dict[str, Threshold]:
    """Thresholds by name, from tables of a .toml file; LakeError that names `place` for a missing or unknown key."""
    return {name: _threshold(name, t, place) for name, t in entries.items()}


def _threshold(name: str, entries: Row, place: str) -> Threshold:
    wanted = {"value", "unit", "meaning", "era", "source"}
    entries = {"unit": _UNITS.get(name.rpartition("_")[2], ""), "era": ANY, **entries}
    insist(wanted - entries.keys(), f"[thresholds.{name}] lacks", place)
    insist(entries.keys() - wanted, f"[thresholds.{name}] doesn't know", place)
    texts = {key: one_line(entries[key]) for key in ("unit", "meaning", "era", "source")}
    return Threshold(value=float(entries["value"]), **texts)


def insist(wrong: Collection[str], what: str, place: str) -> None:
    """LakeError if there are wrong names."""
    if wrong:
        raise LakeError(f"{what} {', '.join(sorted(wrong))}", place=place)


def one_line(text: str) -> str:
    """A text of several lines joined to one line."""
    return " ".join(text.split())
