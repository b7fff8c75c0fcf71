"""Records next to a listing of the same time: they replace devices and times that they hold, and nothing else."""

import datetime as dt
import random
from typing import Any, NamedTuple

import duckdb
import pytest
from sql_lake import START, Lake, all_rows

from iosq.toolkit.advise.data_quality import notice, question
from iosq.toolkit.sql.catalog import named
from tests.settle import settled

OFFSET_S = 3600
PRINTED = {
    "online": True,
    "pend_ms": 0.1,
    "disc_ms": 0.2,
    "conn_ms": 0.3,
    "iosq_ms": 0.0,
    "resp_ms": 0.6,
    "lcu": "0012",
}


class Held(NamedTuple):
    """A time of a device that a listing or records hold: start and length in seconds, I/Os per second."""

    start: int
    length: int
    rate: int

    def shared(self, other: "Held") -> int:
        """Seconds that both hold."""
        return max(min(self.start + self.length, other.start + other.length) - max(self.start, other.start), 0)


def sums(listed: list[Held], recorded: list[Held]) -> tuple[int, int]:
    """Seconds and I/Os of a device that count: of each time the one that holds more of the listing's interval."""
    share = {p: 0.5 if p.length > 3600 else 0.98 for p in listed}
    kept = [p for p in listed if sum(p.shared(r) for r in recorded) <= share[p] * p.length]
    inside = [r for r in recorded if any(p.start <= r.start + r.length / 2 < p.start + p.length for p in kept)]
    counted = kept + [r for r in recorded if r not in inside]
    return sum(h.length for h in counted), sum(h.length * h.rate for h in counted)


def listing(lake: Lake, system: str, device: str, held: list[Held]) -> None:
    for line, h in enumerate(held, 1):
        start = START + dt.timedelta(seconds=h.start + OFFSET_S)
        at = {"system": system, "interval_start": start, "interval_s": float(h.length), "utc_offset_s": None}
        lake.add(
            "rmf_dasd_device", **at, line=line, device=device, volser="V" + device, activity_rate=h.rate, **PRINTED
        )


def records(lake: Lake, system: str, device: str, held: list[Held]) -> None:
    for h in held:
        at = {"system": system, "interval_start": START + dt.timedelta(seconds=h.start), "interval_s": float(h.length)}
        at |= {"utc_offset_s": OFFSET_S, "record_id": lake.record()}
        lake.add("smf74_1_record", **at)
        lake.add("smf74_1_device_control", **at, SMF74SUB="0020", SMF74ENF=0x20)
        lake.device(device[1:], record=at.pop("record_id"), SMF74SSC=h.length * h.rate, SMF74SER="V" + device, **at)


def run(rng: random.Random, lengths: tuple[int, ...]) -> list[Held]:
    """Intervals that follow one another within four hours, on the clock of their length."""
    length = rng.choice(lengths)
    first = rng.randrange(0, 14400 // length)
    count = rng.randint(1, 14400 // length - first)
    return [Held((first + n) * length, length, rng.randint(1, 99)) for n in range(count)]


def test_records_replace_only_the_devices_and_the_times_that_they_hold() -> None:
    rng, lake, expected = random.Random(5), Lake(), {}
    for n in range(40):
        system = f"S{n:03}"
        for device in ("02208", "02209", "0220A"):
            listed = run(rng, (900, 1800, 3600, 14400)) if rng.random() < 0.8 else []
            recorded = run(rng, (300, 900, 1800)) if listed and rng.random() < 0.6 else []
            # a listing prints one length: what is shorter would replace what is longer
            listed = [h for h in listed if h.length == listed[0].length] if device == "02208" or not listed else listed
            expected[system, device] = (listed, recorded)
        length = next((x[0].length for (s, _), (x, _) in expected.items() if s == system and x), 900)
        for device in ("02208", "02209", "0220A"):
            listed, recorded = expected[system, device]
            expected[system, device] = ([h for h in listed if h.length == length], recorded)
            listing(lake, system, device, expected[system, device][0])
            records(lake, system, device, recorded)
    sums_of = "sum(interval_s) AS s, sum(interval_s * io_rate) AS ios"
    sql = f"SELECT system, device, {sums_of} FROM device_interval GROUP BY system, device"
    found = {(r["system"], r["device"]): (r["s"], r["ios"]) for r in all_rows(lake.connect(), sql)}
    right = {key: sums(*held) for key, held in expected.items() if held[0] or held[1]}
    assert found == {key: pytest.approx(counted) for key, counted in right.items()}
    untouched = [key for key, (listed, recorded) in expected.items() if listed and not recorded]
    assert untouched and all(right[key][0] == sum(h.length for h in expected[key][0]) for key in untouched)


def ignored(con: duckdb.DuckDBPyConnection) -> str:
    with settled(con, [view.name for view in named(question("superseded_listings").sql)]):
        return notice(con, "superseded_listings")


HOUR = [Held(0, 3600, 200)]
CASES: list[tuple[list[Held], list[Held], list[tuple[str, float]], str]] = [
    # an hour is printed, a minute recorded: the hour counts
    (HOUR, [Held(0, 60, 7)], [("rmf.device", 200)], "Ignored: records of 1 device of SYSA (up to 60 s)"),
    # four quarters recorded hold it all, and nothing is reported
    (HOUR, [Held(900 * n, 900, n + 1) for n in range(4)], [("smf74.1", n + 1) for n in range(4)], ""),
    # three of four: the hour counts, or a quarter of it were missing
    (HOUR, [Held(900 * n, 900, n + 1) for n in range(3)], [("rmf.device", 200)],
     "Ignored: records of 1 device of SYSA (up to 45 min)"),
    # of eight hours five count in detail, and three are missing
    ([Held(0, 28800, 200)], [Held(3600 * n, 3600, n + 1) for n in range(5)], [("smf74.1", n + 1) for n in range(5)],
     "Up to 3 h of one are missing"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("listed", "recorded", "rows", "text"), CASES, ids=["a minute", "all of it", "three quarters", "five of eight"]
)
def test_of_one_device_what_holds_more_of_the_time_counts_and_the_loss_is_reported(
    listed: list[Held], recorded: list[Held], rows: list[tuple[str, float]], text: str
) -> None:
    lake = Lake()
    listing(lake, "SYSA", "02208", listed)
    listing(lake, "SYSA", "02209", [Held(0, 3600, 150)])
    records(lake, "SYSA", "02208", recorded)
    con = lake.connect()
    found = all_rows(con, "SELECT source, io_rate FROM device_interval WHERE device = '02208' ORDER BY interval_start")
    assert [(r["source"], r["io_rate"]) for r in found] == rows
    other = all_rows(con, "SELECT io_rate FROM device_interval WHERE device = '02209'")
    assert other == [{"io_rate": 150}]
    given = ignored(con)
    assert text in given and bool(text) == bool(given)


OVERLAPS: list[tuple[list[Held], str]] = [
    # a quarter of an hour within eight hours
    ([Held(2700, 900, 5), Held(0, 28800, 9)],
     "Ignored: listing intervals of 1 device of SYSA (up to 15 min), covered by a longer interval"),
    # twenty minutes of two hours, each beyond the other's middle
    ([Held(0, 3600, 5), Held(2400, 3600, 9)],
     "Intervals of 1 device of SYSA overlap by up to 20 min. It counts twice"),
]  # fmt: skip


@pytest.mark.parametrize(("listed", "text"), OVERLAPS, ids=["shorter intervals", "twice"])
def test_what_listings_next_to_one_another_lose_or_count_twice_is_reported(listed: list[Held], text: str) -> None:
    lake = Lake()
    listing(lake, "SYSA", "02208", listed)
    assert ignored(lake.connect()).startswith(text)


def test_what_z_vm_s_cache_listings_lose_is_reported_of_the_system_s_as_one() -> None:
    lake = Lake()
    for line, (start, length) in enumerate(((2700, 900), (0, 28800))):
        at = {"system": "VMA", "interval_start": START + dt.timedelta(seconds=start + OFFSET_S), "utc_offset_s": None}
        lake.add("fcx111", **at, interval_s=float(length), line=line, addr="A100")
    text = ignored(lake.connect())
    assert text.startswith("Ignored: listing intervals of 1 device in cache reports of VMA (up to 15 min)")


def sampled(lake: Lake, device: str, starts: list[int], **more: Any) -> None:
    """Samples of a z/VM device, each a minute after the one before; 60 I/Os between two."""
    for n, start in enumerate(starts):
        tod = START + dt.timedelta(seconds=start + 60)
        at = {"system": "VMA", "MRHDRTOD": tod, "file_id": "m" * 16}
        lake.add("mon_d1r4", **at, utc_offset_s=OFFSET_S)
        lake.add("mon_d6r3", **at, IODDEV_RDEVDEV=device, IODDEV_RDEVSID=int(device, 16), IODDEV_RDEVSER="VM" + device,
                 IODDEV_SCGSSCH=60 * n + 1, IODDEV_SCGCOUNT=60 * n + 1, record_offset=n, **more)  # fmt: skip


def test_a_base_and_its_alias_count_from_the_same_source() -> None:
    """The hour of the base is recorded, of its alias nothing: a volume never mixes the two."""
    lake = Lake()
    for line, (addr, kind, rate) in enumerate(
        (("A100", "3390-9", 10.0), ("A1F0", "->A100", 5.0), ("A101", "3390-9", 7.0))
    ):
        at = {"system": "VMA", "interval_start": START + dt.timedelta(seconds=OFFSET_S), "interval_s": 3600.0}
        lake.add("fcx108", **at, utc_offset_s=None, line=line, addr=addr, type=kind, label_id="VM" + addr, rate_io=rate,
                 time_pend=0.1, time_disc=0.2, time_conn=0.3, time_serv=0.6, time_resp=0.7)  # fmt: skip
    sampled(lake, "A100", [60 * n for n in range(-1, 60)])
    rows = all_rows(
        lake.connect(), "SELECT source, device, count(*) AS n FROM device_interval GROUP BY 1, 2 ORDER BY 1, 2"
    )
    assert [tuple(r.values()) for r in rows] == [("fcx108", "0A101", 1), ("mon.d6r3", "0A100", 60)]
