"""Raw tables of SMF sections; columns, types and units are derived from the layouts."""

from functools import cache

from iosq.parsers.api import Column, ColumnType, Table
from iosq.parsers.smf.layout import Field, RecordLayout, Section, layouts

_SOURCE = "every SMF section table"
COMMON: tuple[Column, ...] = (
    Column("system", "varchar", "", "System id from the record header (SMFnnSID)", _SOURCE),
    Column("interval_start", "timestamp", "UTC", "Start of the measured interval: local start minus SMFnnLGO", _SOURCE),
    Column("utc_offset_s", "integer", "s", "Local time minus UTC; NULL where the record is silent", _SOURCE),
    Column("interval_s", "double", "s", "Length of the measured interval", _SOURCE),
)
SAMPLES = Column("samples", "bigint", "samples", "Sampling cycles in the interval (SMFnnSAM)", _SOURCE)
KEYS: tuple[Column, ...] = (
    Column("record_id", "bigint", "", "One logical record: the same for all its sections and pieces", _SOURCE),
    Column("record_offset", "bigint", "bytes", "Offset of the record in the unpacked input", _SOURCE),
    Column("section_index", "integer", "", "Position of the section in the whole unsplit record, from 1", _SOURCE),
)
PARENT = Column("parent_index", "integer", "", "section_index of the section this one hangs on", _SOURCE)

PACKED_TYPES: dict[str, ColumnType] = {
    "0cyydddF": "date",
    "0hhmmssF": "integer",
    "mmsstttF": "double",
    "000ttttF ms": "double",
    "nnnF": "integer",
}
PACKED_UNITS = {"0cyydddF": "date", "0hhmmssF": "s", "mmsstttF": "s", "000ttttF ms": "ms", "nnnF": ""}


def is_offset(field: Field) -> bool:
    """True if a TOD field is a signed duration (SMFnnLGO) and not an instant."""
    return field.format == "tod" and field.unit.startswith("signed")


def column_type(field: Field) -> ColumnType:
    """The column type for a field's format; see `docs/reference/layouts.md`."""
    if field.format == "packed":
        return PACKED_TYPES[field.unit]
    if field.format == "tod":
        return "bigint" if is_offset(field) else "timestamp"
    if field.format in ("binary", "sbinary", "bitflags"):
        return "integer" if field.length <= 2 else "bigint"
    return "double" if field.format == "float" else "varchar"


def column_unit(field: Field) -> str:
    """The unit of the stored column (packed and TOD forms become dates, seconds, microseconds)."""
    if field.format == "packed":
        return PACKED_UNITS[field.unit]
    if field.format == "tod":
        return "us" if is_offset(field) else "UTC"
    return field.unit


def column(field: Field) -> Column:
    """The raw column of a field, under the vendor's name."""
    where = f"+{field.offset} ({field.length} bytes, {field.format}); {field.source}"
    return Column(
        field.name, column_type(field), column_unit(field), field.meaning, where, field.confidence, field.bits
    )


def _common(layout: RecordLayout) -> tuple[Column, ...]:
    return (*COMMON, SAMPLES, *KEYS) if layout.family == "rmf" else (*COMMON, *KEYS)


def record_table(layout: RecordLayout) -> Table:
    """Header, triplets, product and reassembly header of a record: one row per piece."""
    fields = layout.header + layout.product + layout.reassembly
    return Table(
        layout.table("record"),
        f"{layout.title} (SMF {layout.kind}): header and product section",
        _common(layout) + tuple(column(f) for f in fields),
    )


def section_table(layout: RecordLayout, section: Section) -> Table:
    """One row per section."""
    parent = (PARENT,) if section.within else ()
    return Table(
        layout.table(section.name),
        f"{layout.title} (SMF {layout.kind}): {section.name.replace('_', ' ')} section",
        _common(layout) + parent + tuple(column(f) for f in section.fields),
        sort=("system", *section.sort, "interval_start"),
    )


def layout_tables(layout: RecordLayout) -> tuple[Table, ...]:
    """All tables of one record type."""
    return tuple(_named(layout.type, layout.subtype).values())


@cache
def _named(type_: int, subtype: int) -> dict[str, Table]:
    """The tables of one record type by section; `record` has the header and product fields."""
    layout = layouts()[type_, subtype]
    own = {s.name: section_table(layout, s) for s in layout.sections}
    return {"record": record_table(layout), **own}


def table_of(layout: RecordLayout, section: str) -> Table:
    """The table of a section (or `record`), made once."""
    return _named(layout.type, layout.subtype)[section]


@cache
def tables() -> tuple[Table, ...]:
    """All raw tables of the supported SMF records."""
    return tuple(t for layout in layouts().values() for t in layout_tables(layout))
