"""The newer rules on planted rows: what each needs to speak, and what it leaves alone."""

import datetime as dt
import math
from typing import Any

import numpy as np
import pytest
from advise_rows import applied, at, busy_path, cached, candidate, channel, path, pool, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.rules.pav_too_many import model as pav_too_many
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.subject import volume as volume_named
from tests.length import tried

RULES = {r.code: r for r in all_rules()}


def found(code: str, settings: dict[str, float] | None = None, **tables: Any) -> list[Finding]:
    return applied(RULES[code], tables, settings)


def held_by(other: float, busy: float, **more: Any) -> list[dict[str, Any]]:
    mine = [volume(n, pend=busy + 0.2, device_busy_ms=busy, **more) for n in range(4)]
    return mine + [volume(n, system="SYSB", reserved_ratio=other, device_busy_ms=0.0) for n in range(4)]


def test_a_reserve_names_its_holder_and_the_time_it_costs() -> None:
    (finding,) = found("reserve_contention", volume_interval=held_by(0.3, 4.0))
    assert "System SYSB has volume " in finding.text and "while SYSA needs it (09:00-10:00" in finding.text
    # 4 ms of 100 I/Os a second
    assert finding.lost_s == pytest.approx(0.4 * 3600)
    (unknown,) = found("reserve_contention", volume_interval=held_by(0.0, 4.0))
    assert "a system without records then" in unknown.details and unknown.confidence == "medium"


def test_half_an_io_a_second_that_waits_long_is_a_reserve_worth_a_word() -> None:
    """Half an I/O a second, each 5 s behind a reserve: 2.5 of them wait at all times."""
    (finding,) = found("reserve_contention", volume_interval=held_by(0.3, 5000.0, rate=0.5))
    assert finding.lost_s == pytest.approx(2.5 * 3600)
    assert found("reserve_contention", volume_interval=held_by(0.3, 500.0, rate=0.5)) == []


def test_a_short_device_busy_is_no_reserve_worth_a_word() -> None:
    assert found("reserve_contention", volume_interval=held_by(0.3, 0.4)) == []
    assert found("reserve_contention", volume_interval=held_by(0.3, 4.0, disc=30.0)) == []
    assert found("reserve_contention", volume_interval=held_by(0.3, 4.0)[:1]) == []


def test_a_slow_path_is_slow_against_itself_and_its_neighbours() -> None:
    (finding,) = found("slow_path", lcu_interval=path(1.1))
    assert "LCU 0011 is slow on SYSA" in finding.whole_text and "at its best 0.10 ms" in finding.whole_text
    assert finding.effect is not None and finding.effect.value == pytest.approx(1.0)
    assert found("slow_path", lcu_interval=path(0.35)) == []
    assert found("slow_path", lcu_interval=path(1.1), settings={"above_ms": 2.0}) == []


def test_a_path_that_is_always_slow_may_be_a_long_one() -> None:
    always = [{**r, "cmr_ms": 1.1 if r["lcu"] == "0011" else 0.1} for r in path(1.1)]
    (finding,) = found("slow_path", lcu_interval=always)
    assert "at all hours read" in finding.whole_text and finding.confidence == "low"
    # light takes 10 microseconds a kilometre there and back
    assert "100 km of fibre would take as long" in finding.advice


def test_the_port_behind_a_slow_path_is_named() -> None:
    ports = [
        {"interval_start": at(n), "director": "0040", "port": p, "kind": "control unit", "frame_pacing_ms": w}
        for n in range(10) for p, w in (("1B", 0.4 if n > 6 else 0.01), ("1C", 0.0))
    ]  # fmt: skip
    (finding,) = found("slow_path", lcu_interval=path(1.1), director_port_interval=ports)
    assert "Frames waited 0.40 ms for a buffer at port 1B of director 0040" in finding.whole_text
    assert "First check port 1B of director 0040" in finding.advice


def test_a_wait_on_the_way_is_not_one_for_exposures() -> None:
    rows = [volume(n, wait=20.0, pend=2.0, cmr_ms=1.9) for n in range(4)]
    (finding,) = found("pav_add_alias", volume_interval=rows, derived=("pav_candidate",))
    assert finding.aliases is not None and finding.aliases.verdict == "wont_help"
    assert "an I/O holds an alias are command response time (CMR)" in finding.advice
    (add,) = found("pav_add_alias", volume_interval=[r | {"cmr_ms": 0.1} for r in rows], derived=("pav_candidate",))
    assert add.aliases is not None and add.aliases.verdict == "add"
    pooled = [r | {"is_hyperpav": True} for r in rows]
    (unexplained,) = found("hyperpav_wait", volume_interval=pooled)
    assert unexplained.aliases is not None and unexplained.aliases.verdict == "wont_help"


def test_aliases_to_spare_are_counted_over_the_lcu() -> None:
    rows = [volume(n, f"VOL{v:03}", exposures=6.0) for n in range(30) for v in range(8)]
    quiet = {"lcu": "0010", "is_hyperpav": False, "exposures": 6.0, "wait_peak_ms": 0.0}
    table = [{"volume": f"VOL{v:03}", **quiet} for v in range(8)]
    (finding,) = found("pav_too_many", pav_candidate=table, volume_interval=rows)
    counts = {n.name: n.value for n in finding.numbers}
    # 0.15 I/Os in progress at one and a half times the load: M/M/1 would wait 0.18 ms, M/M/2 hardly
    assert (counts["aliases defined"], counts["aliases needed"], counts["aliases to spare"]) == (40, 8, 32)
    assert found("pav_too_many", pav_candidate=table[:3], volume_interval=rows) == []
    assert found("pav_too_many", pav_candidate=table, volume_interval=rows[:16]) == []


@pytest.mark.parametrize("exposures", [1.0, 5.0])
def test_aliases_of_volumes_without_io_are_to_spare(exposures: float) -> None:
    """Two of eight volumes work and need an alias each; those without aliases count as little as before."""
    rows = [
        volume(n, f"VOL{v:03}", rate=100.0 if v < 2 else 0.0, exposures=6.0 if v < 2 else exposures)
        for n in range(30) for v in range(8)
    ]  # fmt: skip
    quiet = {"lcu": "0010", "is_hyperpav": False, "exposures": 6.0, "wait_peak_ms": 0.0}
    every = found(
        "pav_too_many", pav_candidate=[{"volume": f"VOL{v:03}", **quiet} for v in range(2)], volume_interval=rows
    )
    counts = [[numbers(f)[f"aliases {what}"] for what in ("defined", "needed")] for f in every]
    assert counts == [[34, 2]] * (exposures > 1)


@pytest.mark.parametrize(("in_service", "service_ms"), [(0.02, 10.0), (1.0, 5.0), (2.0, 5.0), (8.0, 0.5)])
def test_aliases_needed_at_one_and_a_half_times_the_load_are_those_of_a_queue(
    in_service: float, service_ms: float
) -> None:
    """Erlang's C by hand: with one server fewer the wait is a tenth of a millisecond or more."""
    needed = pav_too_many.needed(in_service, service_ms, 1.5)
    load = 1.5 * in_service
    fewer, enough = (service_ms * erlang_c(load, c) / (c - load) for c in (needed, needed + 1))
    assert fewer >= 0.1 > enough


def erlang_c(load: float, servers: int) -> float:
    """The share of arrivals that wait."""
    busy = load**servers / math.factorial(servers) * servers / (servers - load)
    return busy / (sum(load**n / math.factorial(n) for n in range(servers)) + busy)


def numbers(finding: Finding) -> dict[str, Any]:
    return {n.name: n.value for n in finding.numbers}


@pytest.mark.parametrize(("days", "hurry"), [(29, True), (32, False)])
def test_aliases_go_at_leisure_before_a_month_s_end_was_read(days: int, hurry: bool) -> None:
    rows = [
        volume(0, f"VOL{v:03}", exposures=6.0, interval_s=86400.0) | {"interval_start": at(0) + dt.timedelta(days=d)}
        for d in range(days) for v in range(8)
    ]  # fmt: skip
    quiet = {"lcu": "0010", "is_hyperpav": False, "exposures": 6.0, "wait_peak_ms": 0.0}
    table = [{"volume": f"VOL{v:03}", **quiet} for v in range(8)]
    (finding,) = found("pav_too_many", pav_candidate=table, volume_interval=rows)
    assert ("Wait until you have analysed a full month" in finding.advice) == hurry


@pytest.mark.parametrize(("rate", "disc", "aliases"), [(500.0, 8.5, 4), (500.0, 7.5, 3), (100.0, 8.5, 0)])
@pytest.mark.parametrize("wait", [8.0, 20.0])
def test_aliases_for_the_mean_are_those_of_little_s_law(rate: float, disc: float, aliases: int, wait: float) -> None:
    """500 I/Os per s of 9 ms of service are 4.5 in progress: 5 exposures, however long others wait for these."""
    rows = [volume(n, rate=rate, wait=wait, disc=disc) for n in range(2)]
    (finding,) = found("pav_add_alias", pav_candidate=[candidate()], volume_interval=rows)
    assert numbers(finding)["aliases the mean of the span would ask for"] == aliases


@pytest.mark.parametrize("seed", tried(range(1), range(3)))
def test_no_mean_is_above_what_the_peak_interval_has(seed: int) -> None:
    """A law: waits that are longer at lower rates, as next to a throttle, make no mean queue above the longest."""
    rng = np.random.default_rng(seed)
    rows = [volume(n, rate=rng.uniform(20, 900), wait=rng.uniform(1, 90), throttle_delay_rate=0.0) for n in range(12)]
    rows += [volume(n, rate=20.0, wait=900.0, throttle_delay_rate=30.0) for n in range(12, 24)]
    longest = max(rows[:12], key=lambda r: r["queue_length"])
    asked = [candidate(peak_start=longest["interval_start"])]
    (finding,) = found("pav_add_alias", pav_candidate=asked, volume_interval=rows)
    shown = numbers(finding)
    assert shown["queue, mean"] <= shown["queue, peak interval"] == longest["queue_length"]


def test_a_pool_is_too_large_only_if_never_denied_and_long_enough_read() -> None:
    rows = [pool(n, hyperpav_aliases=40, alias_high_water=3) for n in range(30)]
    (finding,) = found("pool_too_large", lcu_interval=rows)
    assert "take 35 aliases away: that leaves 5, 1.5 times" in finding.advice
    long_read: dict[str, Any] = {"hyperpav_aliases": 40, "alias_high_water": 3, "interval_s": 90_000.0}
    assert (
        finding.confidence == "medium"
        and "8 hours of system SYSA, no month's end" in numbers(finding)["measured"]
        and "a full month" in finding.advice
    )
    (long,) = found("pool_too_large", lcu_interval=[pool(100 * n, **long_read) for n in range(30)])
    assert (
        long.confidence == "high"
        and "a full month" not in long.advice
        and "31 days of system SYSA" in numbers(long)["measured"]
    )
    (endless,) = found("pool_too_large", lcu_interval=[pool(n % 9, **long_read, lcu="0011") for n in range(40)])
    assert endless.confidence == "medium", "ever so long, but no month's end"
    days = [pool(96 * n, hyperpav_aliases=40, alias_high_water=3, interval_s=3600.0) for n in range(31)]
    (sparse,) = found("pool_too_large", lcu_interval=days)
    assert "a month's end among" in numbers(sparse)["measured"] and "a full month" not in sparse.advice, "it was read"
    assert found("pool_too_large", lcu_interval=rows[:10]) == []
    denied = [{**rows[0], "alias_denied_count": 5.0}, *rows[1:]]
    assert found("pool_too_large", lcu_interval=denied) == []
    lending = [{**r, "alias_need_count": 1.0} for r in rows]
    assert found("pool_too_large", lcu_interval=lending) == []


@pytest.mark.parametrize(("first", "denied", "is_found"), [(4, 0.0, True), (4, 9.0, False), (9, 0.0, False)])
def test_aliases_that_were_added_and_never_missed_can_go_back(first: int, denied: float, is_found: bool) -> None:
    """Eleven of sixteen are few to spare for a pool that was always so large."""
    rows = [
        pool(n, alias_high_water=3, hyperpav_aliases=first if n < 15 else 16, denied=denied * (n < 15))
        for n in range(30)
    ]
    noted = found("pool_too_large", lcu_interval=rows)
    assert bool(noted) == is_found
    assert not noted or (f"It had {first} at first" in noted[0].details and "leaves 5" in noted[0].advice)


def test_pools_that_lend_are_too_large_together_or_not_at_all() -> None:
    group = {"hyperpav_aliases": 20, "alias_need_count": 9.0, "alias_group": "7"}
    mine = [pool(n, alias_high_water=3, **group) for n in range(30)]
    theirs = [pool(n, lcu="0012", alias_high_water=2, alias_borrowed_high_water=1, **group) for n in range(30)]
    (finding,) = found("pool_too_large", lcu_interval=mine + theirs)
    assert str(finding.subject) == "LCUs 0011, 0012"
    # 3 + 2 of their own and 1 borrowed, half as many again
    assert "take 31 aliases away" in finding.advice and ": that leaves 9, 1.5 times" in finding.advice
    busy = [{**r, "alias_high_water": 18} for r in theirs]
    assert found("pool_too_large", lcu_interval=mine + busy) == [], "one of them needs what the other has to spare"
    # an older system doesn't show that the LCU lends: what it says of the pool alone is no reason
    old = [{**r, "system": "SYSB", "alias_need_count": None, "alias_group": None} for r in mine]
    assert found("pool_too_large", lcu_interval=mine + busy + old) == []


def test_a_group_is_dry_as_a_whole_or_in_part_and_says_so() -> None:
    group = {"alias_need_count": 90.0, "alias_group": "7"}
    dry = [pool(n, denied=1000, **group) for n in (4, 5)]
    (whole,) = found("alias_pool_dry", lcu_interval=dry + [pool(n, denied=800, lcu="0012", **group) for n in (4, 5)])
    assert str(whole.subject) == "LCUs 0011, 0012 on SYSA"
    assert whole.text.startswith("Alias management group 7 ran out of HyperPAV aliases")
    names = ("aliases in use, high water", "aliases configured", "refusals per I/O, worst interval and LCU")
    names += ("LCUs without an alias at once, most", "LCUs of the pool")
    assert [numbers(whole)[name] for name in names] == [8, 8, 0.1, 2, 2]
    (part,) = found("alias_pool_dry", lcu_interval=dry + [pool(n, lcu="0012", **group) for n in (4, 5)])
    assert [numbers(part)[name] for name in names[-2:]] == [1, 2]
    borrowing = [pool(n, alias_borrowed_count=5000.0, **group) for n in (4, 5)]
    assert found("alias_pool_dry", lcu_interval=borrowing) == []
    (alone,) = found("alias_pool_dry", lcu_interval=[{**r, "alias_group": None} for r in dry])
    assert "whose group no record names" in alone.advice


def moved(rows: list[dict[str, Any]], seconds: float) -> list[dict[str, Any]]:
    return [{**r, "interval_start": r["interval_start"] + dt.timedelta(seconds=seconds)} for r in rows]


def test_channels_and_paths_are_measured_seconds_next_to_the_devices() -> None:
    tables = busy_path()
    next_to = {n: moved(tables[n], s) for n, s in (("channel_interval", 7), ("lcu_path_interval", -9))}
    (finding,) = found("channel_busy", **(tables | next_to))
    assert (finding.severity, volume_named("LNK001", "SYSA") in {s for _, s in finding.covers}) == ("act", True)
    assert finding.lost_s == pytest.approx((0.16 + 0.5) * 0.3 * 9000)


def test_channels_measured_in_shorter_intervals_count_by_their_mean() -> None:
    tables = busy_path()
    thirds = [
        r | {"busy_ratio": busy, "interval_s": 300.0, "interval_start": r["interval_start"] + dt.timedelta(minutes=m)}
        for r in tables["channel_interval"]
        if r["channel_path"] != "51"
        for m, busy in ((0, 0.95), (5, 0.95), (10, 0.5 if r["busy_ratio"] > 0.5 else 0.0))
    ]
    (finding,) = found("channel_busy", **(tables | {"channel_interval": thirds}))
    # 80 % in the mean of the last three quarter hours, 63 % in the others
    assert finding.severity == "act" and finding.lost_s == pytest.approx((0.16 + 0.5) * 0.3 * 9000)


def test_full_channels_explain_the_waits_of_the_lcu_behind_them() -> None:
    (finding,) = found("channel_busy", **busy_path())
    assert str(finding.subject) == "channels 55, 56 on SYSA" and finding.severity == "act"
    assert "up to 90 % busy (10:45-11:30" in finding.whole_text and "On LCU 0070 pend is 1.00 ms" in finding.whole_text
    assert "Aliases will not help" in finding.advice and "the other channel, which is 20 % full then" in finding.advice
    # the volume waits, and its box has no other LCU
    assert finding.covers == {
        ("pav_add_alias", volume_named("LNK001", "SYSA")),
        ("box_saturated", Subject("box", ("0070",))),
    }
    # 0.8 ms more pend of 200 I/Os a second, and half an I/O queued, in 3 of 10 quarter hours
    assert finding.lost_s == pytest.approx((0.16 + 0.5) * 0.3 * 9000)
    counts = {n.name: n.value for n in finding.numbers}
    # 200 I/Os per s x (0.1 + 0.5 + 0.1) ms over two channels
    assert counts["I/Os open per channel, most"] == pytest.approx(0.07)


def test_two_quarter_hours_before_the_channels_fill_are_the_usual() -> None:
    late = {name: [r for r in rows if r["interval_start"] >= at(5)] for name, rows in busy_path().items()}
    (finding,) = found("channel_busy", **late)
    assert finding.severity == "act" and "On LCU 0070 pend is 1.00 ms, usually 0.20 ms" in finding.whole_text
    assert finding.lost_s == pytest.approx((0.16 + 0.5) * 0.3 * 9000)


def test_busy_channels_explain_nothing_that_is_not_tied_to_them() -> None:
    # where most of an LCU's I/Os go through them it may come to that; no other disk waits for them
    for tables, severity in ((busy_path(0.25), "watch"), (busy_path(own=10.0), "note")):
        (finding,) = found("channel_busy", **tables)
        assert (finding.severity, finding.covers, finding.lost_s) == (severity, frozenset(), 0)
        assert "Aliases will not help" not in finding.advice
    (untied,) = found("channel_busy", channel_interval=busy_path()["channel_interval"])
    assert "collect type 78.3" in untied.details and untied.effect is None and not untied.covers
    vm = [{**r, "platform": "z/VM", "source": "fcx215", "type": None} for r in busy_path()["channel_interval"]]
    (elsewhere,) = found("channel_busy", channel_interval=vm)
    assert elsewhere.details.endswith("Which volumes they lead to isn't recorded")


def test_a_channel_counts_by_its_fullest_part_and_only_if_it_leads_to_disks() -> None:
    (bus,) = found("channel_busy", **busy_path(busy_ratio=0.3, bus_busy_ratio=0.8))
    assert "80 % busy" in bus.text and "bus is the fullest part" in bus.details
    (link,) = found("channel_busy", **busy_path(busy_ratio=0.3, write_bytes_rate=7.6e8))
    assert "95 % full" in link.text and "faster channels" in link.advice
    assert found("channel_busy", **busy_path(busy_ratio=0.6)) == []
    assert found("channel_busy", **busy_path(type="OSD")) == []
    assert found("channel_busy", **busy_path(bus_busy_ratio=1.4)) == [], "no channel is busier than always"
    tape = [channel(n, "60", 0.9) for n in range(10)]
    calm = busy_path(busy_ratio=0.3)
    assert found("channel_busy", **{**calm, "channel_interval": calm["channel_interval"] + tape}) == []


def full_lcu(exposures: float, **more: Any) -> dict[str, list[dict[str, Any]]]:
    static = {"lcu": "0010", "exposures": exposures}
    wanted = {"exposures": 2.0, "aliases_to_clear_wait": 4}
    waiting = [candidate("VOL000", **(static | wanted | more))]
    calm = [candidate(f"VOL{n:03}", verdict="enough", **static) for n in range(1, 32)]
    devices = [
        {"interval_start": at(0), "device": f"010{n:02X}", "lcu": "0010", "role": "base"} for n in range(32)
    ]  # fmt: skip
    return {"pav_candidate": waiting + calm, "device_interval": devices}


def test_aliases_must_fit_into_the_addresses_of_an_lcu() -> None:
    # 32 bases, 31 times 7 aliases and 1 are 250 of 256 addresses: there is room for 6 more
    assert found("lcu_addresses", **full_lcu(8.0, aliases_to_clear_wait=7)) == []
    (finding,) = found("lcu_addresses", **full_lcu(8.0, aliases_to_clear_wait=8))
    assert finding.text == "LCU 0010 lacks addresses for aliases: 250 of 256 are used, and 7 more are needed"
    assert [numbers(finding)[name] for name in ("bases", "static aliases", "volume that needs most")] == [
        32,
        218,
        "VOL000",
    ]


@pytest.mark.parametrize(
    "other", [{"verdict": "will_not_help"}, {"queue_length_peak": 0.4}, {"wait_share_peak_ratio": 0.05}]
)
def test_addresses_matter_only_where_aliases_are_wanted(other: dict[str, Any]) -> None:
    assert found("lcu_addresses", **full_lcu(8.0, aliases_to_clear_wait=8, **other)) == []


def dry_pool(bases: int, **more: Any) -> dict[str, list[dict[str, Any]]]:
    """An LCU of HyperPAV with 8 aliases, all in use, and 6.3 I/Os that wait."""
    system = {"platform": "z/OS", "system": "SYSA"}
    place = system | {"pool": "LCU 0010"}
    return {
        "device_interval": [
            {"interval_start": at(0), "device": f"0{n:04X}", "lcu": "0010", "role": "base"} for n in range(bases)
        ],
        "lcu_interval": [system | {"lcu": "0010", "interval_start": at(0), "hyperpav_aliases": 8}],
        "alias_pool": [place | {"lcu_names": "0010", "aliases": 8, "is_size_known": True, "lends": False}],
        "alias_pool_interval": [
            place
            | {
                "interval_start": at(0),
                "lcus": 1,
                "aliases": 8,
                "alias_high_water": 8,
                "queue_length": 6.3,
                "wait_ms": 0.8,
            }
            | more
        ],
    }


def test_aliases_of_a_pool_must_fit_too() -> None:
    # 241 bases and 8 aliases leave room for 7
    assert found("lcu_addresses", **dry_pool(241)) == []
    (finding,) = found("lcu_addresses", **dry_pool(242))
    assert finding.text == (
        "LCU 0010 lacks addresses for its pool: 250 of 256 are used, and SYSA is short of 7 aliases"
    )
    assert found("lcu_addresses", **dry_pool(248, alias_high_water=7)) == [], "aliases are free"
    assert found("lcu_addresses", **dry_pool(248, queue_length=0.4)) == []


def test_a_wait_with_aliases_free_is_not_the_pool() -> None:
    waits = [volume(n, wait=5.0, lcu="0011", is_hyperpav=True) for n in range(4)]
    (finding,) = found(
        "same_extent", volume_interval=waits, lcu_interval=[pool(n, alias_high_water=2) for n in range(4)]
    )
    assert ("pav_add_alias", volume_named("VOL001", "SYSA")) in finding.covers
    assert found("same_extent", volume_interval=waits, lcu_interval=[pool(n) for n in range(4)]) == []
    dry = [pool(n, denied=500, alias_high_water=2) for n in range(4)]
    assert found("same_extent", volume_interval=waits, lcu_interval=dry) == []


def test_volumes_of_an_lcu_that_wait_at_once_are_one_finding() -> None:
    waits = [volume(n, f"VOL{v}", wait=5.0, lcu=f"001{v // 3}", is_hyperpav=True) for n in range(4) for v in range(5)]
    pools = [pool(n, lcu=lcu, alias_high_water=2) for n in range(4) for lcu in ("0010", "0011")]
    three, two = found("same_extent", volume_interval=waits, lcu_interval=pools)
    assert three.text.startswith("3 volumes wait at once on SYSA") and "VOL0, VOL1, VOL2" in three.details
    assert two.text.startswith("Volumes VOL3 and VOL4 wait on SYSA")


def test_what_waits_behind_a_reserve_waits_for_nothing_else() -> None:
    """4 ms device busy in 5 ms service, 8 ms in the host: without it 9 ms, and 1 where the queue was its own."""
    waits = [volume(n, wait=8.0, pend=4.2, device_busy_ms=4.0, lcu="0011", is_hyperpav=True) for n in range(4)]
    rows = {"volume_interval": waits, "lcu_interval": [pool(n, alias_high_water=2) for n in range(4)]}
    assert found("same_extent", **rows) == []
    (f,) = found("reserve_contention", **rows)
    assert f.effect and (f.effect.now, f.effect.value) == (pytest.approx(13.0), pytest.approx(9.0))
    assert (f.effect.low, f.effect.high) == (pytest.approx(1.0), pytest.approx(13.0))


@pytest.mark.parametrize(("throttled", "code"), [(9000, "alias_throttled"), (50, "same_extent"), (0, "same_extent")])
def test_a_recorded_cause_is_never_hidden(throttled: int, code: str) -> None:
    """0.5 I/Os queued for 900 s: 9,000 throttled I/Os wait 50 ms each, 50 would have to wait 9 s."""
    waits = [volume(n, wait=5.0, lcu="0011", is_hyperpav=True) for n in range(4)]
    reported = {"alias_high_water": 2, "alias_throttled_count": throttled, "queue_length": 0.5, "wait_ms": 5.0}
    pools = [pool(n, response_ms=6.0, **reported) for n in range(4)]
    both = [f for c in ("alias_throttled", "same_extent") for f in found(c, volume_interval=waits, lcu_interval=pools)]
    assert [f.code for f in both] == [code]
    assert ("pav_add_alias", volume_named("VOL001", "SYSA")) in both[0].covers
    unreported = [p | {"alias_denied_ratio": None, "alias_denied_count": None} for p in pools]
    asked = found("hyperpav_wait", volume_interval=waits, lcu_interval=unreported)
    assert [f.code for f in asked] == ([] if code == "alias_throttled" else ["hyperpav_wait"])


def test_idle_volumes_of_an_lcu_make_one_finding() -> None:
    rows = [volume(n, f"VOL{v:03}", rate=0.0 if v < 2 else 5.0, exposures=3.0) for n in range(30) for v in range(4)]
    (finding,) = found("idle_volume", volume_interval=rows)
    assert str(finding.subject) == "2 volumes of LCU 0010"
    assert "4 static aliases" in finding.whole_text
    assert found("idle_volume", volume_interval=rows[:40]) == []
    (left,) = found("idle_volume", volume_interval=rows, cache_interval=[cached("VOL000")])
    assert str(left.subject) == "VOL001", "the box counted I/Os of a system not read"
    direct = [r | {"total_io_rate": 9.0} if r["volume"] == "VOL000" else r for r in rows]
    assert str(found("idle_volume", volume_interval=direct)[0].subject) == "VOL001"


@pytest.mark.parametrize(
    ("days", "is_reported", "confidence"),
    [(33, True, "high"), (33, False, "medium"), (20, True, "medium"), (1, False, "low")],
)
def test_how_sure_idle_is_rests_on_a_month_and_the_box_s_counters(
    days: int, is_reported: bool, confidence: str
) -> None:
    """Who writes at a month's end only, or from a system not read, is no spare volume."""
    day = {"interval_s": 86400.0, "rate": 0.0}
    rows = [volume(0, "VOL001", **day) | {"interval_start": at(0) + dt.timedelta(days=n)} for n in range(days)]
    counted = [cached("VOL001", io_count=0.0)] if is_reported else [cached("VOL002")]
    (finding,) = found("idle_volume", volume_interval=rows, cache_interval=counted)
    assert finding.confidence == confidence
    assert ("type 74.5 of the same time" in finding.advice) == (not is_reported)


def test_io_past_the_cache_is_found_where_it_lasts() -> None:
    rows = [cached(interval_start=at(n), inhibit_rate=0.0, bypass_rate=10.0, io_count=20_000.0) for n in range(3)]
    (finding,) = found("cache_bypass", cache_interval=rows)
    assert "45 % of its I/Os" in finding.whole_text and "no fast writes" not in finding.whole_text
    slow = [{**r, "bypass_rate": 0.0, "fast_write_inhibit_rate": 10.0, "write_count": 18_000.0} for r in rows]
    assert "50 % of its writes are no fast writes" in found("cache_bypass", cache_interval=slow)[0].whole_text
    assert found("cache_bypass", cache_interval=rows[:1]) == []
    assert found("cache_bypass", cache_interval=[{**r, "bypass_rate": 2.0} for r in rows]) == []


def days(count: int, last: float) -> list[dict[str, Any]]:
    start = dt.datetime(2026, 3, 2, 9)
    return [
        {"interval_start": start + dt.timedelta(days=d, hours=h), "interval_s": 3600.0, "subsystem": "2010",
         "serial": "AB1", "read_count": 1000.0, "read_hit_count": last if d == count - 1 else 900.0}
        for d in range(count) for h in range(5)
    ]  # fmt: skip


def test_hits_are_compared_with_the_same_hours_of_a_week_before() -> None:
    (finding,) = found("hit_ratio_drop", cache_subsystem_interval=days(8, 700.0))
    assert "fell from 90 % to 70 % (10:00-15:00 on 2026-03-09)" in finding.text
    assert "5 hours" in finding.details and "the same time of the 7 days before" in finding.details
    assert found("hit_ratio_drop", cache_subsystem_interval=days(8, 850.0)) == []
    assert found("hit_ratio_drop", cache_subsystem_interval=days(7, 700.0)) == []
    idle = [{**row, "read_count": 0.0, "read_hit_count": 0.0} if n < 5 else row for n, row in enumerate(days(8, 700.0))]
    assert found("hit_ratio_drop", cache_subsystem_interval=idle) == [], "a day without reads is no day to compare with"


def test_hits_that_one_volume_alone_lacks_are_no_drop_of_the_box() -> None:
    """Of 300 misses an hour one volume has 250 and 50 another; as many of two volumes are a drop."""
    boxes = days(8, 700.0)
    for misses, codes in (((250.0, 50.0), []), ((150.0, 150.0), ["hit_ratio_drop"])):
        own = [
            cached(f"VOL{n}", interval_start=row["interval_start"], interval_s=3600.0, read_count=300.0, hits=300.0 - m)
            for row in boxes[-5:]
            for n, m in enumerate(misses)
        ]
        reported = found("hit_ratio_drop", cache_subsystem_interval=boxes, cache_interval=own)
        assert [f.code for f in reported] == codes
