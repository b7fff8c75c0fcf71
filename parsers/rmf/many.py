"""What many rows of a table come to, where the reader of single rows (`bodies`, `cache`) would give just these."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.listing.numbers import comma_hint
from iosq.parsers.rmf.bodies import AMG, DEVICE, HELD, LCU, PATH
from iosq.parsers.rmf.cache import list_of
from iosq.parsers.rmf.cells import MEASURED
from iosq.parsers.rmf.grid import Column, Grid, Mask
from iosq.parsers.rmf.knowledge import Section
from iosq.parsers.rmf.words import Words
from iosq.toolkit.rows import NewRow

STAR = re.compile(r"\*")
TOTAL = "rmf_dasd_total"
SUMMED = "lcu", "storage_group"


@dataclass(slots=True)
class Many:
    """Rows taken together.

    Attributes:
        good: those that may be; the others are read one by one.
        dropped: those of them that say nothing.
        values: columns in addition to those of the grid, or in their place.
        carried: columns whose last values hold for rows below.
        table: where they go, if not to that of their section.
    """

    good: Mask
    dropped: Mask
    values: NewRow
    carried: tuple[str, ...] = ()
    table: str = ""


Taker = Callable[[Grid, Section, Words, Mask], list[Many]]


def devices(grid: Grid, section: Section, title: Words, begins: Mask) -> list[Many]:  # noqa: ARG001
    """Devices with measurements, or with words in place of them; lines that sum them up."""
    measured, words = grid.any(MEASURED), _messages(grid)
    worded = words.is_valid().to_numpy(zero_copy_only=False)
    good = ~grid.odd & grid.fits("device", DEVICE) & np.where(measured, grid.plain, grid.plain | worded)
    online = pa.array(measured, pa.bool_(), mask=~measured & ~_offline(words))
    none = np.zeros_like(good)
    return [
        Many(good, none, {"online": online, "message": words}),
        Many(good := ~grid.odd & ~grid.has("device") & measured & _wordy(grid), none, _sums(grid, good), (), TOTAL),
    ]


def _messages(grid: Grid) -> pa.StringArray:
    """Words in place of numbers that need no further report."""
    texts: list[str | None] = [None] * grid.count
    for row, words in grid.strays.items():
        if not any(comma_hint(word) for word in words):
            texts[row] = " ".join(words)
    return pa.array(texts, pa.string())


def _offline(words: pa.StringArray) -> Mask:
    """Rows that say so."""
    found: Mask = pc.match_substring(words, "OFFLINE", ignore_case=True).fill_null(False).to_numpy(zero_copy_only=False)
    return found


def _wordy(grid: Grid) -> Mask:
    """Rows without a digit in the words that stand in place of numbers."""
    some = np.ones(grid.count, np.bool_)
    some[[row for row, words in grid.strays.items() if any(c.isdigit() for word in words for c in word)]] = False
    return some


def _sums(grid: Grid, good: Mask) -> NewRow:
    """What lines sum up, as `bodies.Dasd` has it: the LCU they name, else the storage group, else everything."""
    total: list[str | None] = [None] * grid.count
    named: list[str | None] = [None] * grid.count
    texts = [grid.texts[n].to_pylist() if n in grid.texts else total for n in ("device_type", "volser", *SUMMED)]
    for row in np.flatnonzero(good).tolist():
        kind, volser, lcu, group = (column[row] for column in texts)
        words = [*(kind or "").split(), *(volser or "").split(), *grid.strays.get(row, ())]
        of_lcu = "LCU" in words or (lcu is not None and group is not None)
        total[row], named[row] = ("LCU", lcu) if of_lcu else ("STORAGE GROUP", group) if group else ("ALL", None)
    nothing = pa.nulls(grid.count, pa.string())
    gone = dict.fromkeys(("device_type", "volser", *SUMMED), nothing)
    return {**gone, "total": pa.array(total, pa.string()), "id": pa.array(named, pa.string())}


def cached(grid: Grid, section: Section, title: Words, begins: Mask) -> list[Many]:  # noqa: ARG001
    """Rows of the cache report's tables."""
    good = grid.plain & grid.has(section.key) & grid.any(tuple(grid.numbers))
    for target in section.patterned:
        good &= ~grid.has(target.name) | grid.fits(target.name, target.pattern)
    lists = section.table.name == "rmf_cache_device"
    values = {"list": pa.array([list_of(title)] * grid.count, pa.string())} if lists else {}
    return [Many(good, np.zeros_like(good), values)]


def plain(grid: Grid, section: Section, title: Words, begins: Mask) -> list[Many]:  # noqa: ARG001
    """Rows that need nothing but their headings."""
    rule = section.rows
    others = tuple(name for name in (*grid.numbers, *grid.texts) if name not in rule.sums)
    some, fits = grid.any(tuple(grid.numbers)), grid.fits(rule.key, rule.pattern)
    sums = grid.plain & ~grid.has(rule.key) & ~grid.any(others)
    good, dropped = sums | (grid.plain & fits & some), sums & (not rule.keeps_sums)
    values: NewRow = {}
    if rule.text and grid.strays:
        words = _messages(grid)
        good |= ~grid.odd & fits & ~some & words.is_valid().to_numpy(zero_copy_only=False)
        values[rule.text] = pc.coalesce(words, grid.texts[rule.text]) if rule.text in grid.texts else words
    if not rule.carried:
        return [Many(good, dropped, values)]
    last = _last(grid.any(rule.carried))
    good &= dropped | (last >= _since(begins, good))
    values |= {n: _taken(grid, n, last) for n in rule.carried}
    return [Many(good, dropped, values, rule.carried)]


def queues(grid: Grid, section: Section, title: Words, begins: Mask) -> list[Many]:
    """Processors; paths of control units and groups, each from the row with its name to the one of all paths."""
    if section.table.name == "rmf_ioq_iop":
        return plain(grid, section, title, begins)
    scope = "AMG" if "ALIAS" in title else "LCU"
    group, unit = grid.fits("amg", AMG) | grid.fits("lcu", AMG), grid.fits("lcu", LCU)
    named = grid.any(("amg", "lcu"))
    good = grid.plain & grid.fits("path", PATH) & grid.has("taken_rate")
    if scope == "AMG":
        good &= ~named | (group & ~(grid.has("amg") & grid.has("lcu")))
        return _units(grid, good, begins, group, group, scope)
    good &= ~grid.has("amg") & (~named | group | unit)
    return _units(grid, good, begins, unit, group, scope)


def _units(grid: Grid, good: Mask, begins: Mask, first: Mask, group: Mask, scope: str) -> list[Many]:
    """Units that are whole: a `first` row, others, one with `*`; of those of LCUs at most one names the group."""
    total = grid.fits("path", STAR)
    starts = np.flatnonzero(first | begins | _behind(total))
    sizes = np.diff([*starts, grid.count])
    of_row = np.repeat(np.arange(len(starts)), sizes)
    totals, names, sound = (np.add.reduceat(m, starts, dtype=np.int64) for m in (total, group, good))
    whole = first[starts] & total[starts + sizes - 1] & (totals == 1) & (names <= 1) & (sound == sizes) & (sizes < HELD)
    good = whole[of_row]
    where = np.full(len(starts), -1)
    where[of_row[group]] = np.flatnonzero(group)
    amgs = _both(grid, where[of_row])
    values: NewRow = {"scope": pa.array([scope] * grid.count, pa.string()), "amg": amgs}
    values["lcu"] = pa.nulls(grid.count, pa.string()) if scope == "AMG" else _taken(grid, "lcu", starts[of_row])
    return [Many(good, np.zeros_like(good), values, ("lcu", "amg"))]


def _both(grid: Grid, where: NDArray[np.int64]) -> Column:
    """The name of a group, in whichever column it stands."""
    names = [_taken(grid, name, where) for name in ("amg", "lcu") if name in grid.texts]
    return pc.coalesce(*names) if names else pa.nulls(grid.count, pa.string())


def _taken(grid: Grid, name: str, where: NDArray[np.int64]) -> Column:
    """A column's values at other rows; none where a place is below 0."""
    if name in grid.numbers:
        return np.where(where < 0, np.nan, grid.numbers[name][where])
    if name not in grid.texts:
        return pa.nulls(grid.count, pa.string())
    return grid.texts[name].take(pa.array(where, pa.int64(), mask=where < 0))


def _behind(mask: Mask) -> Mask:
    """The rows behind those."""
    return np.concatenate([[False], mask[:-1]])


def _last(mask: Mask) -> NDArray[np.int64]:
    """For each row the last of those up to it, -1 if there is none."""
    last: NDArray[np.int64] = np.maximum.accumulate(np.where(mask, np.arange(len(mask)), -1))
    return last


def _since(begins: Mask, good: Mask) -> NDArray[np.int64]:
    """For each row the first from which on nothing is read singly."""
    return _last(begins | _behind(~good))


TAKERS: dict[str, Taker] = {"plain": plain, "devices": devices, "queues": queues, "cache": cached}
"""By the `layout` that report files name."""
