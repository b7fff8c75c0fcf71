"""Header and product section of the RMF records of a system's interval, and units of counters."""

import datetime as dt
from functools import cache

from iosq.parsers.smf.layout import RecordLayout, layouts
from iosq.toolkit.rows import NewRow
from tests.situations_independent.shop import Moment, System

UNIT_MS, TRANSFER_BYTES, TRACK_BYTES = 0.128, 131072, 56664
IODF = {"TNM": "SYS1.IODF07", "TSF": "07", "TDT": "01/12/26", "TTM": "08.30.00", "TDY": "01/12/2026"}


@cache
def layout_of(kind: str) -> RecordLayout:
    """The layout of a record kind such as `74.1`."""
    return {f"{t}.{s}": layout for (t, s), layout in layouts().items()}[kind]


def written(m: Moment) -> dt.datetime:
    """RMF writes a moment after the end."""
    return m.start + dt.timedelta(seconds=m.seconds, milliseconds=250)


def stamp(prefix: str, local: dt.datetime, sid: str) -> NewRow:
    """When a record was written and by which system."""
    midnight = dt.datetime.combine(local.date(), dt.time())
    hundredths = (local - midnight) // dt.timedelta(milliseconds=10)
    return {f"{prefix}TME": hundredths, f"{prefix}DTE": local.date(), f"{prefix}SID": sid}


def header(layout: RecordLayout, m: Moment, system: System) -> NewRow:
    """Fields every RMF record begins with."""
    prefix = layout.product[0].name[:5]
    own = {f"{prefix}SSI": "RMF", f"{prefix}TRN": (layout.header.end - 28) // 8}
    return stamp(prefix, written(m), system.sid) | own


def product(layout: RecordLayout, m: Moment, system: System) -> NewRow:
    """The RMF product section."""
    end = m.start + dt.timedelta(seconds=m.seconds - system.ahead_s(m))
    fields = {
        "MFV": 310, "PRD": "RMF", "IST": m.start.hour * 3600 + m.start.minute * 60 + m.start.second,
        "DAT": m.start.date(), "INT": float(m.seconds), "SAM": samples(m, system), "CYC": system.cycle_ms,
        "MVS": "ZV030100", "IML": 3, "PTN": 1, "IET": end, "LGO": system.ahead_s(m) * 1_000_000,
        "OIL": system.interval_s, "GIE": end, "XNM": "PLEX1", "SNM": system.sid,
    }  # fmt: skip
    return {layout.product[0].name[:5] + name: value for name, value in fields.items()}


def samples(m: Moment, system: System) -> int:
    """RMF cycles in an interval."""
    return max(1, m.seconds * 1000 // system.cycle_ms)
