"""Two sites whose boxes have one subsystem id and volumes of the same serials: each has its own NVS delay, or none."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random

import pytest
from sql_lake import START, Lake, Row, all_rows, cache_device, found, one

from iosq.toolkit.advise.catalog import all_rules

SECONDS, INTERVALS = 900, 7
VOLUMES = ("2208", "2209", "220A")
SERIALS = {"A": "0000000AB121", "B": "0000000CD472"}
DOUBTS = {"several boxes", "more I/Os than counted"}
Load = tuple[int, float, int]  # I/Os, disconnect per I/O in ms, delayed writes


def measured(lake: Lake, site: str, place: int, loads: Sequence[Load], *, serial: bool, prefix: str = "VOL") -> None:
    """What the one system of a site, SYS and its letter, records of an interval: devices and cache."""
    common: Row = {"interval_start": START + timedelta(seconds=place * SECONDS), "system": f"SYS{site}"}
    counts = [{"DRCR": n - n // 3, "DCRH": n // 2, "DWRC": n // 3, "DFWB": late} for n, _, late in loads]
    named = [{"R745DVOL": prefix + volume[-3:]} for volume in VOLUMES]
    devices = [cache_device(v, **c) | name for v, c, name in zip(VOLUMES, counts, named, strict=True)]
    lake.cache(devices, common=common, control={"NEDSEQN": SERIALS[site]} if serial else {})
    record = lake.record()
    lake.control(record=record, **common)
    for volume, (ios, disc_ms, _) in zip(VOLUMES, loads, strict=True):
        disc = {"SMF74SER": prefix + volume[-3:], "SMF74DIS": ios * disc_ms / 0.128}
        lake.device(volume, record=record, **common, SMF74SSC=ios, SMF74MEC=ios, **disc)


def delays(lake: Lake) -> list[Row]:
    return all_rows(lake.connect(), "SELECT * FROM nvs_delay ORDER BY interval_start")


def drawn(random: Random, **most: int) -> dict[str, list[list[Load]]]:
    """What each site does in each interval, with this many I/Os of a volume at most; writes wait in the last three."""
    return {
        site: [[_load(random, most[site], full=place > 3) for _ in VOLUMES] for place in range(INTERVALS)]
        for site in SERIALS
    }


def _load(random: Random, most: int, *, full: bool) -> Load:
    ios = random.randint(most // 2, most)
    return ios, random.uniform(0.1, 5), random.randint(1, ios // 3) if full else 0


def lake_of(sites: str, plan: dict[str, list[list[Load]]], **more: bool) -> Lake:
    lake = Lake()
    for site in sites:
        for place, loads in enumerate(plan[site]):
            measured(lake, site, place, loads, serial=more.get("serial", True), prefix="VOL" if more["same"] else site)
    return lake


@pytest.mark.parametrize("same", [True, False], ids=["serials of volumes the same", "others"])
@pytest.mark.parametrize("other", [1_000, 50_000, 2_500_000])
def test_the_delay_is_one_site_s_own_or_unknown(other: int, same: bool) -> None:
    plan = drawn(Random(other), A=50_000, B=other)
    both, *alone = (delays(lake_of(sites, plan, same=same)) for sites in ("AB", "A", "B"))
    for place, given in enumerate(both):
        (found,) = (site[place] for site in alone if site[place]["system"] == given["system"])
        # sums depend on the order of adding
        own = {n: pytest.approx(v, rel=1e-12) if isinstance(v, float) else v for n, v in found.items()}
        names = [name for name in given if name.startswith(("delay_ms", "disc_"))]
        assert all(given[name] is None or given[name] == own[name] for name in names)
        assert (given["method"] in DOUBTS) == (same and given["nvs_delay_count"] > 0)
        if given["method"] in DOUBTS:
            assert {given[name] for name in names} == {None}
        elif not same:
            assert given == own


def test_what_a_miss_costs_is_of_the_box_that_was_there() -> None:
    """A box is replaced under its subsystem id: intervals of the old one without delays say nothing of the new one."""
    calm, full = [(3000, 1.0, 0)] * 3, [(3000, 2.0, 300)] * 3
    rows = []
    for site_of_old in ("A", "B"):
        lake = Lake()
        for place in range(8):
            measured(lake, site_of_old if place < 4 else "B", place, calm if place < 7 else full, serial=True)
        rows.append(delays(lake)[-1]["method"])
    assert rows == ["equal shares", "quiet intervals"]


def test_two_boxes_whose_serials_no_record_gives_are_known_by_their_i_os() -> None:
    """By hand: each of 9,000 I/Os, 900 of them delayed, disconnects for 2 ms at either site: 7.5 ms a delayed one."""
    plan = {site: [[(3000, 2.0, 300)] * 3] for site in SERIALS}
    alone, both = (lake_of(sites, plan, same=True, serial=False) for sites in ("A", "AB"))
    assert one(alone.connect(), "SELECT * FROM nvs_delay")["delay_ms_per_delayed_write"] == pytest.approx(7.5)
    given = one(both.connect(), "SELECT * FROM nvs_delay")
    assert (given["method"], given["coverage_ratio"]) == ("more I/Os than counted", pytest.approx(2))
    assert given["delay_ms_per_delayed_write"] is None


def test_a_box_among_them_one_subsystem_is_unknown_has_no_time() -> None:
    """A box's time is that of all its subsystems."""
    lake = lake_of("A", {site: [[(3000, 2.0, 300)] * 3] for site in SERIALS}, same=True)
    device = {"DRCR": 2000.0, "DCRH": 1500.0, "DWRC": 1000.0, "DFWB": 10.0}
    lake.cache([cache_device("3308", **device)], ssid="1900", control={"NEDSEQN": SERIALS["A"]})
    row = one(lake.connect(), "SELECT * FROM box_nvs_interval")
    assert (row["nvs_delay_count"], row["lost_s"], row["lost_high_s"], row["unknown_reason"]) == (
        910,
        None,
        None,
        "no device data",
    )


def test_an_id_in_two_boxes_at_once_is_named_by_neither() -> None:
    """Its rows may be of either; an id that one box alone has is that box's."""
    lake = lake_of("AB", {site: [[(3000, 2.0, 300)] * 3] for site in SERIALS}, same=True)
    lake.cache([cache_device("3308")], ssid="1900", control={"NEDSEQN": SERIALS["B"]})
    con = lake.connect()
    twice, alone = all_rows(con, "SELECT * FROM box_subsystem ORDER BY boxes NULLS LAST")
    assert (twice["box"], twice["serial"], twice["boxes"]) == (twice["subsystem"], None, "AB121|CD472")
    assert (alone["subsystem"], alone["box"], alone["boxes"]) == ("1900", "CD472", None)
    (finding,) = found(con, "nvs_delay")
    words = f"{finding.subject} {finding.whole_text} {finding.sql}"
    assert "AB121" not in words and "CD472" not in words
    assert "WHERE serial" not in finding.sql, "the rows have a serial number"


def test_advice_says_why_the_delay_is_not_reported() -> None:
    lake = lake_of("AB", {site: [[(3000, 2.0, 300)] * 3] for site in SERIALS}, same=True)
    for finding in found(lake.connect(), *(r.code for r in all_rules() if r.code.startswith("nvs_"))):
        assert finding.effect is None
        assert "in several boxes" in finding.whole_text or finding.code != "nvs_delay"
        assert {n.value for n in finding.numbers if n.name.startswith("delay per write")} == {None}
