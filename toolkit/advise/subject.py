"""The subject of a finding, as a value: its text is made from it and never parsed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from iosq.toolkit.rows import Row

Kind = Literal["all", "volume", "volumes", "lcu", "box", "subsystem", "channel", "rank", "link", "machine"]
# the rule for a volume that waits in the host; other rules give the cause
WAITS = "pav_add_alias"
# names that stand in a sentence
FEW = 2
# prefix of names, singular and plural
_WORDS: Mapping[Kind, tuple[str, str]] = {"lcu": ("LCU ", "LCUs "), "channel": ("channel ", "channels ")}


@dataclass(frozen=True, slots=True)
class Subject:
    """Names of one kind, and the systems that see them (none named: all).

    A box is named by its serial number without leading zeros, or without one by its subsystem, LCU or system. `words`
    is its text where kind and names are not enough; it does not affect equality.
    """

    kind: Kind
    names: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    words: str = field(default="", compare=False)

    def __str__(self) -> str:
        """The text, such as `LCUs 0080, 0081 on SYSA`."""
        one, several = _WORDS.get(self.kind, ("", ""))
        what = self.words or f"{several if len(self.names) > 1 else one}{', '.join(self.names)}"
        return f"{what} on {', '.join(self.systems)}" if self.systems else what

    @property
    def opening(self) -> str:
        """The text at the beginning of a sentence."""
        text = str(self)
        return text[:1].upper() + text[1:]

    @property
    def in_short(self) -> "Subject":
        """The same, of several volumes their number alone."""
        is_long = self.kind == "volumes" and len(self.names) > FEW
        return replace(self, words=f"{len(self.names)} volumes") if is_long else self

    @property
    def each(self) -> "Iterator[Subject]":
        """One subject for each of its names on each of its systems; itself where it has neither."""
        kind: Kind = "volume" if self.kind == "volumes" else self.kind
        for name in self.names:
            for system in self.systems or ("",):
                yield Subject(kind, (name,), (system,) if system else ())

    def on_all_systems(self) -> "Subject":
        """The same names, whichever system sees them."""
        return Subject(self.kind, self.names)


def volume(name: str, *systems: str) -> Subject:
    """A volume as some systems see it, or all."""
    return Subject("volume", (name,), systems)


def volumes(names: Iterable[str], systems: Iterable[str]) -> Subject:
    """Volumes with one cause, each name and system once and in order; of one name, that volume."""
    each = tuple(sorted(set(names)))
    return Subject("volume" if len(each) == 1 else "volumes", each, tuple(sorted(set(systems))))


def merged(every: Iterable[Subject]) -> Subject:
    """All names of subjects of one kind, on all of their systems."""
    each = sorted(every, key=lambda s: s.names)
    names = tuple(dict.fromkeys(name for s in each for name in s.names))
    systems = tuple(sorted({system for s in each for system in s.systems}))
    kind: Kind = "volumes" if each[0].kind == "volume" and len(names) > 1 else each[0].kind
    return Subject(kind, names, systems, ", ".join(filter(None, (s.words for s in each))))


def lcus(names: Iterable[str], *systems: str) -> Subject:
    """LCUs as some systems see them, or all."""
    return Subject("lcu", tuple(names), systems)


def lcu_or_storage(row: Row, systems: Iterable[str]) -> Subject:
    """The LCU of a row, or all that its system reads and writes where no record has LCUs (`lcu` is empty)."""
    if row["lcu"]:
        return lcus([row["lcu"]], *systems)
    return Subject("box", (row["system"],), words=f"the storage of {row['system']}")


def box(row: Row, kind: Kind = "box") -> Subject:
    """A box by type and serial number, or by the subsystem, LCU or system where no record names it.

    Args:
        row: with `box`, `serial` and `control_unit_type` as the views of boxes have them.
        kind: what the finding says of it: `subsystem` where a part of its subsystems has the trouble.
    """
    if row["serial"]:
        name, model = row["serial"].lstrip("0"), (row["control_unit_type"] or "").lstrip("0")
        return Subject(kind, (name,), words=f"box {model} {name}" if model else f"box {name}")
    if row["box"] == row.get("system"):
        return Subject(kind, (row["box"],), words=f"the storage of {row['box']}")
    if row["box"].startswith("LCU "):
        return Subject(kind, (row["box"].removeprefix("LCU "),), words=row["box"])
    return Subject(kind, (row["box"],), words=f"subsystem {row['box']}")


def listed(names: str | None) -> list[str]:
    """Names that a query joined by `|`."""
    return [name for name in (names or "").split("|") if name]
