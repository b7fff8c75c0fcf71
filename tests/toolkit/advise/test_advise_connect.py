"""Connect that rises at the same rate: of most volumes of an LCU at once, and not because I/Os move more."""

from dataclasses import dataclass

import numpy as np
import pytest
from advise_rows import Row, applied, at, cached, channel, database, taken, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import run
from iosq.toolkit.show.records import ZVM
from tests.length import tried

RULES = {r.code: r for r in all_rules()}
Tables = dict[str, list[Row]]


@dataclass(frozen=True)
class Work:
    """Volumes of an LCU. `late` of them connect for `times` as long in some intervals, with `more` bytes per I/O."""

    volumes: int = 8
    late: int = 8
    times: float = 4.0
    more: float = 1.0
    faster: float = 1.0
    bad: tuple[int, ...] = tuple(range(16, 24))
    intervals: int = 24
    zhpf: float = 0.8
    seed: int = 0

    def tables(self, *, sized: bool = True) -> Tables:
        """Their rows, in an order of chance, with or without cache statistics."""
        rng = np.random.default_rng(self.seed)
        conn, rate, size = rng.uniform(0.2, 0.8), rng.uniform(20, 200, self.volumes), rng.uniform(4e3, 3e4)
        rows: list[Row] = []
        cache: list[Row] = []
        for n in range(self.intervals):
            for v in range(self.volumes):
                on = n in self.bad and v < self.late
                ios = rate[v] * rng.uniform(0.95, 1.05) * (self.faster if on else 1.0)
                ms = conn * rng.uniform(0.95, 1.05) * (self.times if on else 1.0)
                rows.append(volume(n, f"VOL{v:03}", rate=ios, conn=ms, device=f"010{v:02X}"))
                moved = {"read_bytes_rate": ios * size * (self.more if on else 1.0), "write_bytes_rate": 0.0}
                fast = {"zhpf_read_rate": ios * (self.zhpf if on else 0.8), "zhpf_write_rate": 0.0}
                cache.append(
                    cached(f"VOL{v:03}") | moved | fast | {"interval_start": at(n), "io_count": ios * 900}
                )  # fmt: skip
        same = [{"cache_platform": "z/OS", "cache_system": "SYSA", "cache_start": at(n)} for n in range(self.intervals)]
        with_cache = {
            "cache_interval": cache,
            "cache_alignment": [r | {"interval_start": r["cache_start"]} for r in same],
        }
        rng.shuffle(rows)  # type: ignore[arg-type]  # a list of rows
        return {"volume_interval": rows, "lcu_interval": lcu_of(rows)} | (with_cache if sized else {})


def lcu_of(rows: list[Row]) -> list[Row]:
    """Rows of `lcu_interval` of the volumes of LCU 0010."""
    starts = sorted({r["interval_start"] for r in rows})
    each = [[r for r in rows if r["interval_start"] == start] for start in starts]
    return [
        {"interval_start": s, "lcu": "0010", "io_rate": sum(r["io_rate"] for r in e)}
        for s, e in zip(starts, each, strict=True)
    ]


def found(tables: Tables) -> list[Finding]:
    return applied(RULES["connect_unexplained"], tables)


@pytest.mark.parametrize("seed", tried(range(2), range(6)))
@pytest.mark.parametrize("sized", [True, False])
def test_a_slower_way_is_found_whatever_the_work(seed: int, sized: bool) -> None:
    """A law: most volumes connect for 2.5 to 6 times as long at the same rate; an act only where bytes are known."""
    rng = np.random.default_rng(seed)
    volumes, start = int(rng.integers(5, 13)), int(rng.integers(6, 20))
    late = int(rng.integers(volumes // 2 + 2, volumes + 1))
    work = Work(volumes, late, rng.uniform(2.5, 6.0), bad=tuple(range(start, 24)), seed=seed)
    (f,) = found(work.tables(sized=sized))
    assert (f.severity, f.subject.kind, f.subject.names) == ("act" if sized else "watch", "lcu", ("0010",))
    assert f"{late} of {volumes} busy volumes" in f.details and f"It began at {9 + start // 4:02}:" in f.details
    assert ("isn't recorded" in f.details) != sized
    assert f.effect and f.effect.value < f.effect.now


@pytest.mark.parametrize("seed", tried(range(2), range(6)))
@pytest.mark.parametrize(
    "work",
    [
        {"times": 1.0},
        {"more": 4.0},
        {"late": 3},
        {"volumes": 3, "late": 3},
        {"faster": 4.0},
        {"times": 1.5},
        {"bad": tuple(range(24))},
    ],
    ids=["nothing", "more bytes", "few volumes", "a small LCU", "more I/Os", "little", "always"],
)
def test_what_is_no_slower_way_is_not_found(seed: int, work: dict[str, int]) -> None:
    """A law: larger I/Os, other rates, a part of the volumes and the scatter of one workload are no fault."""
    assert found(Work(seed=seed, **work).tables()) == []  # type: ignore[arg-type]  # each has its kind


@pytest.mark.parametrize("seed", tried(range(2), range(4)))
def test_a_single_interval_is_nothing_to_act_on(seed: int) -> None:
    """A law: as deep as it may be, and at the end too."""
    tables = Work(bad=(23,), times=40.0, seed=seed).tables()
    assert [f.severity for f in found(tables)] == ["act"], "deep enough"
    mine = [f for f in run(database(**tables, **full_channels(0.2))) if f.code == "connect_unexplained"]
    assert [f.severity for f in mine] == ["watch"]


def test_other_work_at_night_hides_no_fault_of_the_day() -> None:
    """Larger blocks at ten times the rate connect for longer as well: each interval is compared at its own rate."""
    tables = Work().tables()
    more = Work(bad=tuple(range(24)), faster=10.0, more=10.0, seed=0).tables()
    later = {
        name: [r | {"interval_start": r["interval_start"] + (at(40) - at(0))} for r in rows]
        for name, rows in more.items()
    }
    later["cache_alignment"] = [r | {"cache_start": r["interval_start"]} for r in later["cache_alignment"]]
    (alone,), (f,) = found(tables), found({name: rows + later[name] for name, rows in tables.items()})
    assert (f.severity, f.details) == (alone.severity, alone.details)
    assert f.lost_s == pytest.approx(alone.lost_s)


def test_volumes_without_lcu_are_compared_by_their_device_numbers() -> None:
    tables = Work().tables(sized=False)
    other = [
        r | {"volume": f"X{r['volume']}", "device": f"011{r['device'][3:]}"}
        for r in Work(times=1.0).tables()["volume_interval"]
    ]
    rows = [r | {"lcu": None, "platform": ZVM, "volser": None} for r in tables["volume_interval"] + other]
    (f,) = found({"volume_interval": rows})
    assert f.severity == "watch" and f.subject.names == tuple(f"VOL{n:03}" for n in range(8))
    assert "8 of 8 busy volumes with device numbers 1000 to 10FF" in f.details


def test_zhpf_that_is_lost_is_named() -> None:
    (f,) = found(Work(zhpf=0.0).tables())
    assert "0 % of the operations use zHPF, 80 % in those" in f.details and "no longer use zHPF" in f.advice


@pytest.mark.parametrize("sized", [True, False])
def test_zhpf_that_only_the_system_lost_is_named_by_its_channels(sized: bool) -> None:
    """The box counts the I/Os of all systems."""
    rates = [{"operation_rate": 900.0, "zhpf_operation_rate": 0.0 if n >= 16 else 720.0} for n in range(24)]
    ways = full_channels(0.2)
    ways["channel_interval"] = [r | rate for r, rate in zip(ways["channel_interval"], rates, strict=True)]
    (f,) = [f for f in run(database(**Work().tables(sized=sized), **ways)) if f.code == "connect_unexplained"]
    assert "0 % of the operations use zHPF, 80 % in those" in f.details and "no longer use zHPF" in f.advice


def full_channels(busy: float) -> Tables:
    """The way of LCU 0010, whose channel is that busy in the bad intervals."""
    return {
        "lcu_path_interval": [taken(n, "0010", "55", 200.0) for n in range(24)],
        "measured_interval": [{"interval_start": at(n)} for n in range(24)],
        "channel_interval": [channel(n, "55", busy if n >= 16 else 0.2) for n in range(24)],
    }


def test_full_channels_hold_it_as_their_consequence() -> None:
    tables = Work().tables(sized=False)
    (alone,) = [f for f in run(database(**tables, **full_channels(0.3))) if f.code == "connect_unexplained"]
    assert alone.severity == "watch"
    found_all = run(database(**tables, **full_channels(0.95)))
    (f,) = [f for f in found_all if f.code == "channel_busy"]
    assert f.severity == "act" and f.lost_s == pytest.approx(alone.lost_s)
    assert "That is why LCU 0010 on SYSA connects for longer: " in f.details
    assert not [f for f in found_all if f.code == "connect_unexplained"]


@pytest.mark.parametrize("late", [1, 3])
def test_a_few_volumes_that_lost_paths_need_no_others(late: int) -> None:
    tables = Work(late=late).tables(sized=False)
    assert applied(RULES["connect_unexplained"], tables) == []
    slow = {f"VOL{v:03}" for v in range(late)}
    bad = {at(n) for n in Work.bad}
    rows = [
        r | {"paths": 1 if r["volume"] in slow and r["interval_start"] in bad else 2} for r in tables["volume_interval"]
    ]
    (f,) = applied(RULES["connect_unexplained"], tables | {"volume_interval": rows})
    assert f.severity == "act"
    assert "lost paths" in f.text
