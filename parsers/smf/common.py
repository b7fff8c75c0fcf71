"""Leading columns of every section row, computed once per record: system, interval, UTC offset, samples."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.smf.layout import Fields
from iosq.parsers.smf.locate import Located
from iosq.parsers.smf.rows import Ints, Mask, Sections

_DAY_US = 86_400_000_000
_HOUR_US = 3_600_000_000
# zones change by multiples of half an hour; clocks that differ by less than a minute (leap seconds included) agree
HALF_HOUR_US = _HOUR_US // 2
CLOCK_US = 60_000_000
# SMF30 and 42.5: longest time between the end of an interval and its record
_LATEST_US = 600_000_000
# SMF42: S42JDGMO counts units of 1.048576 s (2**20 microseconds)
_GMO_US = 1_048_576

Numbers = tuple[NDArray[Any], Mask]
"""Values, and a mask of those that are absent."""


@dataclass(frozen=True, slots=True)
class Common:
    """Arrow arrays with one value per record, in column order, and remarks: masks of records by issue code."""

    columns: list[pa.Array]
    remarks: dict[str, Mask]

    @property
    def length_s(self) -> NDArray[np.float64]:
        """Lengths of the intervals, 0 if the record has none."""
        return np.asarray(self.columns[3].fill_null(0).to_numpy(zero_copy_only=False), np.float64)


def _common(
    located: Located, start_us: Ints, offset_us: Ints, zoneless: Mask, length_s: pa.Array, no_length: Mask,
    remarks: dict[str, Mask] | None = None,
) -> Common:  # fmt: skip
    """Build the columns; `start_us` is UTC, `zoneless` and `no_length` mark absent offsets and lengths."""
    return Common(
        [
            located.header.column(located.layout.header.ending("SID"), located.layout.header.named),
            pa.array(start_us).cast(pa.timestamp("us")),
            pa.array(np.where(zoneless, 0, np.rint(offset_us / 1e6)).astype(np.int32), mask=zoneless),
            pa.array(length_s, pa.float64(), mask=no_length),
        ],
        remarks or {},
    )


def _numbers(sections: Sections, fields: Fields, suffix: str) -> Numbers:
    """Values of the field whose name ends in `suffix`, and a mask of those that are absent."""
    column = sections.column(fields.ending(suffix), fields.named)
    if pa.types.is_date(column.type):
        column = column.view(pa.int32())
    if pa.types.is_timestamp(column.type):
        column = column.view(pa.int64())
    if not column.null_count:
        return column.to_numpy(), np.zeros(len(column), bool)
    absent = column.is_null().to_numpy(zero_copy_only=False)
    return column.fill_null(0).to_numpy(zero_copy_only=False), absent


def _zone(offset_us: Ints, absent: Mask) -> Numbers:
    """The offset, and a mask where it is absent or invalid: a zone is less than a day away from UTC."""
    absent = absent | (np.abs(offset_us) >= _DAY_US)
    return np.where(absent, 0, offset_us), absent


def zone_change(late_us: Ints) -> tuple[Ints, Mask]:
    """Zone change during an interval in microseconds, and whether its end contradicts the record in another way.

    The start is local time, the zone is that at the end. If clocks went back in between, start plus length is an hour
    after the true end; if they went forward, an hour before it. An interval cut short also ends before its projected
    end, by less than its length, which is an hour at most.
    `late_us` is the projected end in GMT (SMFnnGIE) minus start and length, in microseconds; 0 if unknown.
    """
    half_hours = np.rint(late_us / HALF_HOUR_US).astype(np.int64)
    near = np.abs(late_us - half_hours * HALF_HOUR_US) <= CLOCK_US
    moved = near & (half_hours != 1) & (np.abs(half_hours) <= 4)
    change = np.where(moved, half_hours * HALF_HOUR_US, 0)
    return change, ~moved & ((late_us < -CLOCK_US) | (late_us > _HOUR_US))


def _rmf(located: Located) -> Common:
    product, fields = located.product, located.layout.product
    (day, no_day), (clock, no_clock), (length, no_length), zone, (end, no_end) = (
        _numbers(product, fields, suffix) for suffix in ("DAT", "IST", "INT", "LGO", "GIE")
    )
    located.fail(no_day | no_clock | no_length, "bad_interval")
    offset, zoneless = _zone(*zone)
    start = day.astype(np.int64) * _DAY_US + clock.astype(np.int64) * 1_000_000 - offset
    late = np.where(no_end | zoneless | no_length, 0, end - start - np.rint(length * 1e6).astype(np.int64))
    change, differs = zone_change(late)
    remarks = {"no_utc_offset": zoneless, "zone_changed": change != 0, "end_differs": differs}
    remarks["no_length"] = ~no_length & (length == 0)
    common = _common(located, start + change, offset - change, zoneless, length, no_length, remarks)
    common.columns.append(product.column(fields.ending("SAM"), fields.named))
    return common


def _header_us(located: Located) -> Ints:
    (day, _), (hundredths, _) = (_numbers(located.header, located.layout.header, s) for s in ("DTE", "TME"))
    return np.asarray(day.astype(np.int64) * _DAY_US + hundredths * 10_000, np.int64)


def _first_of(located: Located, section: str, names: tuple[str, ...]) -> list[Numbers]:
    """Fields of the first section of a kind in each record: values, and a mask of the records without them."""
    sections = located.sections(section)
    fields = located.layout.section(section).fields
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
    start, end = _first_of(located, "product", ("SMF42PTS", "SMF42PTE"))
    if "job_header" not in located.places:
        return _between(located, start, end, _zone_at_end(located, *end))
    ((units, no_units),) = _first_of(located, "job_header", ("S42JDGMO",))
    return _between(located, start, end, _zone(units * _GMO_US, no_units))


def _smf30(located: Located) -> Common:
    start, end = _first_of(located, "identification", ("SMF30ISS", "SMF30IET"))
    return _between(located, start, end, _zone_at_end(located, *end))


def _between(located: Located, start: Numbers, end: Numbers, zone: Numbers) -> Common:
    """The columns for an interval with start and end; without them the record's local time is the start."""
    (first, no_start), (last, no_end), (offset, zoneless) = start, end, zone
    # whole seconds, like the offset, because its unit may be coarse
    local = _header_us(located) - np.rint(offset / 1e6).astype(np.int64) * 1_000_000
    no_length = no_start | no_end | (last <= first)
    length = np.where(no_length, 0, (last - first) / 1e6)
    return _common(located, np.where(no_start, local, first), offset, zoneless, length, no_length)


def _zone_at_end(located: Located, end: Ints, no_end: Mask) -> Numbers:
    """Derive the UTC offset from the record's local time: it is written when its interval ends."""
    local = _header_us(located)
    half_hours = (local - end + CLOCK_US) // HALF_HOUR_US
    late = local - end - half_hours * HALF_HOUR_US
    return _zone(half_hours * HALF_HOUR_US, no_end | (late > _LATEST_US))


def _smf94(located: Located) -> Common:
    # the record is written at the end of the hour it covers, in local time; it has no zone
    start = _header_us(located) - _HOUR_US
    zoneless, no_length = np.ones(len(start), bool), np.zeros(len(start), bool)
    return _common(located, start, start * 0, zoneless, np.full(len(start), 3600.0), no_length)


FAMILIES = {"rmf": _rmf, "smf30": _smf30, "smf42": _smf42, "smf94": _smf94}
