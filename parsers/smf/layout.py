"""Loads record layouts, the CSV and TOML files under `layouts/`, for decoder, encoder and schema.

One folder per record. `record.toml` defines how sections are reached, the CSV files define their fields.
No code is specific to a record.
"""

import csv
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from iosq.parsers.api import Bit, Confidence
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import NewRow, csv_rows

Format = Literal["binary", "sbinary", "float", "packed", "ebcdic", "bitflags", "tod", "hex"]
Family = Literal["rmf", "smf30", "smf42", "smf94"]

# reserved for the RDW and the 14 bytes every SMF record begins with
MINIMUM_RECORD = 18


@dataclass(frozen=True, slots=True)
class Only:
    """Condition of an overlay: its fields exist where `(field & mask)` is one of `values`."""

    field: str
    values: frozenset[int]
    mask: int = -1


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `offset` and `length` in bytes from the start of its section, big-endian."""

    name: str
    offset: int
    length: int
    # fields are cache keys: name, offset and length suffice as a hash
    format: Format = field(hash=False)
    unit: str = field(default="", hash=False)
    meaning: str = field(default="", hash=False)
    source: str = field(default="", hash=False)
    confidence: Confidence = field(default="high", hash=False)
    bits: tuple[Bit, ...] = field(default=(), hash=False)
    only: Only | None = field(default=None, hash=False)

    @property
    def end(self) -> int:
        """The first byte behind the field."""
        return self.offset + self.length


class Fields(tuple[Field, ...]):
    """The fields of a section."""

    @cached_property
    def named(self) -> Mapping[str, Field]:
        return {f.name: f for f in self}

    @cached_property
    def end(self) -> int:
        return max((f.end for f in self), default=0)

    def ending(self, suffix: str) -> Field:
        """The field whose name ends in `suffix` (`SID`, `TME` …); KeyError if there is none."""
        return {f.name[-len(suffix) :]: f for f in self}[suffix]


@dataclass(frozen=True, slots=True)
class Triplet:
    """Sections reached by offset, length and count; `within` names the section that holds them, '' the header."""

    offset: str
    length: str
    count: str
    within: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """Sections linked by offsets from the record start; `first` and `length` are fields of `within` ('' the header)."""

    first: str
    next: str
    length: str
    within: str = ""


@dataclass(frozen=True, slots=True)
class Pointer:
    """One section per row of `within`, at the record offset in `offset`; 0 = none.

    `length` is a field of `within`, or of the section above it when `length_above` names that one.
    """

    offset: str
    length: str
    within: str
    length_above: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of section: its fields, how it is reached, and the sort order of its table.

    The distance between sections is in the record; it may differ from the end of the last field we know.
    """

    name: str
    fields: Fields
    reach: Triplet | Chain | Pointer
    sort: tuple[str, ...] = ()

    @property
    def within(self) -> str:
        return self.reach.within

    def field(self, name: str) -> Field:
        return self.fields.named[name]


@dataclass(frozen=True, slots=True)
class Check:
    """A counter that shows bad data: `field > above * times` (`times` is 1 if not named, else a non-zero field).

    With `per_second` the limit is multiplied by the interval's seconds.
    """

    code: str
    section: str
    field: str
    above: int
    times: str = ""
    per_second: bool = False


@dataclass(frozen=True, slots=True)
class Naming:
    """Sections whose field `named` is the `id` of their owner, which points at `count` sections from `first`."""

    code: str
    section: str
    named: str
    owner: str
    id: str
    first: str
    count: str


@dataclass(frozen=True, slots=True, eq=False)  # one object per record type: hashed by identity, which is fast
class RecordLayout:
    """One record type and subtype: header, product section and reassembly area (RMF), sections in decoding order.

    `also` are further subtypes with the same layout.
    """

    type: int
    subtype: int
    name: str
    kind: str
    title: str
    family: Family
    header: Fields
    product: Fields
    reassembly: Fields
    sections: tuple[Section, ...] = ()
    unlocated: tuple[Section, ...] = ()
    checks: tuple[Check, ...] = ()
    namings: tuple[Naming, ...] = ()
    also: tuple[int, ...] = ()

    def section(self, name: str) -> Section:
        return {s.name: s for s in self.sections}[name]

    def table(self, section: str) -> str:
        """The raw table of a section; `record` is that of header and product fields."""
        return f"{self.name}_{section}"


def _bits(folder: Traversable) -> dict[tuple[str, str], tuple[Bit, ...]]:
    path = folder / "flags.csv"
    found: dict[tuple[str, str], list[Bit]] = {}
    if path.is_file():
        for row in csv.DictReader(path.read_text("utf-8").splitlines()):
            bit = Bit(row["bit_name"], int(row["mask"], 16), row["meaning"], row["confidence"])  # type: ignore[arg-type]
            found.setdefault((row["section"], row["field"]), []).append(bit)
    return {key: tuple(bits) for key, bits in found.items()}


def _only(spec: NewRow | None) -> Only | None:
    return Only(spec["field"], frozenset(spec["values"]), spec.get("mask", -1)) if spec else None


def _fields(folder: Traversable, name: str, prefix: tuple[str, str] = ("", "")) -> Fields:
    bits = _bits(folder)
    rows = csv.DictReader((folder / f"{name}.csv").read_text("utf-8").splitlines())
    return Fields(
        Field(
            name=row["name"].replace(*prefix, 1) if prefix[0] else row["name"],
            offset=int(row["offset_dec"]),
            length=int(row["length"]),
            format=row["format"],  # type: ignore[arg-type]
            unit=row["unit"],
            meaning=row["description"],
            source=row["source_url"],
            confidence=row["confidence"],  # type: ignore[arg-type]
            bits=bits.get((row["section"], row["name"]), ()),
        )
        for row in rows
    )


def _overlay(folder: Traversable, spec: NewRow) -> Iterable[Field]:
    only = Only(spec["field"], frozenset(spec["values"]))
    rename = tuple(spec.get("rename", ("", "")))
    for f in _fields(folder, spec["layout"], (rename[0], rename[1])):
        yield replace(f, offset=f.offset + spec["offset"], only=only)


def _reach(spec: NewRow) -> Triplet | Chain | Pointer:
    within = spec.get("within", "")
    if "chain" in spec:
        return Chain(within=within, **spec["chain"])
    if "pointer" in spec:
        above, _, length = spec["pointer"]["length"].rpartition(".")
        return Pointer(spec["pointer"]["offset"], length, within, above)
    offset, length, count = spec["triplet"]
    return Triplet(offset, length, count, within)


def _section(folder: Traversable, spec: NewRow) -> Section:
    only = spec.get("only", {})
    fields = [replace(f, only=_only(only.get(f.name))) for f in _fields(folder, spec["name"])]
    for overlay in spec.get("overlay", ()):
        fields += _overlay(folder, overlay)
    return Section(spec["name"], Fields(fields), _reach(spec), tuple(spec.get("sort", ())))


def _header(folder: Traversable, common: Traversable, family: str, prefix: str) -> Fields:
    if family == "rmf":
        return Fields(_fields(common, "rmf_header", ("SMF74", prefix)) + _fields(folder, "triplets"))
    own = _fields(folder, "header")
    return Fields(own + _fields(folder, "triplets")) if (folder / "triplets.csv").is_file() else own


def _record(folder: Traversable, common: Traversable) -> RecordLayout:
    spec = tomllib.loads((folder / "record.toml").read_text("utf-8"))
    family, prefix = spec["family"], spec["prefix"]
    nn = ("SMFnn", prefix)
    unlocated = [Section(n, _fields(folder, n), Triplet("", "", "")) for n in spec.get("unlocated", ())]
    return RecordLayout(
        type=spec["type"],
        subtype=spec["subtype"],
        name=spec.get("name", f"smf{spec['type']}_{spec['subtype']}"),
        kind=spec.get("kind", f"{spec['type']}.{spec['subtype']}"),
        title=spec["title"],
        family=family,
        header=_header(folder, common, family, prefix),
        product=_fields(common, "rmf_product", nn) if family == "rmf" else Fields(),
        reassembly=_fields(common, "reassembly_header", nn) if family == "rmf" else Fields(),
        sections=tuple(_section(folder, s) for s in spec.get("section", ())),
        unlocated=tuple(unlocated),
        checks=tuple(Check(**c) for c in spec.get("check", ())),
        namings=tuple(Naming(**n) for n in spec.get("naming", ())),
        also=tuple(spec.get("also", ())),
    )


@cache
def layouts() -> dict[tuple[int, int], RecordLayout]:
    """Every record we decode, by (type, subtype)."""
    root = files("iosq.parsers.smf") / "layouts"
    common = root / "_common"
    folders = sorted((f for f in root.iterdir() if (f / "record.toml").is_file()), key=lambda f: f.name)
    return {(r.type, r.subtype): r for r in (_record(f, common) for f in folders)}


@cache
def by_subtype() -> dict[tuple[int, int], RecordLayout]:
    """The layout of every type and subtype that we decode."""
    return {(r.type, subtype): r for r in layouts().values() for subtype in (r.subtype, *r.also)}


@cache
def unlocated() -> tuple[dict[str, str], ...]:
    """Fields known to exist whose offset no source gives, as rows of `unlocated_fields.csv`."""
    return tuple(csv_rows("iosq.parsers.smf", "layouts", "unlocated_fields.csv"))


def kinds(types: Iterable[str]) -> frozenset[str]:
    """The record kinds that `types` name: `74.1` is itself, `74` all its subtypes.

    Raises:
        RequestError: a type isn't decoded.
    """
    known = [layout.kind for layout in layouts().values()]
    found: set[str] = set()
    for type_ in types:
        named = {kind for kind in known if kind == type_ or kind.startswith(f"{type_}.")}
        if not named:
            what = f"no records of type {type_!r} are decoded"
            raise RequestError(what, place="--types", remedy=f"name some of {', '.join(known)}")
        found |= named
    return frozenset(found)
