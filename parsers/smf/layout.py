"""Loads record layouts, the CSV and TOML files under `layouts/`, for decoder, encoder and schema.

One folder per record. `record.toml` defines how sections are reached, the CSV files define their fields.
No code is specific to a record.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal

from iosq.parsers.api import Bit, Confidence
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import NewRow, csv_rows, grouped, toml

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


def _only(spec: NewRow) -> Only:
    return Only(spec["field"], frozenset(spec["values"]), spec.get("mask", -1))


@cache
def _bits(folder: str) -> dict[tuple[str, str], list[dict[str, str]]]:
    """Rows of the file of flags, by section and field."""
    rows = csv_rows(__package__, "layouts", folder, "flags.csv") if _has(folder, "flags") else []
    return grouped(rows, lambda row: (row["section"], row["field"]))


def _has(folder: str, name: str) -> bool:
    return (files(__package__) / "layouts" / folder / f"{name}.csv").is_file()


def _fields(folder: str, name: str, prefix: tuple[str, str] = ("", "")) -> Fields:
    """The fields of a file; the first text of `prefix` in their names is replaced by the second."""
    return Fields(
        Field(
            name=row["name"].replace(*prefix, 1),
            offset=int(row["offset_dec"]),
            length=int(row["length"]),
            format=row["format"],  # type: ignore[arg-type]
            unit=row["unit"],
            meaning=row["description"],
            source=row["source_url"],
            confidence=row["confidence"],  # type: ignore[arg-type]
            bits=tuple(
                Bit(bit["bit_name"], int(bit["mask"], 16), bit["meaning"], bit["confidence"])  # type: ignore[arg-type]
                for bit in _bits(folder).get((row["section"], row["name"]), ())
            ),
        )
        for row in csv_rows(__package__, "layouts", folder, f"{name}.csv")
    )


def _reach(spec: NewRow) -> Triplet | Chain | Pointer:
    within = spec.get("within", "")
    if "chain" in spec:
        return Chain(within=within, **spec["chain"])
    if "pointer" in spec:
        above, _, length = spec["pointer"]["length"].rpartition(".")
        return Pointer(spec["pointer"]["offset"], length, within, above)
    offset, length, count = spec["triplet"]
    return Triplet(offset, length, count, within)


def _section(folder: str, spec: NewRow) -> Section:
    only = {name: _only(condition) for name, condition in spec.get("only", {}).items()}
    fields = [replace(f, only=only.get(f.name)) for f in _fields(folder, spec["name"])]
    for overlay in spec.get("overlay", ()):
        over = _fields(folder, overlay["layout"], overlay.get("rename", ("", "")))
        fields += [replace(f, offset=f.offset + overlay["offset"], only=_only(overlay)) for f in over]
    return Section(spec["name"], Fields(fields), _reach(spec), tuple(spec.get("sort", ())))


def _record(folder: str) -> RecordLayout:
    spec = toml(__package__, "layouts", folder, "record.toml")
    is_rmf, nn = spec["family"] == "rmf", ("SMFnn", spec["prefix"])
    header = _fields("_common", "rmf_header", ("SMF74", spec["prefix"])) if is_rmf else _fields(folder, "header")
    triplets = _fields(folder, "triplets") if is_rmf or _has(folder, "triplets") else ()
    unlocated = [Section(n, _fields(folder, n), Triplet("", "", "")) for n in spec.get("unlocated", ())]
    return RecordLayout(
        type=spec["type"],
        subtype=spec["subtype"],
        name=spec.get("name", f"smf{spec['type']}_{spec['subtype']}"),
        kind=spec.get("kind", f"{spec['type']}.{spec['subtype']}"),
        title=spec["title"],
        family=spec["family"],
        header=Fields((*header, *triplets)),
        product=_fields("_common", "rmf_product", nn) if is_rmf else Fields(),
        reassembly=_fields("_common", "reassembly_header", nn) if is_rmf else Fields(),
        sections=tuple(_section(folder, s) for s in spec.get("section", ())),
        unlocated=tuple(unlocated),
        checks=tuple(Check(**c) for c in spec.get("check", ())),
        namings=tuple(Naming(**n) for n in spec.get("naming", ())),
        also=tuple(spec.get("also", ())),
    )


@cache
def layouts() -> dict[tuple[int, int], RecordLayout]:
    """Every record we decode, by (type, subtype)."""
    root = files(__package__) / "layouts"
    folders = sorted(f.name for f in root.iterdir() if (f / "record.toml").is_file())
    return {(r.type, r.subtype): r for r in map(_record, folders)}


@cache
def by_subtype() -> dict[tuple[int, int], RecordLayout]:
    """The layout of every type and subtype that we decode."""
    return {(r.type, subtype): r for r in layouts().values() for subtype in (r.subtype, *r.also)}


@cache
def unlocated() -> tuple[dict[str, str], ...]:
    """Fields known to exist whose offset no source gives, as rows of `unlocated_fields.csv`."""
    return tuple(csv_rows(__package__, "layouts", "unlocated_fields.csv"))


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
