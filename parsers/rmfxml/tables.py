"""The raw tables of RMF XML: those of the reports, and a generic one for all other values."""

from iosq.parsers.api import Column, Table
from iosq.parsers.rmf import tables as rmf
from iosq.parsers.rmf.knowledge import COMMON

SOURCE = "z/OS RMF Programmer's Guide, XML grammar; real files of z/OS 2.4 and 2.5"

VALUES = Table(
    name="rmf_xml_value",
    title="RMF XML: one row per value of the reports (and cells) that have no table of their own",
    columns=(
        *COMMON,
        Column("report", "varchar", "", "metric id of the report: CPU, DEVICE, CPC, ...", SOURCE),
        Column("title", "varchar", "", "description of the report", SOURCE),
        Column("resource_type", "varchar", "", "what `system` is: SYSTEM, MVS_IMAGE, SYSPLEX, ...", SOURCE),
        Column("section", "varchar", "", "name of the segment", SOURCE),
        Column("part", "varchar", "", "name of the part; NULL where it has none", SOURCE),
        Column(
            "part_number", "integer", "", "position of the part in the report, from 1 (names may be missing)", SOURCE
        ),
        Column("kind", "varchar", "", "`cell` of a table, `variable`, `message` or `option`", SOURCE),
        Column("row_number", "integer", "", "the row's refno; NULL for variables", SOURCE),
        Column("row_type", "varchar", "", "SUM marks total rows", SOURCE),
        Column("row_label", "varchar", "", "text of the row's first cell", SOURCE),
        Column("column_number", "integer", "", "position of the column, from 1", SOURCE),
        Column("column_name", "varchar", "", "heading of the column, name of the variable, id of the message", SOURCE),
        Column("value", "varchar", "", "the value as written", SOURCE),
        Column("number", "double", "", "the value as a number where it is a plain one (no K/M/G suffix)", SOURCE),
    ),
    sort=("system", "report", "interval_start"),
    source=SOURCE,
)


def tables() -> tuple[Table, ...]:
    """The tables of the known reports, and the generic one."""
    return (*rmf.tables(), VALUES)
