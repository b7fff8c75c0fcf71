"""The data basis of the page in one line, and what a section without rows lacks."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from iosq.parsers.listing import unread
from iosq.toolkit.advise import data_quality
from iosq.toolkit.advise.data_quality import warnings_about
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.measured import DAY_S
from iosq.toolkit.report import nothing
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.clock import spoken as ahead_of_utc
from iosq.toolkit.show.numbers import duration, listed, plural
from iosq.toolkit.show.records import ZVM
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.report.chart import Chart
    from iosq.toolkit.report.table import Table

# interval lengths that differ by this factor are reported separately; less is a clock artefact
UNLIKE = 1.25
# tolerated difference between unmeasured time and the length of missing intervals, as a ratio: clocks drift
APART = 0.02
# a system that starts later or ends earlier by more than this number of intervals covers only a part of the span
PARTED = 1.5
NAMED = 3  # systems or columns to name; of further ones only the number is given
# the page needs a row in at least one of these views
NEEDED = ("lcu_extra", "volume_interval", "cache_subsystem_interval", "lcu_interval", "paging_volume_interval")
LOST = "data_loss"
# nouns by severity, singular and plural
_ISSUES = {LOST: ("loss of data", "losses of data"), "info": ("note", "notes")}
SYSTEMS = load(__package__, "systems.sql")
LOSSES = f"SELECT * FROM lake_issues WHERE severity = '{LOST}'"
ISSUES = "SELECT severity, code, count, message FROM lake_issues"
# one value can make several columns of a row impossible; the row counts once
IMPOSSIBLE = "SELECT DISTINCT view_name, source, subject, platform, system, interval_start FROM impossible_value"
REPEATED = "SELECT file_id FROM listing_repeat"
NEVER = "z/VM has no such measurements"
WHOLE, PART = "The lake has no", "The part of the lake that is shown has no"
GATHERED = "They are listed under the system that gathered them."


def texts() -> list[str]:
    """The SQL that `line` runs."""
    return [SYSTEMS.sql, ISSUES, IMPOSSIBLE, REPEATED, *NEEDED, *data_quality.questions()]


def require(con: Connection, narrowed: str = "") -> None:
    """RequestError if the lake, filtered by `narrowed`, has no data to report; names its content and what to ingest.

    Rows of an unknown system do not count, as no rule reads them.
    """
    known = "WHERE system IS NOT NULL"
    if any(query(con, f"SELECT 1 AS found FROM {view} {known} LIMIT 1").num_rows for view in NEEDED):
        return
    if narrowed:
        raise RequestError(
            f"nothing to report on: no device or cache measurements of {narrowed}", remedy="leave a filter out"
        )
    raise nothing.refusal(con)


def line(con: Connection, narrowed: str = "", utc: bool = False) -> str:
    """Systems, span, missing intervals and issues in a sentence or two; `narrowed`, `utc` as of `heading`."""
    systems = ask(con, SYSTEMS).to_pylist()
    rows = query(con, ISSUES).to_pylist()
    issues = _counted(rows)
    beyond = f"{_left_out(query(con, IMPOSSIBLE).num_rows)}{_repeated(query(con, REPEATED).num_rows)}"
    met = f"{_issues(issues)}.{_unread(rows)}"
    basis = _basis(systems, narrowed, utc)
    return f"{basis}.{_coverage(systems)} {met}{beyond} {warnings_about(con)}".rstrip()


def _counted(issues: list[NewRow]) -> Counter[str]:
    return sum((Counter({row["severity"]: row["count"]}) for row in issues), Counter())


def _unread(issues: list[NewRow]) -> str:
    """Sentence on columns of listings and XML that are not read."""
    columns = sorted({row["message"] for row in issues if row["code"] in unread.CODES})
    if not columns:
        return ""
    more = f"; {len(columns) - NAMED:,} more" if len(columns) > NAMED else ""
    return f" Columns not read: {len(columns):,} ({'; '.join(columns[:NAMED])}{more}): their values are unknown below."


def _left_out(rows: int) -> str:
    """Sentence on rows that views leave out, in addition to input issues."""
    if not rows:
        return ""
    return f" {plural(rows, 'row')} with values that no machine measures: left out, see the view impossible_value."


def _repeated(intervals: int) -> str:
    """Sentence on intervals printed twice, because a listing has no time zone or was printed with other options."""
    if not intervals:
        return ""
    verb = "is" if intervals == 1 else "are"
    return (
        f" {plural(intervals, 'interval')} {verb} printed twice with different numbers (the hour that clocks pass "
        "twice, or two listings with other options): one of the two counts, the view listing_repeat names both."
    )


def heading(con: Connection, narrowed: str = "", utc: bool = False) -> str:
    """Systems, span, clock and data lost at ingest; `narrowed`: the filter, if any; `utc`: local time is UTC."""
    systems = ask(con, SYSTEMS).to_pylist()
    lost = _counted(query(con, ISSUES).to_pylist())[LOST]
    more = f' Data was lost at ingest ({plural(lost, "issue")} of the lake): iosq sql "{LOSSES}".' if lost else ""
    return f"{_basis(systems, narrowed, utc)}.{more}{_coverage(systems)}"


def _coverage(systems: list[NewRow]) -> str:
    return f"{_partly_measured(systems)}{_overlapping(systems)}"


def _partly_measured(systems: list[NewRow]) -> str:
    """Sentence on systems measured in only a part of the span, which is not a gap."""
    known = [r for r in systems if r.get("span_start") and r.get("span_end")]
    if not known:
        return ""
    first, last = min(r["span_start"] for r in known), max(r["span_end"] for r in known)
    slack = dt.timedelta(seconds=PARTED * min(max(r["interval_s"] or 0.0 for r in known), DAY_S))
    part = [r for r in known if r["span_start"] - first > slack or last - r["span_end"] > slack]
    if len(part) > NAMED:
        return f" {plural(len(part), 'system')} of them are measured for a part of that time only."
    return "".join(f" {r['system']} is measured {_between(r)} only." for r in part)


def _between(r: NewRow) -> str:
    span = spoken(r["local_start"], r["local_end"])
    return f"from {span}" if " to " in span else span


def _overlapping(systems: list[NewRow]) -> str:
    overlapping = [r for r in systems if r.get("overlap_s")]
    where = listed(
        f"{r['system']} by {duration(r['overlap_s'])} (first at {r['overlap_at']:%H:%M on %Y-%m-%d})"
        for r in overlapping
    )
    if not overlapping:
        return ""
    return (
        f" Intervals overlap on {where}: a clock was set back, or a system measured twice at once. Where a clock was "
        "set, hours since then may be off those of other systems on the same boxes."
    )


def _basis(systems: list[NewRow], narrowed: str, utc: bool) -> str:
    part = f"Filtered to {narrowed}. " if narrowed else ""
    return part + (_systems(systems, utc) if systems else "No device measurements: most rules have nothing to look at")


def _systems(rows: list[NewRow], utc: bool) -> str:
    names = listed(r["system"] for r in rows)
    start, end = min(r["local_start"] for r in rows), max(r["local_end"] for r in rows)
    volumes = plural(max(r["volumes"] for r in rows), "volume")
    many = f"up to {volumes} each" if len(rows) > 1 else volumes
    span = f"{spoken(start, end)} {_clock(rows, utc)}, intervals of {_lengths(rows)}, {_missing(rows)}"
    return f"{plural(len(rows), 'system')} ({names}), {many}, {span}"


def _lengths(rows: list[NewRow]) -> str:
    """Interval lengths, in words; several if systems or hours differ."""
    usual = [r["interval_s"] or 0.0 for r in rows]
    lengths = [max(usual)]
    others = {s for r in rows for s in (r["interval_s"], r.get("least_interval_s"), r.get("most_interval_s")) if s}
    for other in sorted(others):
        if all(max(other, s) >= UNLIKE * min(other, s) for s in lengths):
            lengths.append(other)
    return listed(map(duration, sorted(lengths)))


def _missing(rows: list[NewRow]) -> str:
    """Number of missing intervals, and the unmeasured time if it differs from their length."""
    # a damaged interval has no length; other systems are still reported
    missing = sum(r["missing_intervals"] or 0 for r in rows)
    each = [(r["missing_intervals"] or 0) * (r["interval_s"] or 0.0) for r in rows]
    whole = sum(each)
    lacking = [r["system"] for r in rows if r["missing_intervals"]]
    counted = f"{missing:,} missing{f' on {lacking[0]}' if len(lacking) == 1 < len(rows) else ''}"
    # rows of older lakes have the count only
    losses = [(r.get("unmeasured_s"), lost) for r, lost in zip(rows, each, strict=True)]
    unmeasured = sum(lost if s is None else s for s, lost in losses)
    if abs(unmeasured - whole) < max(60.0, APART * whole):
        return counted if missing else "none missing"
    counted = f"{counted}," if missing else "none missing, but"
    return f"{counted} {duration(unmeasured)} between them not measured"


def _clock(rows: list[NewRow], utc: bool) -> str:
    """The clock in use; local time with its UTC offsets, several if systems differ or the clock changed."""
    if utc:
        return "UTC"
    offsets = {r[name] for r in rows for name in ("least_offset_s", "most_offset_s")} - {None}
    return f"local time ({listed(map(ahead_of_utc, sorted(offsets)))})" if offsets else "local time"


def _issues(met: Mapping[str, int]) -> str:
    if not met:
        return "Input read without issues"
    counts = listed(plural(count, *_ISSUES.get(severity, (severity,))) for severity, count in sorted(met.items()))
    return f"Input read with {counts} (lake_issues has them)"


def only_zvm(con: Connection) -> bool:
    """True if all measurements that the page needs are from z/VM."""
    every = " UNION ".join(f"SELECT platform FROM {view}" for view in NEEDED)
    return {row["platform"] for row in query(con, every).to_pylist()} == {ZVM}


def absent(section: Chart | Table, *, zvm: bool, part: bool) -> str:
    """The sentence shown for a section without rows; empty if the section is left out.

    If only z/VM was measured, `zvm` replaces `missing`: empty where z/VM has no such data, None for the same. `part`:
    only a part of the lake is shown; the rest of it may have the records.
    """
    text = section.zvm if zvm and section.zvm is not None else section.missing
    if not part or WHOLE not in text:
        return text
    return f"{text.replace(WHOLE, PART)}{f' {GATHERED}' if 'cache statistics' in text else ''}"
