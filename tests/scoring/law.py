"""The law that more data hides nothing: what is found in a window of a lake is found in the whole lake too.

python -m tests.scoring.law --runs 200
"""

import argparse
import datetime as dt
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.finding import Finding
from tests.scoring.measured import tables
from tests.scoring.site import BEGIN, OFFSET_S, Site
from tests.scoring.tables import lake
from tests.scoring.troubles import KINDS, Kind, span

# these say that something never happened, or what a box can do at most: a longer span may prove them wrong
REVISED = frozenset({"idle_volume", "pool_too_large", "pav_too_many", "time_breakdown", "box_saturated"})
# a longer past may show what made a box hit less, and then says that in place of these
SYMPTOMS = ("low_hit_ratio", "cache_too_small")
LASTING = tuple(kind for kind in KINDS if not kind.always)
Stated = frozenset[tuple[str, str, str]]


@dataclass(frozen=True)
class Example:
    """A trouble at some hour, another elsewhere in time, and a window around the first, `pad` intervals wider."""

    kind: str
    other: str
    days: int
    begin_h: float
    hours: float
    pad: int
    seed: int

    @property
    def interval_s(self) -> int:
        """Longer lakes have longer intervals."""
        return 900 if self.days <= 3 else 1800 if self.days <= 10 else 3600


def random_example(rng: np.random.Generator) -> Example:
    """Any two troubles, any length from a day to a month, any hour."""
    kind, other = (LASTING[int(n)] for n in rng.integers(len(LASTING), size=2))
    days = int(rng.integers(max(1, int(kind.least_days) + 1), 31))
    begin = float(rng.uniform(24 * min(kind.least_days, days - 1), 24 * days - 3))
    chosen = kind.name, other.name, days, begin, float(rng.uniform(2, 6)), int(rng.integers(0, 12))
    return Example(*chosen, int(rng.integers(2**31)))


def stated(example: Example) -> tuple[Stated, Stated]:
    """What is found in the window and in the whole: rule, kind of subject and its names.

    Only rules that the first trouble calls for are asked.
    """
    kind = _kind(example.kind)
    window, whole = _rows(example, kind)
    return _asked(window, kind.expects), _asked(whole, kind.expects)


def stated_by_all(example: Example) -> tuple[Stated, Stated]:
    """The same from all rules, with what they explain away left out."""
    window, whole = _rows(example, _kind(example.kind))
    return _run(window), _run(whole)


def lost(window: Stated, whole: Stated) -> Stated:
    """What the window says and the whole doesn't."""
    return window - whole


def _kind(name: str) -> Kind:
    return next(k for k in KINDS if k.name == name)


def _rows(example: Example, kind: Kind) -> tuple[dict[str, pa.Table], dict[str, pa.Table]]:
    rng = np.random.default_rng(example.seed)
    site = Site(example.interval_s, example.days * 86400 // example.interval_s, rng)
    when = span(site, example.begin_h, example.hours, daily=False)
    kind.plant(site, when)
    elsewhere = span(
        site, float(rng.uniform(0, 24 * example.days)), float(rng.uniform(1, 12)), daily=bool(rng.integers(2))
    )
    apart = np.convolve(when, np.ones(9), "same") < 0.5
    _kind(example.other).plant(site, elsewhere & apart)
    whole = tables(site)
    bad = np.flatnonzero(when)
    pad = max(example.pad, int(kind.by_contrast))
    # what is judged by its past needs it
    first = 0 if kind.least_days else max(0, int(bad[0]) - pad)
    last = min(site.intervals, int(bad[-1]) + 1 + pad)
    return {name: _between(table, first, last, site.interval_s) for name, table in whole.items()}, whole


def _between(table: pa.Table, first: int, last: int, interval_s: int) -> pa.Table:
    if "interval_start" not in table.column_names:
        return table
    begin = BEGIN - dt.timedelta(seconds=OFFSET_S)
    start = table["interval_start"]
    since, until = (begin + dt.timedelta(seconds=n * interval_s) for n in (first, last))
    return table.filter(pc.and_(pc.greater_equal(start, since), pc.less(start, until)))


def _asked(rows: dict[str, pa.Table], codes: Collection[str]) -> Stated:
    rules = [r for r in all_rules() if r.code in codes]
    with lake(rows, [r.sql for r in rules]) as con:
        return _named(f for rule in rules for f in apply(con, rule))


def _run(rows: dict[str, pa.Table]) -> Stated:
    with lake(rows, [r.sql for r in all_rules()]) as con:
        found = run(con)
    explained = {(code, s.kind, s.names[0]) for f in found for code, s in f.covers if code in SYMPTOMS and s.names}
    return _named(found) | explained


def _named(found: Iterator[Finding] | Sequence[Finding]) -> Stated:
    return frozenset(
        (f.code, s.kind, s.names[0])
        for f in found
        if f.code not in REVISED
        for s in (f.subject.each if f.subject.kind in ("volume", "volumes") else [f.subject])
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Look for counter-examples; 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.scoring.law", description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="examples to try")
    parser.add_argument("--seed", type=int, default=1, help="of the examples")
    parser.add_argument("--all-rules", action="store_true", help="ask all rules, and leave out what they explain away")
    chosen = parser.parse_args(arguments)
    silent = 0
    rng, broken, ask = np.random.default_rng(chosen.seed), 0, stated_by_all if chosen.all_rules else stated
    for _ in range(chosen.runs):
        example = random_example(rng)
        window, whole = ask(example)
        silent += not window
        if lost(window, whole):
            broken += 1
            sys.stdout.write(f"{example}: {sorted(lost(window, whole))}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{chosen.runs} examples, {broken} against the law, {silent} with nothing found in the window\n")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
