"""A cache that was emptied: the box stalls, hits fall at once and come back step by step. That is no small cache."""

from collections.abc import Sequence

import pytest
from advise_rows import Row, applied, at, box, cached, database, volume
from test_advise_pend import RULES

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.subject import Subject

COLD = (0.49, 0.56, 0.63, 0.70, 0.77, 0.84, 0.91)
VOLUMES = [f"VOL00{v}" for v in range(5)]


def found(
    falls: Sequence[float], *, stalled: Sequence[str] = ("0010", "0011"), well: int = 6, before: int = 6
) -> Finding:
    """Read hits of `falls` after some good intervals and before others; these LCUs stall in the first of them."""
    hits = [0.95] * before + [*falls] + [0.95] * well
    volumes = [
        volume(n, name, pend=0.2, conn=0.2, disc=0.1 if h > 0.9 else 2.0, subsystem="2010", read_ratio=0.8,
               read_hit_ratio=h)
        for n, h in enumerate(hits) for name in VOLUMES
    ]  # fmt: skip
    cache = [
        cached(name, hits=1000 * h, interval_start=at(n), device=name) for n, h in enumerate(hits) for name in VOLUMES
    ]
    way: list[Row] = [
        {"interval_start": at(n), "lcu": lcu, "io_rate": 250.0, "usual_rest_ms": 0.02,
         "rest_ms": 9.0 if n == before and lcu in stalled else 0.02}
        for n in range(len(hits)) for lcu in ("0010", "0011")
    ]  # fmt: skip
    boxes: list[Row] = [{"system": "SYSA", "lcu": lcu, "box": "AB121"} for lcu in ("0010", "0011")]
    rows = {"volume_interval": volumes, "cache_interval": cache, "way_interval": way, "lcu_box": boxes}
    (f,) = applied(RULES["cache_too_small"], rows | {"cache_subsystem_interval": [box("2010", "00000AB121")]})
    return f


@pytest.mark.parametrize("well", [1, 6, 20])
def test_a_restart_is_one_finding_about_it_and_asks_for_no_cache(well: int) -> None:
    f = found(COLD, well=well)
    assert f.severity == "watch" and "was cold: read hits fell from 95 % to 49 % at 10:30" in f.text
    assert f.advice.startswith("Ask the service of the box") and f.effect is None
    late = {s for rule, s in f.covers if rule == "pend_unexplained"}
    assert late == {Subject("lcu", (lcu,), ("SYSA",)) for lcu in ("0010", "0011")}


@pytest.mark.parametrize(
    ("falls", "stalled"),
    [
        (COLD, ["0010"]),  # a part of the box stalls
        (COLD, []),
        ([0.5] * 7, ["0010", "0011"]),  # back at once: what read past the cache ended
        ([0.9, 0.8, 0.7, 0.6, 0.7, 0.8, 0.9], ["0010", "0011"]),
        ([0.5, 0.6, 0.7, 0.5, 0.6, 0.7, 0.8], ["0010", "0011"]),  # it falls again
    ],
)
def test_fewer_hits_of_another_shape_are_no_restart(falls: list[float], stalled: list[str]) -> None:
    f = found(falls, stalled=stalled)
    assert "was cold" not in f.text and not any(rule == "pend_unexplained" for rule, _ in f.covers)


def test_it_has_to_come_back() -> None:
    assert "was cold" not in found(COLD[:4], well=0).text


@pytest.mark.parametrize("again", [False, True])
def test_volumes_without_an_lcu_stall_as_lcus_do(again: bool) -> None:
    """A slow path is a part of it, unless the same volumes start late at another time too."""
    hits = [0.95] * 6 + [*COLD] + [0.95] * 8
    own: Row = {"platform": "z/VM", "system": "VMSYS", "lcu": None}
    late = {(6, name) for name in VOLUMES} | {(17, name) for name in VOLUMES[:4] if again}
    volumes = [
        volume(n, name, rate=50.0, pend=9.0 if (n, name) in late else 0.2, conn=0.2, disc=0.1 if h > 0.9 else 2.0,
               subsystem="2010", read_ratio=0.8, read_hit_ratio=h, **own)
        for n, h in enumerate(hits) for name in VOLUMES
    ]  # fmt: skip
    cache = [
        cached(name, hits=1000 * h, interval_start=at(n), device=name, platform="z/VM", system="VMSYS")
        for n, h in enumerate(hits) for name in VOLUMES
    ]  # fmt: skip
    found = [f for f in run(database(volume_interval=volumes, cache_interval=cache)) if f.severity != "note"]
    assert sorted(f.code for f in found) == ["cache_too_small", "slow_path"][: 1 + again]
    (cold,) = (f for f in found if f.code == "cache_too_small")
    assert "Cache of subsystem 2010 was cold: read hits fell from 95 % to 49 % at 10:30" in cold.text
