"""A law: what is found in a window is found without it, whatever else the lake holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from advise_rows import database, pool, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.verdicts import verdicts

Rows = list[dict[str, Any]]
# rules about a wait; those that say that something never happened may be proved wrong by a longer span
WAITS = [r for r in all_rules() if r.code in ("pav_add_alias", "alias_pool_dry", "same_extent", "hyperpav_wait")]
# the other trouble is not the same run of bad intervals
APART = 4
TROUBLES = ("static", "dry", "extent", "untold")


def trouble(kind: str, first: int, length: int, wait: float) -> tuple[Rows, Rows]:
    """Volumes and LCUs in so many intervals of one trouble."""
    hours = range(first, first + length)
    pooled = kind != "static"
    lcu = {"static": "0010", "dry": "0011", "extent": "0012", "untold": "0013"}[kind]
    rows = [volume(n, kind[:4].upper(), wait=wait, is_hyperpav=pooled, exposures=1.0, lcu=lcu) for n in hours]
    told: dict[str, Any] = {"lcu": lcu, "queue_length": wait / 10, "wait_ms": wait}
    if kind == "dry":
        return rows, [pool(n, denied=1000.0, **told) for n in hours]
    return rows, [pool(n, alias_high_water=2, **told) for n in hours] if kind == "extent" else []


def quiet(hours: range, wait: float) -> tuple[Rows, Rows]:
    """The same volumes when nothing is wrong."""
    places = (("STAT", "0010"), ("DRY", "0011"), ("EXTE", "0012"), ("UNTO", "0013"))
    rows = [volume(n, v, rate=50.0, wait=wait, lcu=lcu, is_hyperpav=v != "STAT") for n in hours for v, lcu in places]
    return rows, [pool(n, lcu=lcu, alias_high_water=1) for n in hours for _, lcu in places[1:]]


def said(rows: Rows, pools: Rows) -> Iterator[tuple[str, str]]:
    """What is found in them: rule and subject."""
    extra = [{k: p[k] for k in ("interval_start", "lcu", "alias_denied_ratio", "alias_denied_count")} for p in pools]
    con = database(("pav_candidate",), volume_interval=rows, lcu_interval=pools, lcu_extra=extra)
    for rule in WAITS:
        yield from ((f.code, str(f.subject)) for f in apply(con, rule))


@pytest.mark.parametrize(
    ("kind", "other", "first", "length", "wait", "calm"),
    [("static", "dry", 2, 2, 40.0, 0.0), ("dry", "static", 4, 3, 60.0, 0.2)],
)
def test_a_finding_of_a_window_is_found_without_it(
    kind: str, other: str, first: int, length: int, wait: float, calm: float
) -> None:
    alone, alone_pools = trouble(kind, first, length, wait)
    inside = set(said(alone, alone_pools))
    assert inside, "the window has its trouble"
    end = first + length + APART
    more, more_pools = trouble(other, end, 2, 300.0)
    before, before_pools = quiet(range(first), calm)
    after, after_pools = quiet(range(end + 2, end + 8), calm)
    everything = set(said(alone + more + before + after, alone_pools + more_pools + before_pools + after_pools))
    assert inside <= everything


@pytest.mark.parametrize("intervals", [10, 60])
def test_one_bad_hour_is_not_averaged_away(intervals: int) -> None:
    hours = range(4, intervals)
    rows = [volume(n, wait=60.0 if n < 4 else 0.0, exposures=1.0) for n in [0, 1, 2, 3, *hours]]
    con = database(("pav_candidate",), volume_interval=rows)
    (f,) = apply(con, next(r for r in WAITS if r.code == "pav_add_alias"))
    assert "6.0 I/Os queued" in f.text and "09:00-10:00 on 2026-03-02" in f.text
    (row,) = verdicts(con, [])
    assert (row["verdict"], row["queue_length_peak"]) == ("add", pytest.approx(6.0))


def test_enough_never_stands_beside_a_queue() -> None:
    rows = [volume(0, "FAST", rate=20_000.0, wait=0.05, disc=0.0, conn=0.0, pend=0.3), volume(0, "SLOW", disc=900.0)]
    con = database(("pav_candidate",), volume_interval=[*rows, volume(0, "IDLE", wait=0.2, rate=1.0)])
    of = {r["names"][0]: r["verdict"] for r in verdicts(con, [])}
    assert of == {"FAST": "add", "SLOW": "enough", "IDLE": "enough"}


@pytest.mark.parametrize(("denied", "verdict"), [(0.0, "wont_help"), (100.0, "cant_tell")])
def test_an_lcu_with_a_queue_is_not_enough(denied: float, verdict: str) -> None:
    con = database(lcu_interval=[pool(0, denied=denied, queue_length=6.0)])
    (row,) = verdicts(con, [])
    assert (row["kind"], row["verdict"], row["queue_length_peak"]) == ("lcu", verdict, 6.0)
