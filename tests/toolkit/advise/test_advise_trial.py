"""Sites made up from the truth: what is planted is found and reported apart, and the figures say what came out."""

import datetime as dt
import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.grouped import grouped
from iosq.toolkit.advise.places import Places
from tests.judged import judged
from tests.scoring import trial
from tests.scoring.measured import tables
from tests.scoring.page import bounds, markdown
from tests.scoring.site import EXPOSURES, Site
from tests.scoring.tables import lake
from tests.scoring.trial import try_sites
from tests.scoring.troubles import KINDS, When, span

RULES = {r.code: r for r in all_rules()}


def found(kind: str, code: str, *without: str, seed: int = 3) -> list[Finding]:
    """What one rule finds on a site of a day with one trouble from 10:00 to 12:00."""
    site = Site(900, 96, np.random.default_rng(seed))
    next(k for k in KINDS if k.name == kind).plant(site, span(site, 10, 2, daily=False))
    with lake(tables(site, without), [RULES[code].sql]) as con:
        return apply(con, RULES[code])


def test_a_saturated_rank_names_its_volumes() -> None:
    (finding,) = found("rank_full", "rank_saturated")
    assert "(10:00-12:00 on 2026-03-02)" in finding.whole_text and "Volumes there: V0" in finding.whole_text
    assert finding.subject.kind == "rank" and finding.lost_s > 30
    (unknown,) = found("rank_full", "rank_saturated", "74.5")
    assert "collect type 74.5" in unknown.whole_text
    assert found("rank_full", "rank_saturated", "74.8") == found("random_reader", "rank_saturated") == []


def _slow_rank(site: Site, when: When) -> Finding:
    site.rank_ms[0, when] *= 9
    with lake(tables(site), [RULES["rank_saturated"].question.sql]) as con:
        (finding,) = apply(con, RULES["rank_saturated"])
    return finding


@pytest.mark.parametrize("seed", [1, 2])
def test_a_rank_that_is_slow_at_a_load_it_carries_daily_is_not_full(seed: int) -> None:
    """An hour of a rebuild, whatever its load; and the same slowness where twice as much is asked of it."""
    rng = np.random.default_rng(seed)
    site, begin = Site(900, 288, rng), float(rng.uniform(30, 40))
    site.rate[:, :4] = rng.uniform(100, 110, (2, 4, 288))
    when = span(site, begin, 1.5, daily=False)
    rebuilt = _slow_rank(site, when)
    assert (rebuilt.severity, "so it was not its load" in rebuilt.whole_text) == ("watch", True)
    assert "no volume need move" in rebuilt.advice and "new from" not in rebuilt.whole_text
    site.rank_ms[0, when] /= 9
    comer = int(rng.integers(2))
    site.rate[comer, :4, when] *= 3
    full = _slow_rank(site, when)
    assert (full.severity, "not its load" in full.whole_text) == ("act", False)
    assert f"Most of that is new from system SYS{'AB'[comer]} (" in full.whole_text
    site.rank_ms[0, when] /= 9
    site.rate[comer, :4, when] /= 3
    site.rate[:, 2, when] *= 6
    assert "Most of that is new on volume V00002 (" in _slow_rank(site, when).whole_text


def test_a_full_link_is_full_in_one_direction() -> None:
    (finding,) = found("link_full", "link_full")
    assert "What leaves the box fills it (FC 8 Gb/s)" in finding.details
    assert "the 3 other links" not in finding.advice and "1 other link of the box" in finding.advice


def _writes_wait(site: Site, when: When, code: str) -> list[Finding]:
    site.delayed_ratio[:8, when], site.delay_ms[:8, when] = 0.1, 20.0
    with lake(tables(site), [RULES[code].sql]) as con:
        return apply(con, RULES[code])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_level_reached_daily_without_delay_is_no_ceiling(seed: int) -> None:
    """Destage that was held back on one day of four is reported from a box that takes more than it destages."""
    rng = np.random.default_rng(seed)
    site, begin = Site(1800, 192, rng), float(rng.uniform(24, 60))
    daily, once = (span(site, begin % 24, 4, daily=d) for d in (True, False))
    site.destage_rate[:2, daily] = rng.uniform(400, 420, (2, int(daily.sum())))
    # as much is written on all days
    site.rate[:, :8, daily] = rng.uniform(190, 210, (2, 8, int(daily.sum())))
    (held,) = _writes_wait(site, once, "nvs_delay")
    assert "none waited" in held.whole_text and "Buy nothing for it" in held.advice
    (full,) = _writes_wait(site, daily, "nvs_delay")
    assert "The box can't destage what is written" in full.whole_text


def test_a_mirror_is_named_only_where_misses_and_nvs_leave_room_for_it() -> None:
    (finding,) = found("mirror", "remote_copy_wait")
    assert "wait for the second box (10:00-12:00 on 2026-03-02)" in finding.whole_text and finding.severity == "watch"
    assert finding.confidence == "low" and "Ingest type 74.8" in finding.advice, "no link is timed"
    assert "Neither aliases nor cache nor NVS" in finding.advice
    for kind in ("random_reader", "small_cache", "nvs_full"):
        assert found(kind, "remote_copy_wait") == []
    assert found("mirror", "remote_copy_wait", "74.5") == []


@pytest.mark.parametrize("others_ms", [0.5, 5.0])
def test_a_mirror_that_is_slow_for_one_volume_is_not_far_away(others_ms: float) -> None:
    """All day; the way to the second box is the same for all volumes of the box."""
    site = Site(900, 96, np.random.default_rng(3))
    site.is_mirrored[:8], site.late_ms[:8], site.late_ms[1] = True, others_ms, 8.0
    site.rate[:, :8] = 100
    with lake(tables(site), [RULES["remote_copy_wait"].sql]) as con:
        (finding,) = apply(con, RULES["remote_copy_wait"])
    assert ("It is not the distance" in finding.advice) == (others_ms < 1)


@pytest.mark.parametrize(("begin", "severity"), [(0, "note"), (6, "watch")])
def test_a_mirror_as_far_away_as_ever_is_a_note(begin: int, severity: str) -> None:
    site = Site(900, 96, np.random.default_rng(4))
    site.is_mirrored[:8], site.rate[:, :8] = True, 100
    site.late_ms[:8, span(site, begin, 24, daily=False)] = 4.0
    with lake(tables(site), [RULES["remote_copy_wait"].sql]) as con:
        (finding,) = apply(con, RULES["remote_copy_wait"])
    assert finding.severity == severity


def test_disconnect_that_rises_is_reported_where_no_cache_record_says_why() -> None:
    reported = found("mirror", "disc_unexplained", "74.5")
    assert reported and found("mirror", "disc_unexplained") == [], "other rules speak where 74.5 covers it"
    for f in reported:
        assert "(10:00-12:00 on 2026-03-02)" in f.whole_text and "its cause is unknown" in f.whole_text
        assert (f.severity, f.confidence) == ("watch", "medium") and "Ingest type 74.5" in f.advice and f.lost_s > 0
    assert found("few_exposures", "disc_unexplained", "74.5") == []


@pytest.mark.parametrize(("send_ms", "confidence"), [(9.0, "medium"), (2.0, "medium"), (0.2, None)])
def test_the_links_have_to_be_as_slow_as_the_writes(send_ms: float, confidence: str | None) -> None:
    rule, at = RULES["remote_copy_wait"], dt.datetime(2026, 3, 2)
    row = {"box": "75AB1", "serial": "75AB1", "control_unit_type": "002107-961", "volumes": "V00000|V00001"}
    row |= {"io_rate": 90.0, "write_ratio": 0.4, "wait_ms": 1.0, "high_ms": 1.2, "disc_ms": 1.3, "response_ms": 1.9}
    row |= {
        "read_hit_ratio": 0.98,
        "send_ms": send_ms,
        "send_links": 2,
        "links_before": 3,
        "well_before": 0,
        "others_ms": None,
        "lost": 900.0,
        "span_s": 86400.0,
        "deep_s": None,
    }
    row |= {"longest_s": 7200.0, "window_start": at, "window_end": at + dt.timedelta(hours=2), "runs": 1}
    stated = list(
        judged(rule, [row | {"bad_intervals": 8, "bad_days": 1, "first_start": at, "last_end": row["window_end"]}])
    )
    assert [f.confidence for f in stated] == ([confidence] if confidence else [])
    ends = [(f.effect.low, f.effect.value, f.effect.high) for f in stated if f.effect]
    assert ends == [pytest.approx((0.9, 1.4, 1.9))] * len(stated)
    assert all("1.00 of 1.90 ms per I/O (53 %)" in f.whole_text and "2.50 ms a write" in f.whole_text for f in stated)
    assert all("2 of 3 links send then. " in f.details for f in stated)


def _over_link(site: Site, since: When) -> dict[str, pa.Table]:
    """Rows of a site whose read hits go over zHyperLink, nine of ten: normal I/O is writes, misses and the rest."""
    gone = np.where(since, 0.9 * site.read_ratio * site.hit_ratio, 0.0)
    over = site.rate * gone
    hits = site.read_ratio * site.hit_ratio - gone
    site.rate, reads = site.rate - over, site.read_ratio - gone
    site.read_ratio, site.hit_ratio = reads / (1 - gone), hits / reads
    rows = tables(site)
    return rows | {"volume_interval": rows["volume_interval"].append_column("sync_read_rate", [over.reshape(-1)])}


@pytest.mark.parametrize("code", ["low_hit_ratio", "cache_too_small", "hit_ratio_drop"])
def test_hits_that_go_over_zhyperlink_are_not_missed(code: str) -> None:
    """A healthy site is no worse for it, and what was found before is found with it."""
    plans = {"": 0, "random_reader": 1, "small_cache": 2, "fewer_hits": 3}
    for kind, seed in plans.items():
        reported = []
        for begin in (999.0, 24 * 9.0):
            site = Site(3600, 12 * 24, np.random.default_rng(seed))
            site.miss_ms *= 3
            if kind:
                next(k for k in KINDS if k.name == kind).plant(site, span(site, 24 * 10.5, 4, daily=False))
            with lake(_over_link(site, span(site, begin, 999, daily=False)), [RULES[code].sql]) as con:
                reported.append({f.subject for f in apply(con, RULES[code])})
        assert reported[0] == reported[1] if kind else reported == [set(), set()]


def test_throttling_is_reported_without_queuing_records() -> None:
    (finding,) = found("throttled", "alias_throttled", "78.3")
    assert "Alias throttling holds back" in finding.whole_text and finding.covers
    assert found("throttled", "same_extent") == []


def test_figures_come_from_what_was_tried() -> None:
    total = try_sites(1)
    assert total.sites == 1 and f"Measured on {total.sites} made-up sites" in markdown(total, trial.Tally())
    assert total.found.total() <= total.called.total()


def test_kept_sites_are_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = tmp_path / "outcomes.jsonl"
    first = try_sites(2, keep=keep)
    assert len(keep.read_text("utf-8").splitlines()) == 2
    tried: list[int] = []
    monkeypatch.setattr(trial, "_tried", lambda seed: tried.append(seed) or trial.Outcome(seed, "1"))
    assert try_sites(2, keep=keep) == first and tried == []
    assert try_sites(3, keep=keep).sites == 3 and tried == [3]
    assert try_sites(1, 2, keep=keep).sites == 1, "kept ones that aren't asked for don't count"


@pytest.mark.parametrize("missing", ["", "74.5", "78.3", "73", "74.8"])
def test_requesters_that_wait_are_reported_from_random_arrivals(missing: str) -> None:
    (finding,) = found("requesters", "closed_load", missing)
    assert "A fixed number of requesters waits" in finding.text
    assert found("few_exposures", "closed_load", missing) == []


@pytest.mark.parametrize("other", ["few_exposures", "requesters", "many_static"])
@pytest.mark.parametrize("one", ["few_exposures", "requesters"])
def test_a_second_trouble_leaves_the_first_one_s_exposures(one: str, other: str) -> None:
    """Where both land on one LCU, too: a volume that is short of them stays so."""
    kinds = {k.name: k for k in KINDS}
    for seed in range(12):
        site = Site(900, 48, np.random.default_rng(seed))
        kinds[one].plant(site, span(site, 2, 3, daily=False))
        before = site.exposures[:, 0].copy()
        kinds[other].plant(site, span(site, 7, 3, daily=False))
        short = before < EXPOSURES
        assert short.sum() == 1 and (site.exposures[short] == before[short, None]).all()
        assert (site.exposures[~short] != EXPOSURES).any(), "the second trouble is there too"


def test_bounds_are_those_of_wilson() -> None:
    """Wilson's interval solves |share - p| = 1.96 sqrt(p (1 - p) / n)."""
    for right, count in ((9, 10), (50, 100), (990, 1000)):
        for p in bounds(right, count):
            assert abs(right / count - p) == pytest.approx(1.96 * math.sqrt(p * (1 - p) / count))
    assert bounds(0, 0) == (0.0, 1.0)
    assert bounds(20, 20)[1] == pytest.approx(1.0)


def test_ranks_of_a_box_that_are_slow_together_are_one_finding() -> None:
    """One cause: what they lost is added up, and each is named."""
    site = Site(900, 96, np.random.default_rng(1))
    site.rate[:], site.read_ratio[:], site.hit_ratio[:], site.destage_rate[:] = 100.0, 0.6, 0.9, 50.0
    site.rank_ms[:], site.rank_ms[:2, 40:48] = 4.0, 60.0
    apart = _ranks(tables(site))
    (both,) = grouped(apart, Places([]), {"overlap": 0.5})
    assert [f.subject.names[1:] for f in apart] in ([("0000",), ("0001",)], [("0001",), ("0000",)])
    assert both.subject.names[1:] == ("0000", "0001") and "; also rank 000" in both.text
    assert both.lost_s == pytest.approx(sum(f.lost_s for f in apart))


def _ranks(reported: dict[str, pa.Table]) -> list[Finding]:
    with lake(reported, [RULES["rank_saturated"].question.sql]) as con:
        return apply(con, RULES["rank_saturated"])


@pytest.mark.parametrize("after", ["as slow", "quick"])
def test_a_rank_as_slow_with_fewer_reads_goes_on(after: str) -> None:
    """Its reads fall to two per second at noon: too few for a beginning, not for an end."""
    site = Site(900, 96, np.random.default_rng(2))
    late, few = span(site, 10, 2, daily=False), span(site, 12, 4, daily=False)
    site.rank_ms[0, late | few if after == "as slow" else late] *= 9
    site.rate[:, :4] = np.where(few, 2, 100)
    with lake(tables(site), [RULES["rank_saturated"].question.sql]) as con:
        (finding,) = apply(con, RULES["rank_saturated"])
    assert f"10:00-{'16:00' if after == 'as slow' else '12:00'}" in finding.text


@pytest.mark.parametrize("more", [1.0, 3.0])
def test_a_mirror_that_is_slow_only_at_many_more_writes_is_no_link_that_fails(more: float) -> None:
    site = Site(900, 96, np.random.default_rng(5))
    then = span(site, 12, 3, daily=False)
    site.is_mirrored[:8], site.rate[:, :8], site.late_ms[:8] = True, 100, 0.3
    site.late_ms[:8, then] = 5.0
    site.rate[:, :8, then] *= more
    with lake(tables(site), [RULES["remote_copy_wait"].sql]) as con:
        (finding,) = apply(con, RULES["remote_copy_wait"])
    assert finding.advice.startswith("Limit or move what writes then. ") == (more > 1)
    assert ("with as many writes before" in finding.advice) == (more == 1)
