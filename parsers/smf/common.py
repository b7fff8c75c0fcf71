"""Columns that every section row begins with, worked out once per record: system, interval, UTC offset, samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.smf.layout import Field
from iosq.parsers.smf.locate import Located, by_name
from iosq.parsers.smf.rows import Ints, Mask

_DAY_US = 86_400_000_000
_HOUR_US = 3_600_000_000
# SMF42: S42JDGMO counts units of 1.048576 s (2**20 microseconds)
_GMO_S = 1.048576


@dataclass(frozen=True, slots=True)
class Common:
    """Per record: system (Arrow strings), start in microseconds UTC, offset and length in seconds, samples.

    Masks are true where a value is absent.
    """

    system: Any
    start_us: Ints
    offset_s: NDArray[np.float64]
    offset_absent: Mask
    interval_s: NDArray[np.float64]
    interval_absent: Mask
    samples: Ints | None


def _numbers(sections: Any, fields: dict[str, Field], name: str) -> tuple[NDArray[Any], Mask]:
    column = sections.column(fields[name], fields)
    absent = column.is_null().to_numpy(zero_copy_only=False)
    if pa.types.is_date(column.type):
        column = column.cast(pa.int32())
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    return column.fill_null(0).to_numpy(zero_copy_only=False), absent


def _system(located: Located) -> Any:
    return located.header.column(located.layout.header_field("SID"), located.header_fields)


def _rmf(located: Located) -> Common:
    fields = by_name(located.layout.product)
    prefix = located.layout.product[0].name[:5]
    day, no_day = _numbers(located.product, fields, f"{prefix}DAT")
    clock, no_clock = _numbers(located.product, fields, f"{prefix}IST")
    length, no_length = _numbers(located.product, fields, f"{prefix}INT")
    located.fail(no_day | no_clock | no_length, "bad_interval")
    offset, no_offset = _numbers(located.product, fields, f"{prefix}LGO")
    samples, _ = _numbers(located.product, fields, f"{prefix}SAM")
    start = day.astype(np.int64) * _DAY_US + clock.astype(np.int64) * 1_000_000 - offset
    return Common(_system(located), start, np.rint(offset / 1e6), no_offset, length, no_length, samples)


def _header_us(located: Located) -> Ints:
    fields = located.header_fields
    day, _ = _numbers(located.header, fields, located.layout.header_field("DTE").name)
    hundredths, _ = _numbers(located.header, fields, located.layout.header_field("TME").name)
    return np.asarray(day.astype(np.int64) * _DAY_US + hundredths * 10_000, np.int64)


def _first_of(located: Located, section: str, names: tuple[str, ...]) -> list[tuple[NDArray[Any], Mask]]:
    """Fields of the first section of a kind in each record; absent where the record has none."""
    sections = located.sections(section)
    fields = by_name(located.layout.section(section).fields)
    records, rows = np.unique(sections.places.record, return_index=True)
    found = []
    for name in names:
        values, missing = _numbers(sections, fields, name)
        wide = np.zeros(len(located.start), values.dtype)
        absent = np.ones(len(located.start), bool)
        wide[records], absent[records] = values[rows], missing[rows]
        found.append((wide, absent))
    return found


def _smf42(located: Located) -> Common:
    (start, no_start), (end, no_end) = _first_of(located, "product", ("SMF42PTS", "SMF42PTE"))
    ((units, no_offset),) = _first_of(located, "job_header", ("S42JDGMO",))
    offset = units * _GMO_S
    local = _header_us(located) - np.rint(offset).astype(np.int64) * 1_000_000
    no_length = no_start | no_end | (end <= start)
    length = np.where(no_length, 0, (end - start) / 1e6)
    return Common(
        _system(located), np.where(no_start, local, start), np.rint(offset), no_offset, length, no_length, None
    )


def _smf94(located: Located) -> Common:
    # the record is written at the end of the hour it covers, in local time; nothing in it tells the zone
    start = _header_us(located) - _HOUR_US
    count = len(start)
    none, some = np.ones(count, bool), np.zeros(count, bool)
    return Common(_system(located), start, np.zeros(count), none, np.full(count, 3600.0), some, None)


FAMILIES = {"rmf": _rmf, "smf42": _smf42, "smf94": _smf94}
