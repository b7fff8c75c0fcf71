"""Listings with records and with one another, report by report: random hours against minutes counted one by one."""

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import pytest
from sql_lake import START, Lake, all_rows, cache_device

OFFSET_S = 3600
ALIAS = "A1F0"
# what a cache subsystem counts, as far as rows depend on it
COUNTED = [f"CALPSF_{way}_{kind}" for way in ("read", "write") for kind in ("normal", "seq", "cfw")]
COUNTED += ["CALPSF_inhibit_cache_load", "CALPSF_bypass_cache"]
Add = Callable[[Lake, str, dict[str, Any], int], None]


class Span(NamedTuple):
    """Minutes: where an interval starts, and how long it is."""

    start: int
    length: int

    @property
    def minutes(self) -> set[int]:
        return set(range(self.start, self.start + self.length))

    def around(self, other: "Span") -> bool:
        """Whether the middle of the other is within."""
        return self.start <= other.start + other.length / 2 < self.start + self.length


def union(spans: list[Span]) -> set[int]:
    return set().union(*(s.minutes for s in spans))


@dataclass(frozen=True)
class Reported:
    """What listings and records report of one subject."""

    listed: list[Span]
    recorded: list[Span]

    def finer(self, one: Span) -> list[Span]:
        return [s for s in self.listed if (s.length, s.start) < (one.length, one.start)]

    def held(self, one: Span) -> set[int]:
        """Minutes of an interval that others which go before it hold: all, where a longer one has its middle."""
        before = self.finer(one) + self.recorded
        if any(b.length >= one.length and b.around(one) for b in before):
            return one.minutes
        return one.minutes & union([b for b in before if b.length <= one.length and one.around(b)])

    def is_replaced(self, one: Span) -> bool:
        return len(self.held(one)) > (0.5 if one.length > 60 else 0.98) * one.length

    @cached_property
    def stand(self) -> list[Span]:
        return [s for s in self.listed if not self.is_replaced(s)]

    @cached_property
    def kept(self) -> list[Span]:
        return [s for s in self.stand if not any(c.around(s) and s in self.finer(c) for c in self.stand)]

    @cached_property
    def records(self) -> list[Span]:
        around = [k for k in self.stand if not any(r.length >= k.length and r.around(k) for r in self.recorded)]
        return [r for r in self.recorded if not any(k.around(r) for k in around)]

    @property
    def rows(self) -> set[tuple[bool, Span]]:
        return {(False, s) for s in self.kept} | {(True, s) for s in self.records}


def spans(rng: random.Random, lengths: tuple[int, ...], shift: int = 0) -> list[Span]:
    """Intervals of one length in 8 hours, most of those of a part of the time."""
    length = rng.choice(lengths)
    first, last = sorted(rng.sample(range(480 // length + 1), 2))
    return [Span(n * length + shift, length) for n in range(first, last) if rng.random() < 0.9]


def given(rng: random.Random) -> Reported:
    """Reports of up to three lengths, some not on the clock, and records of a part of the time."""
    listed = {s for _ in range(rng.randint(1, 3)) for s in spans(rng, (15, 30, 60, 480))}
    listed |= set(spans(rng, (60,), 25)) if rng.random() < 0.2 else set()
    return Reported(sorted(listed), spans(rng, (1, 5, 15, 30)) if rng.random() < 0.5 else [])


def device_listing(lake: Lake, name: str, at: dict[str, Any], line: int) -> None:
    lake.add("rmf_dasd_device", **at, system=name, line=line, device="2208", activity_rate=1.0)


def device_record(lake: Lake, name: str, at: dict[str, Any], number: int) -> None:
    lake.device("2208", record=number, system=name, **at)


def channel_listing(lake: Lake, name: str, at: dict[str, Any], line: int) -> None:
    lake.add("rmf_channel", **at, system=name, line=line, path="4A", total_busy_pct=50.0)


def channel_record(lake: Lake, name: str, at: dict[str, Any], number: int) -> None:
    lake.add("smf73_channel_data", **at, system=name, record_id=number, SMF73PID="4A")


def queue_listing(lake: Lake, name: str, at: dict[str, Any], line: int) -> None:
    row = {"scope": "LCU", "lcu": "0012", "taken_rate": 1.0}
    lake.add("rmf_ioq_lcu", **at, **row, system=name, line=line, path="*", hpav_wait_ratio=0.1)
    lake.add("rmf_ioq_lcu", **at, **row, system=name, line=line + 1000, path="4A")
    lake.add("rmf_ioq_iop", **at, system=name, line=line, iop="00", start_rate=1.0)


def queue_record(lake: Lake, name: str, at: dict[str, Any], number: int) -> None:
    common = {**at, "system": name, "record_id": number}
    lake.add("smf78_3_record", **common)
    lake.add("smf78_3_global", **common, R783GFLG=0)
    lake.add("smf78_3_data", **common, R783ID2="0012", R783QCT=1)
    lake.add("smf78_3_hyperpav", **common, R783HLCU="0012")
    lake.add("smf78_3_config_control", **common, R783ID1="0012")
    lake.add("smf78_3_config_data", **common, parent_index=1, R783CPID="4A", R783PT=900)
    lake.add("smf78_3_iop", **common, R783IQID="0000")


def cache_listing(lake: Lake, name: str, at: dict[str, Any], line: int) -> None:
    lake.add(
        "rmf_cache_device", **at, subsystem=name, line=line, list="OVERVIEW", device="2208", io_rate=1.0, read_pct=50.0
    )
    lake.add("rmf_cache_status", **at, subsystem=name, line=line)


def cache_record(lake: Lake, name: str, at: dict[str, Any], number: int) -> None:
    lake.cache(
        [cache_device("2208", DRCR=10)], ssid=name, cint=int(at["interval_s"]), common={**at, "record_id": number}
    )


def box_listing(lake: Lake, name: str, at: dict[str, Any], line: int) -> None:
    lake.add("rmf_ess_rank", **at, serial="0" + name, line=line, rank="0001", read_rate=1.0)


def box_record(lake: Lake, name: str, at: dict[str, Any], number: int) -> None:
    common = {**at, "record_id": number}
    good = {"R748CSC": 0, "R748CRTN": 0, "R748CIOC": 0}
    lake.add("smf74_8_record", **common)
    lake.add("smf74_8_control", **common, **good, R748CSER="00" + name, R748CINT=int(at["interval_s"]))
    lake.add("smf74_8_rank", **common, R748RRID=1, R748RROP=1)


def vm_device_listing(lake: Lake, name: str, at: dict[str, Any], line: int) -> None:
    """A base and an alias without records: what counts of the base decides for both."""
    report = "fcx168" if int(name, 16) % 2 else "fcx108"
    lake.add(report, **at, system=name, line=line, addr="A100", type="3390-9", rate_io=1.0)
    lake.add(report, **at, system=name, line=line + 1000, addr=ALIAS, type="->A100", rate_io=1.0)


def vm_samples(lake: Lake, table: str, at: dict[str, Any], fields: dict[str, Any]) -> None:
    """The samples that a monitor interval begins and ends with: a subchannel of its own has no others."""
    start, seconds = at["interval_start"], at["interval_s"]
    lake.add("mon_d1r4", system=fields["system"], MRHDRTOD=start, utc_offset_s=at["utc_offset_s"])
    for tod in (start, start + dt.timedelta(seconds=seconds)):
        lake.add(table, MRHDRTOD=tod, **fields)


def vm_device_record(lake: Lake, name: str, at: dict[str, Any], number: int) -> None:
    vm_samples(lake, "mon_d6r3", at, {"system": name, "IODDEV_RDEVDEV": "A100", "IODDEV_RDEVSID": number})


def vm_cache_listing(lake: Lake, name: str, at: dict[str, Any], line: int) -> None:
    lake.add("fcx111", **at, system=name, line=line, dir=name, addr="A100", io_s=1.0, read=50.0)


def vm_cache_record(lake: Lake, name: str, at: dict[str, Any], number: int) -> None:
    lake.add("mon_d1r6", system=name, MTRDEV_RDEVSID=number, MTRDEV_RDEVDEV="A100", MRHDRTOD=START)
    counts = dict.fromkeys(COUNTED, 0) | {"CALPSF_ssid": name, "CALPSF_flags": 0}
    vm_samples(lake, "mon_d6r4", at, counts | {"system": name, "IODCAD_RDEVSID": number, "IODCAD_PSFLEN": 96})


REPORTS: dict[str, tuple[Add, Add, str, tuple[str, ...]]] = {
    "device": (device_listing, device_record, "system", ("device_interval",)),
    "channel": (channel_listing, channel_record, "system", ("channel_interval",)),
    "queue": (queue_listing, queue_record, "system", ("lcu_queue", "lcu_extra", "lcu_path_interval", "iop_interval")),
    "cache": (cache_listing, cache_record, "subsystem", ("cache_interval", "cache_subsystem_interval")),
    "box": (box_listing, box_record, "box", ("rank_interval",)),
    "vm device": (vm_device_listing, vm_device_record, "system", ("device_interval",)),
    "vm cache": (vm_cache_listing, vm_cache_record, "system", ("cache_interval",)),
}


def fill(lake: Lake, report: str, name: str, case: Reported) -> None:
    listing, record, _, _ = REPORTS[report]
    for line, span in enumerate(case.listed, 1):
        start = START + dt.timedelta(minutes=span.start)
        listing(lake, name, {"interval_start": start, "interval_s": 60.0 * span.length, "utc_offset_s": 0}, line)
    for span in case.recorded:
        start = START + dt.timedelta(minutes=span.start)
        at = {"interval_start": start, "interval_s": 60.0 * span.length, "utc_offset_s": OFFSET_S}
        record(lake, name, at, lake.record())


def span_of(row: dict[str, Any]) -> Span:
    return Span(round((row["interval_start"] - START).total_seconds() / 60), round(row["interval_s"] / 60))


def found(con: Any, view: str, owner: str) -> dict[str, set[tuple[bool, Span]]]:
    rows: dict[str, set[tuple[bool, Span]]] = {}
    sql = f"SELECT {owner} AS name, interval_start, interval_s, source FROM {view}"
    for row in all_rows(con, sql):
        rows.setdefault(row["name"], set()).add((not row["source"].startswith(("rmf", "fcx")), span_of(row)))
    return rows


@pytest.mark.parametrize("report", REPORTS)
def test_every_minute_counts_from_what_holds_more_of_the_interval(report: str) -> None:
    rng, lake = random.Random(report), Lake()
    _, _, owner, read = REPORTS[report]
    cases = {f"{0x1000 + n:04X}": given(rng) for n in range(40)}
    for name, case in cases.items():
        fill(lake, report, name, case)
    con = lake.connect()
    for view in read:
        assert found(con, view, owner) == {name: case.rows for name, case in cases.items() if case.rows}, view
    subjects = f"(report <> 'queue' OR subject <> owner) AND subject <> '0{ALIAS}'"
    sql = f"SELECT * FROM left_out WHERE is_listing AND {subjects}"
    out = {(r["owner"], span_of(r)): r["missing_s"] for r in all_rows(con, sql)}
    for name, case in cases.items():
        assert {s for n, s in out if n == name} == set(case.listed) - set(case.kept)
        for span in case.listed:
            missing = span.length - len(case.held(span)) if case.is_replaced(span) else 0
            assert out.get((name, span), 0) == 60 * missing, "what is missing is reported"


def one(listed: list[Span], recorded: list[Span]) -> set[tuple[bool, Span]]:
    return Reported(listed, recorded).rows


def test_the_oracle_by_hand() -> None:
    hour, shift = Span(0, 60), Span(0, 480)
    quarters = [Span(15 * n, 15) for n in range(32)]
    assert one([hour], [Span(0, 1)]) == {(False, hour)}, "a minute of records never erases an hour of listing"
    assert one([hour], quarters[:4]) == {(True, q) for q in quarters[:4]}, "records that hold all of it replace it"
    assert one([hour], quarters[:3]) == {(False, hour)}, "no quarter of an hour is lost for finer ones"
    assert one([shift], quarters[:17]) == {(True, q) for q in quarters[:17]}, "more than half of eight hours is enough"
    assert one([quarters[3], shift], []) == {(False, shift)}, "a quarter of an hour never erases eight hours"
    assert one([*quarters[:17], shift], []) == {(False, q) for q in quarters[:17]}, "more than half of it does"
