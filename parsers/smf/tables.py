"""Raw tables of SMF sections; columns, types and units are derived from the layouts."""

from collections.abc import Iterable
from functools import cache

from iosq.parsers.api import Column, ColumnType, Table
from iosq.parsers.smf.layout import Field, RecordLayout, layouts

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

# types and units of the columns for packed fields
PACKED: dict[str, tuple[ColumnType, str]] = {
    "0cyydddF": ("date", "date"),
    "0hhmmssF": ("integer", "s"),
    "mmsstttF": ("double", "s"),
    "000ttttF ms": ("double", "ms"),
    "nnnF": ("integer", ""),
}


def is_offset(field: Field) -> bool:
    """True if a TOD field is a signed duration (SMFnnLGO) and not an instant."""
    return field.format == "tod" and field.unit.startswith("signed")


def column_type(field: Field) -> ColumnType:
    """The column type for a field's format; see `docs/reference/layouts.md`."""
    return _stored(field)[0]


def _stored(field: Field) -> tuple[ColumnType, str]:
    """Type and unit of the stored column: packed and TOD forms become dates, seconds, microseconds."""
    if field.format == "packed":
        return PACKED[field.unit]
    if field.format == "tod":
        return ("bigint", "us") if is_offset(field) else ("timestamp", "UTC")
    if field.format in ("binary", "sbinary", "bitflags"):
        return "integer" if field.length <= 2 else "bigint", field.unit
    return "double" if field.format == "float" else "varchar", field.unit


def column(field: Field) -> Column:
    """The raw column of a field, under the vendor's name."""
    where = f"+{field.offset} ({field.length} bytes, {field.format}); {field.source}"
    return Column(field.name, *_stored(field), field.meaning, where, field.confidence, field.bits)


@cache
def layout_tables(layout: RecordLayout) -> dict[str, Table]:
    """The tables of one record type by section, with one row per section.

    `record` has header, triplets, product section and reassembly header: one row per piece.
    """
    common = (*COMMON, SAMPLES, *KEYS) if layout.family == "rmf" else (*COMMON, *KEYS)

    def table(name: str, what: str, columns: Iterable[Column], sort: tuple[str, ...] = ()) -> Table:
        title = f"{layout.title} (SMF {layout.kind}): {what} section"
        return Table(layout.table(name), title, (*common, *columns), ("system", *sort, "interval_start"))

    found = {
        "record": table("record", "header and product", map(column, layout.header + layout.product + layout.reassembly))
    }
    for section in layout.sections:
        parent = [PARENT] if section.within else []
        columns = [*parent, *map(column, section.fields)]
        found[section.name] = table(section.name, section.name.replace("_", " "), columns, section.sort)
    return found


@cache
def tables() -> tuple[Table, ...]:
    """All raw tables of the supported SMF records."""
    return tuple(t for layout in layouts().values() for t in layout_tables(layout).values())
