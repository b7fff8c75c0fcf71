"""Limits as data: each is a number with its unit, subject, hardware era and source."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from iosq.toolkit.errors import LakeError
from iosq.toolkit.rows import Row, toml

Site = Mapping[str, Mapping[str, float]]
ANY = "any"  # the era of a limit that names none


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit, with where it comes from and the hardware era it was made for."""

    value: float
    unit: str
    meaning: str
    era: str
    source: str


@dataclass(frozen=True, slots=True)
class Shared:
    """Thresholds that several rules and predictions use: `code` is their key in iosq.toml."""

    code: str
    title: str
    thresholds: Mapping[str, Threshold]

    def limits(self, site: Site | None = None) -> dict[str, float]:
        """The limits in force, by name."""
        return in_force(self.thresholds, (site or {}).get(self.code))


def in_force(thresholds: Mapping[str, Threshold], own: Mapping[str, float] | None) -> dict[str, float]:
    """The shipped values, or a site's own."""
    return {name: float((own or {}).get(name, t.value)) for name, t in thresholds.items()}


def shared(package: str, file: str) -> Shared:
    """Limits from a file of a package: `shared(__package__, "headroom.toml")`.

    Raises:
        LakeError: a text or a source is missing; names the file.
    """
    entries = toml(package, file)
    insist({"title", "thresholds"} ^ entries.keys(), "lacks, or doesn't know,", file)
    return Shared(file.removesuffix(".toml"), one_line(entries["title"]), thresholds(entries["thresholds"], file))


def thresholds(entries: Mapping[str, Row], place: str) -> dict[str, Threshold]:
    """Tables of a .toml by name.

    Raises:
        LakeError: a key is missing or unknown; names `place`.
    """
    return {name: _threshold(name, t, place) for name, t in entries.items()}


def _threshold(name: str, entries: Row, place: str) -> Threshold:
    wanted = {"value", "unit", "meaning", "era", "source"}
    entries = {"era": ANY, **entries}
    insist(wanted - entries.keys(), f"[thresholds.{name}] lacks", place)
    insist(entries.keys() - wanted, f"[thresholds.{name}] doesn't know", place)
    texts = {key: one_line(entries[key]) for key in ("unit", "meaning", "era", "source")}
    return Threshold(value=float(entries["value"]), **texts)


def insist(wrong: Collection[str], what: str, place: str) -> None:
    """Refuse names that are wrong.

    Raises:
        LakeError: there are any.
    """
    if wrong:
        raise LakeError(f"{what} {', '.join(sorted(wrong))}", place=place)


def one_line(text: str) -> str:
    """A text of several lines as one."""
    return " ".join(text.split())
