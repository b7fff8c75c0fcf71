"""Monitor records from `monitor-records.csv`, which defines decoder, tables and test encoder."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

from iosq.parsers.api import Column, Confidence, Table
from iosq.parsers.smf.layout import Field, Format
from iosq.parsers.smf.tables import column_type
from iosq.toolkit.rows import csv_rows, grouped

# decoded records: title, kind of rows (`sample` for running counters, `event`, `configuration`), key field
TAKEN = {
    "D1R4": ("system configuration", "configuration", ""),
    "D1R6": ("device configuration", "configuration", "MTRDEV_RDEVSID"),
    "D1R9": ("sample profile", "configuration", ""),
    "D1R20": ("HyperPAV pool definition", "configuration", "MTRHPP_HPPOOLNM"),
    "D3R11": ("paging and spooling of CP-owned volumes", "sample", "STOASS_RDEVSID"),
    "D6R1": ("device varied on", "event", "IODVON_RDEVSID"),
    "D6R3": ("device activity", "sample", "IODDEV_RDEVSID"),
    "D6R4": ("cache activity", "sample", "IODCAD_RDEVSID"),
    "D6R14": ("measurement off", "event", "IODMOF_RDEVSID"),
    "D6R20": ("state change", "event", "IODSTC_RDEVSID"),
    "D6R24": ("emulated (SCSI) device activity", "sample", "IODSZI_RDEVDEV"),
    "D6R28": ("HyperPAV pool activity", "sample", "IODHPP_HPPOOLNM"),
    "D6R29": ("HyperPAV pool created", "event", "IODHPC_HPPOOLNM"),
    "D6R30": ("LSS PAV mode change", "event", "IODLPT_CUIDSSID"),
    "D7R1": ("seek", "event", "SEKSEK_RDEVSID"),
}
HEADER = 20
END_OF_FRAME = (1, 13)
# formats of the CSV file as formats of SMF fields; others become hexadecimal digits
FORMATS: dict[str, Format] = {"uint": "binary", "sint": "sbinary", "bits": "bitflags", "char": "ebcdic", "tod": "tod"}
LONGEST_BITS = 4  # longest bit field in bytes that becomes a number

COMMON = (
    Column(
        "system", "varchar", "", "system id of the last D1R4 before it in the file (MTRSYS_SYSTMID)", "D1R4", "medium"
    ),
    Column("interval_start", "timestamp", "UTC", "time the record was built, as MRHDRTOD"),
    Column("utc_offset_s", "integer", "s", "local time minus UTC of that D1R4 (MTRSYS_SYSZONE)", "D1R4", "medium"),
    Column("record_offset", "bigint", "bytes", "offset of the record in the file"),
    Column("MRHDRTOD", "timestamp", "UTC", "time the record was built", "record header"),
    Column("MRHDRLEN", "integer", "bytes", "record length", "record header"),
)


@dataclass(frozen=True, eq=False)  # one object per record type: hashed by identity, which is fast
class Record:
    """One record type: name (domain and number), title, kind of rows (`nature`), key field and fields."""

    name: str
    title: str
    nature: str
    key: str
    fields: tuple[Field, ...]

    @property
    def number(self) -> tuple[int, int]:
        domain, record = self.name[1:].split("R")
        return int(domain), int(record)

    @cached_property
    def table(self) -> Table:
        own = (Column(f.name, column_type(f), f.unit, f.meaning, f.source, f.confidence) for f in self.fields)
        sort = ("system", self.key, "MRHDRTOD") if self.key else ("system", "MRHDRTOD")
        return Table(
            f"mon_{self.name.lower()}", f"CP monitor {self.name}: {self.title}", (*COMMON, *own), sort, self.name
        )


def _field(row: dict[str, str]) -> Field:
    length, kind = int(row["length"]), row["format"]
    return Field(
        row["name"].replace(".", "_"),
        int(row["offset_dec"]),
        length,
        "hex" if kind == "bits" and length > LONGEST_BITS else FORMATS.get(kind, "hex"),
        row["unit"],
        row["description"],
        row["source_url"],
        cast(Confidence, row["confidence"]),
    )


@cache
def records() -> dict[tuple[int, int], Record]:
    """Every record that is decoded, by domain and number."""
    # structures have no value; their parts have their own rows
    rows = [row for row in csv_rows(__package__, "monitor-records.csv") if row["format"] not in ("struct", "none")]
    fields = grouped(rows, lambda row: row["record"])
    made = (Record(name, *facts, tuple(map(_field, fields[name]))) for name, facts in TAKEN.items())
    return {r.number: r for r in made}
