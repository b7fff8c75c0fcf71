"""Common parts of all records of a kind: header, product section, and the fixed fields of `fields.toml`."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache

import numpy as np

from iosq.parsers.smf.encode import RecordSpec, Split, encode_record
from iosq.parsers.smf.layout import Fields, layouts
from iosq.toolkit.rows import NewRow, Row, toml
from iosq.toolkit.sample.bulk import Bytes, sections
from iosq.toolkit.sample.counters import samples
from iosq.toolkit.sample.day import Day

Rows = Sequence[Row] | Bytes


@cache
def _fixed() -> dict[str, NewRow]:
    return toml(__package__, "fields.toml")


def stamp(prefix: str, local: datetime, sid: str) -> NewRow:
    """The first fields of every record: time of writing and system."""
    midnight = datetime.combine(local.date(), datetime.min.time())
    hundredths = (local - midnight) // timedelta(milliseconds=10)
    return {f"{prefix}TME": hundredths, f"{prefix}DTE": local.date(), f"{prefix}SID": sid}


class Frame:
    """Makes the records of one kind, such as `74.1`, that one system writes.

    Fields may be named without the prefix of their section.
    """

    def __init__(self, day: Day, system: int, kind: str) -> None:
        self._day, self._number, self._system = day, system, day.sysplex.systems[system]
        self._fixed = _fixed()[kind]
        self.layout = {f"{t}.{s}": layout for (t, s), layout in layouts().items()}[kind]

    def record(
        self,
        interval: int,
        parts: Mapping[str, Rows],
        lengths: Mapping[str, int] | None = None,
        split: Split | None = None,
    ) -> bytes:
        """The record of an interval; rows of a section as mappings, or as bytes from `many`."""
        given = {name: self._rows(name, rows) for name, rows in parts.items()}
        is_rmf = self.layout.family == "rmf"
        product = self._product(interval) if is_rmf else {}
        return encode_record(self.layout, RecordSpec(self._header(interval), product, given, lengths or {}, split))

    def many(self, section: str, columns: Row, shape: tuple[int, ...], length: int = 0) -> Bytes:
        """The bytes of many sections at once; see `bulk.sections`."""
        of = self.layout.section(section)
        return sections(of.fields, self._named(section, of.fields, columns), shape, length or of.fields.end)

    def _rows(self, section: str, rows: Rows) -> Rows:
        if isinstance(rows, np.ndarray):
            return rows
        fields = self.layout.section(section).fields
        return [self._named(section, fields, row) for row in rows]

    def _named(self, section: str, fields: Fields, row: Row) -> NewRow:
        """A row with the fixed fields of its section, and full field names."""
        fixed = dict(self._fixed.get(section, {}))
        prefix, names = fixed.pop("prefix", self._fixed["prefix"]), {*fields.named, "children"}
        whole = {n if n in names else f"{prefix}{n}": v for n, v in (fixed | {**row}).items()}
        if "children" in whole:
            whole["children"] = {child: self._rows(child, below) for child, below in whole["children"].items()}
        return whole

    def _header(self, interval: int) -> NewRow:
        layout, prefix = self.layout, f"SMF{self.layout.type}"
        own: NewRow = self._fixed.get("header", {})
        if layout.family == "rmf":
            own = {f"{prefix}SSI": "RMF", f"{prefix}TRN": (layout.header.end - 28) // 8}
        return stamp(prefix, self._day.written(interval), self._system.sid) | own

    def _product(self, interval: int) -> NewRow:
        plex, system = self._day.sysplex, self._system
        start, end = plex.start(interval), plex.utc(plex.start(interval + 1))
        fields = {
            "MFV": system.version,
            "PRD": "RMF",
            "IST": start.hour * 3600 + start.minute * 60 + start.second,
            "DAT": start.date(),
            "INT": float(plex.interval_s),
            "SAM": samples(self._day.state, self._number),
            "CYC": system.cycle_ms,
            "MVS": system.mvs,
            "IML": 3,
            "PTN": system.partition,
            "IET": end,
            "LGO": plex.utc_offset_s * 1_000_000,
            "OIL": plex.interval_s,
            "GIE": end,
            "XNM": plex.name,
            "SNM": system.sid,
        }
        return {f"SMF{self.layout.type}{name}": value for name, value in fields.items()}


def iodf(day: Day) -> NewRow:
    """The fields that name the I/O configuration."""
    of = day.sysplex.settings["iodf"]
    date = of["date"]
    return {"TNM": of["name"], "TSF": of["suffix"], "TDT": date[:6] + date[8:], "TTM": of["time"], "TDY": date}


def spread(total: int, count: int) -> list[int]:
    """`count` nearly equal integers whose sum is `total`."""
    return [total // count + (1 if i < total % count else 0) for i in range(count)]
