"""Before and after: planted changes are found, nothing else is, and what is unknown is named."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iosq.parsers.registry import tables
from iosq.toolkit.compare import Comparison, compare, judge, paired, predictions
from iosq.toolkit.compare.engine import _verdict
from iosq.toolkit.compare.paired import Sides, memory, neighbours, pair, sides
from iosq.toolkit.compare.series import statement
from iosq.toolkit.errors import RequestError
from iosq.toolkit.facts.build import facts
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake, places
from iosq.toolkit.sample import write
from iosq.toolkit.significance import false_discovery
from iosq.toolkit.sql.catalog import needed
from iosq.toolkit.sql.connect import OF_BOXES, connect
from iosq.toolkit.sql.filter import Filter, span

SLOTS = 96
DAY_CURVE = 20 + 80 * np.exp(-(((np.arange(SLOTS) - 42) / 12) ** 2))


def opened(lake: Lake, text: str = "") -> Any:
    return _connected(lake.path, text)


@cache
def _connected(path: Path, text: str) -> Any:
    lake = Lake(path)
    parts = {name: [str(p) for p in paths] for name, paths in lake.parts().items()}
    where = span(text) if text else None
    only = needed(statement())
    made = facts(Plan(lake, lake.listed()), {*OF_BOXES, *(v.name for v in only)})
    parts |= {name: places(pieces) for name, pieces in made.items()}
    return connect(tables().values(), parts, lake.about(), root=lake.path, only=only, where=where, commented=False)


def noisy(rng: np.random.Generator, size: Any, days: int, memory: float) -> Any:
    """Day curves with noise that grows with the level and remembers `memory` of the interval before."""
    noise = rng.normal(0, 0.15, (len(size), days, SLOTS))
    for i in range(1, SLOTS):
        noise[:, :, i] = memory * noise[:, :, i - 1] + np.sqrt(1 - memory**2) * noise[:, :, i]
    return size * DAY_CURVE * np.exp(noise)


def blocks(before: Any, after: Any, slots: int, weights: Any = None) -> Sides:
    rows = sides(before, after, weights)
    return paired.blocks(rows, memory(rows, slots))


def p_values(before: Any, after: Any) -> list[float]:
    days = (np.arange(before.shape[1]), np.arange(after.shape[1]) + 7 * before.shape[1])
    made = blocks(*pair(before, after, days), SLOTS)
    return [t.p_value if (t := paired.tested(made, row)) and t.testable else 1.0 for row in range(len(before))]


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return made(tmp_path_factory.mktemp("healthy"), "healthy")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return made(tmp_path_factory.mktemp("hot"), "hot_volume")


def made(folder: Path, name: str) -> Lake:
    lake = Lake(folder / "lake")
    ingest(lake, write(folder / "dumps", names=[name], intervals=range(30, 58))[:-1])
    return lake


@pytest.fixture(scope="module")
def found(healthy: Lake, planted: Lake) -> Comparison:
    return compare(opened(healthy), opened(planted))


def test_a_lake_compared_with_itself_shows_nothing(healthy: Lake) -> None:
    same = compare(opened(healthy), opened(healthy))
    assert len(same.changes) > 1000
    assert same.shown == ()
    assert same.only_before == same.only_after == ()


def test_the_planted_change_is_found_and_no_other_volume(found: Comparison) -> None:
    volumes = {c.subject for c in found.shown if c.kind == "volume"}
    assert volumes == {"DB2003"}
    assert {c.subject for c in found.shown if c.kind == "lcu"} <= {"0012"}
    service = next(c for c in found.shown if (c.subject, c.system, c.measure) == ("DB2003", "SYSA", "service_ms"))
    assert service.low is not None
    assert service.high is not None
    assert 0 < service.low < service.difference < service.high  # type: ignore[operator]
    assert {c.measure for c in found.shown if c.subject == "DB2003"} >= {"wait_ms", "response_ms"}


def test_a_wait_at_the_peak_is_not_drowned_in_quiet_hours(found: Comparison) -> None:
    wait = next(c for c in found.shown if (c.subject, c.system, c.measure) == ("DB2003", "SYSA", "wait_ms"))
    assert wait.part in ("busiest", "all")
    assert wait.after > 10 * wait.before  # type: ignore[operator]


@pytest.mark.parametrize(("memory", "days"), [(0.0, 1), (0.6, 1), (0.85, 1), (0.6, 5)])
def test_false_discoveries_are_rare_whatever_the_memory(memory: float, days: int) -> None:
    """120 volumes without any change, 40 times: a family with a false find must be about as rare as stated (5 %)."""
    rng = np.random.default_rng(11)
    families = 0
    for _ in range(40):
        size = rng.lognormal(0, 0.5, (120, 1, 1))
        before, after = (noisy(rng, size, days, memory) for _ in range(2))
        families += min(false_discovery(p_values(before, after))) <= 0.05
    assert families <= 6  # 2 expected; more than 6 has a probability of 0.3 % at 5 %


@pytest.mark.parametrize("memory", [0.0, 0.6])
def test_a_change_of_a_fifth_is_found_among_many(memory: float) -> None:
    rng = np.random.default_rng(5)
    size = rng.lognormal(0, 0.5, (120, 1, 1))
    before, after = (noisy(rng, size, 5, memory) for _ in range(2))
    after[:6] *= 1.2
    rates = false_discovery(p_values(before, after))
    assert sum(r <= 0.05 for r in rates[:6]) >= 5
    assert sum(r <= 0.05 for r in rates[6:]) <= 1


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    before, after = (noisy(rng, np.ones((600, 1, 1)), 1, 0.5) for _ in range(2))
    made = blocks(before[:, 0], after[:, 0] + 7.0, SLOTS)
    hit = [t.low <= 7.0 <= t.high for row in range(600) if (t := paired.tested(made, row)) and t.part == "all"]
    assert len(hit) > 300
    assert np.mean(hit) > 0.9


def test_means_per_io_are_weighted_by_ios(planted: Lake, found: Comparison) -> None:
    """The same numbers as in the report and in SQL, not means over intervals that differ in load."""
    rows = opened(planted).execute(
        "SELECT sum(io_rate * interval_s * response_ms) / sum(io_rate * interval_s), avg(response_ms), avg(io_rate) "
        "FROM volume_interval WHERE volume = 'DB2003' AND system = 'SYSA'"
    )
    weighted, plain, rate = rows.fetchone()
    after = {c.measure: c.mean_after for c in found.changes if (c.subject, c.system) == ("DB2003", "SYSA")}
    assert after["response_ms"] == pytest.approx(weighted, rel=1e-6)
    assert abs(plain / weighted - 1) > 0.01, "the two would not differ"
    assert after["io_rate"] == pytest.approx(rate, rel=1e-6)


def test_a_weighted_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    shape = 600, SLOTS
    ios = [DAY_CURVE * rng.lognormal(0, 0.3, shape) for _ in range(2)]
    times = [1 + ios[side] / 100 + rng.normal(0, 0.2, shape) for side in (0, 1)]
    made = blocks(times[0], times[1] + 0.5, SLOTS, (ios[0], ios[1]))
    hit = [t.low <= 0.5 <= t.high for row in range(600) if (t := paired.tested(made, row)) and t.part == "all"]
    assert len(hit) > 300
    assert 0.9 < np.mean(hit) < 0.99


def test_a_sure_change_is_relevant_or_too_small_to_matter() -> None:
    rng = np.random.default_rng(4)
    before = rng.normal(10, 0.01, (1, SLOTS))
    for factor, verdict in ((1.02, "changed too little to matter"), (1.2, "changed")):
        made = paired.tested(blocks(before, before * factor, SLOTS), 0)
        assert made is not None
        assert _verdict(made, "wait_ms", 0.001) == verdict
    # a thousandth of a millisecond more, and a fifth of what it was
    tiny = paired.tested(blocks(before / 1000, before * 1.2 / 1000, SLOTS), 0)
    assert tiny is not None
    assert _verdict(tiny, "wait_ms", 0.001) == "changed too little to matter"
    assert _verdict(tiny, "io_rate", 0.001) == "changed"


def test_memory_makes_blocks_longer() -> None:
    rng = np.random.default_rng(1)
    lengths = [
        blocks(*(noisy(rng, np.ones((100, 1, 1)), 1, m)[:, 0] for _ in range(2)), SLOTS).length for m in (0.0, 0.4, 0.8)
    ]
    assert lengths == sorted(lengths)
    assert lengths[0] == 1 < lengths[-1]
    assert neighbours(np.array([[1.0, -1.0] * 10])) < -0.9


def test_measurements_of_volumes_are_enough(tmp_path: Path) -> None:
    """A listing of z/VM knows no LCUs."""
    lake = Lake(tmp_path / "lake")
    ingest(lake, [Path(__file__).parents[2] / "golden/fcx/fcx108.txt"])
    found = compare(opened(lake), opened(lake))
    assert {c.verdict for c in found.changes} == {"too little data"}
    assert found.notes[0].startswith("1 day and 1 day, ")


@pytest.mark.parametrize(("count", "length"), [(5, 1), (6, 1), (11, 1), (12, 2), (23, 2), (24, 4), (400, 4)])
def test_a_block_is_as_long_as_six_of_it_fit(count: int, length: int) -> None:
    made = paired.blocks(sides(np.ones((1, count)), np.ones((1, count))), [(1, 0.4), (2, 0.2), (4, 0.1)])
    assert (made.length, made.correlation) == (length, {1: 0.4, 2: 0.2, 4: 0.1}[length])


def test_asking_for_one_volume_finds_no_less(healthy: Lake, planted: Lake) -> None:
    found = compare(opened(healthy), opened(planted), Filter(volumes=("DB2003",)))
    assert {c.subject for c in found.changes} == {"DB2003"}
    assert {c.measure for c in found.shown} >= {"wait_ms", "service_ms", "response_ms"}


def test_what_a_filter_cannot_narrow_is_left_out_with_a_word(healthy: Lake, planted: Lake) -> None:
    """A box serves all systems: its rows would show what the filter was to keep out."""
    found = compare(opened(healthy), opened(planted), Filter(systems=("SYSA",)))
    assert {c.kind for c in found.changes} == {"lcu", "volume"}
    assert "boxes are left out: --system can't narrow them" in found.notes
    assert "box" in {c.kind for c in compare(opened(healthy), opened(planted), Filter()).changes}


def test_spans_of_one_lake(planted: Lake) -> None:
    quiet, busy = "2025-11-18T08:00..T10:00", "2025-11-18T08:00..T10:30"
    found = compare(opened(planted, quiet), opened(planted, busy))
    assert found.shown == ()
    assert any("in one span only" in note for note in found.notes)
    with pytest.raises(RequestError, match="no time of day in common"):
        compare(opened(planted, quiet), opened(planted, "2025-11-18T12:00..T13:00"))
    with pytest.raises(RequestError, match="second span has no measurements"):
        compare(opened(planted), opened(planted, "2031-01-01"))


def test_too_short_a_span_says_so(healthy: Lake, planted: Lake) -> None:
    hour = "2025-11-18T10:00..T11:00"
    found = compare(opened(healthy, hour), opened(planted, hour))
    assert {c.verdict for c in found.changes} == {"too little data"}


def test_predicted_against_actual(found: Comparison, tmp_path: Path) -> None:
    actual = next(
        c.mean_after for c in found.changes if (c.subject, c.system, c.measure) == ("DB2003", "SYSA", "service_ms")
    )
    assert actual
    base = {"system": "SYSA", "volume": "DB2003", "measure": "service_ms", "made_from": "test"}
    entries = [
        {**base, "value": actual * 1.1, "low": actual * 0.9, "high": actual * 1.2},
        {**base, "value": actual * 3, "low": actual * 2, "high": actual * 4},
        {**base, "value": actual},
        {**base, "volume": "NOSUCH", "value": 1},
        {**base, "system": None, "value": 1},
    ]
    file = tmp_path / "predicted.json"
    file.write_text(json.dumps({"predictions": entries}))
    judged = judge(found, predictions(file))
    verdicts = [j.verdict for j in judged]
    assert verdicts == ["held", "missed", *["no interval predicted"], "not measured", *["no interval predicted"] * 2]
    assert judged[0].error_ratio == pytest.approx(0.1)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"predictions": 1}', '{"predictions": [1]}', '{"predictions": [{"volume": "A", "measure": "x"}]}',
     '{"predictions": [{"volume": "A", "measure": "wait_ms"}]}',
     '{"predictions": [{"volume": "A", "measure": "wait_ms", "value": 1, "low": "a"}]}'],
)  # fmt: skip
def test_a_bad_file_of_predictions_is_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "predicted.json"
    file.write_text(text)
    with pytest.raises(RequestError) as error:
        predictions(file)
    assert "predicted.json" in str(error.value)
    assert "\n" not in str(error.value)
