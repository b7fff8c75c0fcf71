"""What-if glue: laws the answers obey, and what is refused."""

import csv
import io
import json
import math
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.machine import available, forms, load
from iosq.models.migrate.workload import MeasuredVolume
from iosq.models.pav.answers import FALL, WhatIf
from iosq.models.studies.zvm_pav import cells
from iosq.models.tape import TapeLoad
from iosq.toolkit.errors import IosqError
from iosq.toolkit.predict import channel, dump, machines, migrate, nvs, open_load, pav_numbers, tape, validation
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.pav_numbers import Numbers
from tests.command import invoked


def test_a_closed_load_obeys_littles_law_at_every_count() -> None:
    found = pav_numbers.answer(
        Numbers(requesters=5, volumes=8, read_ratio=0.33, footprint_gb=0.3), aliases=4, machine="ds8100"
    )
    for row in found.rows:
        assert row["io_rate"] * row["response_ms"] / 1e3 == pytest.approx(5)
        assert row["io_rate"] * row["service_ms"] / 1e3 == pytest.approx(min(5, row["aliases"] + 1))
        assert row["io_rate_low"] <= row["io_rate"] <= row["io_rate_high"]


def test_the_published_box_is_predicted_by_its_file() -> None:
    """ESS F20, 33 % reads, 5 workers: the study measured 197 I/Os per second and volume whatever the aliases."""
    have = cells().conditions
    wanted = (have.controller == "ESS F20") & (have.read_ratio == 0.33) & (have.workers == 5)
    numbers = Numbers(requesters=5, volumes=8, read_ratio=0.33, footprint_gb=float(have.footprint_gb[wanted][0]) / 8)
    found = pav_numbers.answer(numbers, aliases=4, machine="ess-f20")
    predicted = [row["io_rate"] for row in found.rows]
    assert predicted == pytest.approx(list(cells().rate[wanted]), rel=0.08)
    assert found.common["wait_moves"]
    assert any("moves into the box" in text for text in found.conclusions)


def test_more_aliases_lower_the_rate_nowhere_without_a_word() -> None:
    """A box may be slower with aliases at work, as was measured; a larger fall is reported."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        requesters, footprint_gb = rng.uniform(1, 12), rng.uniform(0.02, 1.1)
        asked = Numbers(requesters=requesters, volumes=8, read_ratio=rng.choice([0, 0.5, 1]), footprint_gb=footprint_gb)
        for machine in ("ds8100", "ds6800"):
            found = pav_numbers.answer(asked, aliases=6, machine=machine)
            # the middle of bounds is no rate
            rates = np.array([float(row["io_rate"]) for row in found.rows if row["identifiable"]])
            fell = bool((rates < 0.98 * np.maximum.accumulate(rates)).any())
            assert fell == any("on the rate falls" in text for text in found.conclusions), asked


def test_one_alias_at_least_is_one() -> None:
    shown = pav_numbers.answer(Numbers(rate=200, wait_ms=2.6, service_ms=3, read_ratio=0.7)).conclusions
    assert shown[0].startswith("at least 1 alias clears the wait")


def test_an_open_load_keeps_its_measured_wait_at_todays_count() -> None:
    found = pav_numbers.answer(Numbers(rate=120, wait_ms=4, service_ms=5, exposures=2), aliases=6, machine="ds8100")
    waits = [row["wait_ms"] for row in found.rows if row["stable"]]
    assert next(row["wait_ms"] for row in found.rows if row["now"]) == pytest.approx(4, rel=1e-3)
    assert waits == sorted(waits, reverse=True)


def test_a_small_gain_is_called_small() -> None:
    asked = Numbers(rate=600, wait_ms=0.13, service_ms=1, exposures=1, volumes=8)
    found = pav_numbers.answer(asked, aliases=6, machine="ds8100")
    assert re.search(r"; a small gain of [1-4] %: 1\.13 ms now, then 1\.\d+ ms", found.conclusions[0])
    assert not any("gain" in text for text in pav_numbers.answer(
        Numbers(rate=120, wait_ms=4, service_ms=5, exposures=2), aliases=6, machine="ds8100").conclusions)  # fmt: skip


def test_without_a_box_bounds_span_the_largest_fall_to_perfect_scaling() -> None:
    found = pav_numbers.answer(Numbers(rate=200, service_ms=5, requesters=5), aliases=4)
    known, *open_ones = found.rows
    assert known["identifiable"]
    for row in open_ones:
        assert not row["identifiable"]
        assert (row["io_rate_low"], row["io_rate_high"]) == pytest.approx((FALL * 200, 200 * (row["aliases"] + 1)))
    assert "measure" in found.common["settle"]


def test_nothing_shows_a_value_between_bounds() -> None:
    """Neither the screen nor JSON, CSV or a bar of the chart; today's row is measured and has its values everywhere."""
    found = pav_numbers.answer(Numbers(rate=200, service_ms=5, requesters=5), aliases=2)
    for row in json.loads(found.text("json")):
        values = {row[name] for name in ("io_rate", "wait_ms", "service_ms", "response_ms")}
        assert values == {None} or (row["now"] and None not in values)
        assert None not in {row[name] for name in ("io_rate_low", "response_low_ms", "response_high_ms")}
    now, *later = csv.DictReader(io.StringIO(found.text("csv")))
    assert now["io_rate"] and not any(row["io_rate"] or row["response_ms"] for row in later)
    assert found.draw is not None
    drawn = found.draw().to_dict()
    bars = next(layer for layer in drawn["vconcat"][0]["layer"] if layer["mark"]["type"] == "bar")
    assert {bar["aliases"] for bar in drawn["datasets"][bars["data"]["name"]]} == {0}


def test_equal_bounds_are_printed_once() -> None:
    shown = pav_numbers.answer(Numbers(rate=20, wait_ms=0.3, service_ms=5), aliases=2).text("table")
    assert "5 to 5 " not in shown and "0.3" in shown


def test_a_measured_rate_moves_the_machine_towards_it() -> None:
    given = Numbers(requesters=5, volumes=8, read_ratio=0.33, footprint_gb=0.3)
    before = pav_numbers.answer(given, aliases=0, machine="ess-f20").rows[0]["io_rate"]
    slower = pav_numbers.answer(
        Numbers(rate=0.8 * before, requesters=5, volumes=8, read_ratio=0.33, footprint_gb=0.3),
        aliases=0,
        machine="ess-f20",
    )
    assert 0.78 * before < slower.rows[0]["io_rate"] < 0.9 * before
    assert "refitted" in slower.common["calibrated_on"]


def test_a_larger_pool_waits_less() -> None:
    pool = pav_numbers.answer(
        Numbers(rate=60, wait_ms=1.0, service_ms=4, volumes=20, pool=3, footprint_gb=0.4), aliases=12, machine="ds8100"
    )
    waits = [row["wait_ms"] for row in pool.rows]
    assert waits == sorted(waits, reverse=True)
    assert "pool_aliases" in pool.rows[0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rate": -5.0, "service_ms": 3.0}, "--rate: must be above zero, not -5"),
        ({"rate": 5.0, "service_ms": 0.0}, "--service-ms: must be above zero"),
        ({"rate": 5.0, "service_ms": 3.0, "read_ratio": 1.2}, "--read-ratio: must lie between 0 and 1, not 1.2"),
        ({"rate": 5.0, "service_ms": 3.0, "exposures": 0}, "--exposures: must be at least 1"),
        ({"rate": 500.0, "service_ms": 3.0}, "the volume's one exposure: its demand is 1.5 times its capacity"),
        ({"rate": math.nan, "service_ms": 3.0}, "--rate"),
        ({}, "not enough to go on"),
        ({"requesters": 4.0}, "--requesters: requesters alone"),
    ],
)
def test_what_makes_no_sense_is_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(IosqError, match=re.escape(words)):
        pav_numbers.answer(Numbers(**given), aliases=4)


def test_migration_takes_as_many_boxes_as_saturate_nowhere() -> None:
    numbers = Numbers(rate=300, wait_ms=2, service_ms=3, read_ratio=0.8, exposures=2, volumes=20)
    found = migrate.numbers_answer(numbers, migrate.Wish("ess-f20", channel="ficon", channels=2))
    assert found.common["boxes"] > 1
    assert max(found.common["utilization"].values()) < 1
    assert {"channels (port)", "destage"} <= set(found.common["utilization"])
    assert len(found.rows) == 20
    with pytest.raises(IosqError, match=r"1 ess-f20 box: its demand is \d"):
        migrate.numbers_answer(numbers, migrate.Wish("ess-f20", boxes=1))


@pytest.mark.parametrize("machine", ["ds8100", "ibm3990-6"])
def test_times_given_as_numbers_move_as_times_of_a_lake(machine: str) -> None:
    """Connect time stays, as that of a measured volume does; pend and disconnect are the old box's."""
    wish = migrate.Wish(machine, block_bytes=4096)
    measured = MeasuredVolume("volume 1", 50, 0.66, 1.0, 4096, 1.0, 0.2, 0.2, 6.0, 1, 0.3, migrate.capacity_gb())
    for conn_ms in (6.0, 0.0):
        volume = replace(measured, disc_ms=6.2 - conn_ms, conn_ms=conn_ms)
        asked = Numbers(50, 1.0, 6.4, 0.66, footprint_gb=0.3, conn_ms=conn_ms)
        rows = migrate.numbers_answer(asked, wish).rows
        lake = migrate.answer([volume], wish, "it", ()).rows
        assert rows == tuple(row | {"measured_response_ms": pytest.approx(7.4)} for row in lake)
        assert rows[0]["response_low_ms"] > conn_ms
    with pytest.raises(IosqError, match="--conn-ms"):
        Numbers(50, service_ms=2, conn_ms=3)


@settings(max_examples=10, deadline=None)
@given(
    st.floats(1, 40), st.floats(0, 0.8), st.integers(1, 200), st.integers(1, 9), st.sampled_from(["ess-f20", "ds8100"])
)
def test_the_end_of_a_migration_is_open_where_the_machine_may_be_full_and_only_there(
    rate: float, reads: float, volumes: int, exposures: int, machine: str
) -> None:
    """Of a machine measured with 40 I/Os in it: volumes and aliases beyond that, all idle, make nothing unbounded."""
    asked = Numbers(rate, 0.0, 0.5, reads, volumes=volumes, exposures=exposures, footprint_gb=1.6 / volumes)
    try:
        found = migrate.numbers_answer(asked, migrate.Wish(machine, boxes=1))
    except IosqError as error:
        assert "its demand" in str(error)
        return
    row, text = found.rows[0], " ".join(found.conclusions)
    is_open = row["response_high_ms"] is None and row["response_ms"] is not None
    assert is_open == ("no upper limit" in text) == row["remark"].startswith("no upper limit")
    used = {"box": found.common["asked_ratio"]["box"], "exposures": rate * (row["service_ms"] or 0) / 1e3 / exposures}
    # the files leave the ceiling at no worse than two thirds of what is likely
    assert not is_open or max(used.values()) > 2 / 3


def test_access_density_is_rate_over_capacity() -> None:
    found = migrate.numbers_answer(
        Numbers(rate=10, service_ms=3, volumes=4), migrate.Wish("ibm3990-6", capacity_gb=2.0, response_ms=50)
    )
    assert found.common["density_needed"] == pytest.approx(5)
    fullest = max(found.common["utilization"].values())
    assert found.common["density_offered"] * load("ibm3990-6").value("capacity_gb") * fullest == pytest.approx(40)


def test_every_known_volume_model_has_a_capacity_and_the_rest_that_of_a_mod_3() -> None:
    assert migrate.capacity_gb("33909") == pytest.approx(10017 * 849960 / 1e9, rel=1e-3)
    assert migrate.capacity_gb("3390A") == migrate.capacity_gb("3390-3")


def test_cylinders_give_a_volumes_size_before_its_model_does() -> None:
    # an EAV of 262,668 cylinders
    assert migrate.capacity_gb("3390A", 262_668) == pytest.approx(223.26, abs=0.01)
    assert migrate.capacity_gb("33909", 0) == migrate.capacity_gb("33909", None) == migrate.capacity_gb("33909")


def test_an_nvs_burst_conserves_writes_and_overflows_when_the_closed_form_says() -> None:
    burst = nvs.Burst(seconds=30, write_rate=700, nvs_bytes=16 * 2**20, destage_rate=380)
    card = nvs.machine_answer(burst).rows[0]
    assert card["full_after_s"] == pytest.approx(16 * 2**20 / 4096 / (700 - 380), rel=0.02)
    assert card["writes"] == pytest.approx(21000, rel=1e-3)
    over = nvs.machine_answer(burst, timeline=True).rows
    span = over[0]["time_s"]
    assert sum(row["admitted_write_rate"] * span for row in over) == pytest.approx(21000, rel=0.02)
    assert math.isfinite(card["recovery_s"])


@pytest.mark.parametrize("seconds", [30, 600, 3000])
def test_nvs_is_full_as_soon_however_long_the_burst(seconds: float) -> None:
    """4096 slots at 7000 - 380 writes a second."""
    card = nvs.machine_answer(nvs.Burst(seconds=seconds, write_rate=7000), machine="ibm3990-6").rows[0]
    assert card["full_after_s"] == pytest.approx(4096 / (7000 - 380), rel=1e-3)
    assert card["full_after_low_s"] <= card["full_after_s"] <= card["full_after_high_s"] < 1
    assert card["writes"] == pytest.approx(7000 * seconds)
    assert card["delayed_writes"] == pytest.approx(7000 * (seconds - card["full_after_s"]))


@pytest.mark.parametrize(
    ("more", "calm", "message"),
    [
        (16, 0, r"\+16.0 MiB would not be enough; 37.5 MiB in all would$"),
        (24, 0, r"\+24.0 MiB would be enough; 37.5 MiB in all would$"),
        (24, 500, "recovery never ends at --calm-rate; more NVS only delays the overflow$"),
    ],
)
def test_the_verdict_on_more_nvs_says_what_would_be_enough(more: int, calm: float, message: str) -> None:
    burst = nvs.Burst(
        seconds=30, write_rate=700, calm_rate=calm, nvs_bytes=2**24, destage_rate=380, more_bytes=more * 2**20
    )
    assert re.search(message, nvs.machine_answer(burst).conclusions[0])


def test_the_3990_6_slows_down_once_nvs_is_full() -> None:
    """Published: 1490 I/Os per second until NVS saturates, about 1050 after."""
    box = load("ibm3990-6")
    write_ratio = box.value("stress_write_ratio")
    burst = nvs.Burst(
        seconds=600,
        write_rate=1530 * write_ratio,
        write_ratio=write_ratio,
        read_hit_ratio=1 - 0.113 / (1 - write_ratio),
    )
    rates = [row["io_rate"] for row in nvs.machine_answer(burst, machine="ibm3990-6", timeline=True).rows]
    assert rates[0] == pytest.approx(1530, rel=0.01)
    full = [rate for rate in rates if 0 < rate < 1300]
    assert np.median(full) == pytest.approx(1050, rel=0.05)


def test_reads_that_fill_the_paths_are_refused_by_name() -> None:
    burst = nvs.Burst(write_rate=500, write_ratio=0.1, read_hit_ratio=0.2)
    with pytest.raises(IosqError, match=r"back-end paths: its demand is \d"):
        nvs.machine_answer(burst, machine="ibm3990-6")


def test_tape_holds_its_peak_until_the_cache_is_full() -> None:
    card = tape.answer(tape.Setting("vts-b20"), TapeLoad(jobs=64)).rows[0]
    rows = tape.answer(tape.Setting("vts-b20"), TapeLoad(jobs=64), timeline=True).rows
    assert rows[0]["host_bytes_rate"] == pytest.approx(card["peak_bytes_rate"])
    assert rows[-1]["host_bytes_rate"] == pytest.approx(card["sustained_bytes_rate"])
    knee = next(row["time_s"] for row in rows if row["host_bytes_rate"] < 0.99 * card["peak_bytes_rate"])
    assert knee == pytest.approx(card["peak_s"], rel=0.05)
    half = tape.answer(tape.Setting("vts-b20", drives=6), TapeLoad(jobs=64)).rows[0]
    assert half["premigration_bytes_rate"] == pytest.approx(card["premigration_bytes_rate"] / 2)


def _channel(**changed: Any) -> Answer:
    usual = {"block_bytes": [4096.0], "tasks": [1, 6], "distance_km": [0.0], "read_ratio": 1.0, "volumes": 6}
    return channel.answer("se700", **{**usual, "exposures": 1, "channels": 1, **changed})


def test_channels_gain_from_tasks_and_lose_to_distance() -> None:
    one, six = _channel().rows
    assert one["io_rate"] < six["io_rate"] <= 6 * one["io_rate"]
    near, far = _channel(tasks=[6], distance_km=[0.0, 10.0]).rows
    assert far["io_rate"] < near["io_rate"]
    with pytest.raises(IosqError, match="--tasks"):
        _channel(tasks=[0])
    with pytest.raises(IosqError, match="reach"):
        _channel(distance_km=[500.0])


def test_a_dump_takes_the_volumes_worth_having() -> None:
    found = dump.answer(4.5, machine="sadump-3390-3", volumes=8)
    times = [row["dump_s"] for row in found.rows]
    assert times == sorted(times, reverse=True)
    assert times[found.common["volumes_worth_having"] - 1] <= 1.1 * min(times)
    assert all(row["dump_low_s"] < row["dump_s"] < row["dump_high_s"] for row in found.rows)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: dump.answer(4.5, machine="ds8100", volumes=8), "ds8100 is a box, not a dump; choose sadump"),
        (lambda: tape.answer(tape.Setting("ficon"), TapeLoad(jobs=4)), "not a tape; choose vts-b10, vts-b20"),
        (lambda: dump.answer(-1, machine="sadump-ess", volumes=8), "--storage-gb: must be above zero"),
        (lambda: dump.answer(1, machine="sadump-ess", volumes=99), "volumes = "),
        (lambda: nvs.Burst(seconds=-1), "--seconds"),
        (lambda: migrate.Wish("ds8100", growth=0), "--growth"),
        (lambda: machines.machine("ds9999"), "unknown machine 'ds9999'"),
        (lambda: validation.answer(["nonsense"]), "unknown study 'nonsense'"),
    ],
)
def test_bad_requests_are_one_line_that_names_the_input(ask: Any, words: str) -> None:
    with pytest.raises(IosqError) as caught:
        ask()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_machine_is_described_with_a_source_for_every_number() -> None:
    listed = [row["machine"] for row in machines.machines().rows]
    assert listed == [*available(), *forms()]
    for name in available():
        assert all(row["source"] and row["unit"] and row["how"] for row in machines.machine(name).rows)


def test_output_is_strict_json_csv_and_a_table(tmp_path: Path) -> None:
    rows = (
        {"aliases": 0, "wait_ms": math.inf, "wait_low_ms": 1.0, "wait_high_ms": math.inf},
        {"aliases": 1, "wait_ms": 2.0},
    )
    found = Answer(rows, ("text",), {"subject": "x"})
    objects = json.loads(found.text("json"))
    assert objects[0] == {"subject": "x", "aliases": 0, "wait_ms": None, "wait_low_ms": 1.0, "wait_high_ms": None}
    assert found.text("csv").splitlines()[2].startswith("x,1,2.0")
    head, first, _ = found.text("table").splitlines()
    assert head.split() == ["aliases", "wait_ms"]
    assert first.split() == ["0", "no", "limit", "(1", "to", "no", "limit)"]
    with pytest.raises(IosqError, match="no chart"):
        found.save(tmp_path / "x.svg")
    with pytest.raises(IosqError, match="ending"):
        found.save(tmp_path / "x.foo")
    with pytest.raises(IosqError, match="--format"):
        found.text("yaml")


def test_no_station_is_busier_than_it_can_be() -> None:
    """Where exposures lack, the demand on a box is separate from its utilisation."""
    numbers = Numbers(rate=9000, service_ms=6)
    common = migrate.numbers_answer(numbers, migrate.Wish("ds8100", boxes=1)).common
    assert common["utilization"]["box"] is None
    assert common["asked_ratio"]["box"] > 1
    shown = {name: share for name, share in common["utilization"].items() if share is not None}
    assert shown == {name: common["asked_ratio"][name] for name in shown}


@pytest.mark.parametrize("ask", ["volume", "pool"])
def test_a_question_is_solved_once_unless_it_names_a_file(ask: str, tmp_path: Path) -> None:
    """A machine's file may be written anew between two questions; all else an answer hangs on is in the question."""
    load, box = open_load.Load(120, 4, 5, 2), open_load.BoxState(20, 64, 0.7, (0.0, 1.0), 1.5)

    def asked(given: Given) -> WhatIf:
        if ask == "volume":
            return open_load.volume(load, box, given, range(4))
        return open_load.pool([load, load], 1, box, given, range(4))

    assert asked(Given()) is asked(Given())
    assert asked(Given(headroom={name: 0.5 * limit for name, limit in Given().headroom.items()})) is not asked(Given())
    file, answers = tmp_path / "box.toml", []
    for machine in ("ds8100", "ess-f20"):
        file.write_bytes(files("iosq.models").joinpath("hardware", f"{machine}.toml").read_bytes())
        answers.append(asked(Given(machine=str(file), footprint_gb=0.05)))
    assert answers[0] != answers[1]


@pytest.mark.parametrize(
    ("times", "rate"),
    [
        ({"wait_ms": 7.0, "service_ms": 9.0}, 5 / 16e-3),  # Little's law
        ({"service_ms": 9.0}, 1 / 9e-3),  # one exposure, always busy
        ({"wait_ms": 7.0, "service_ms": 9.0, "rate": 200.0}, 200.0),
    ],
)
def test_times_of_requesters_give_their_rate(times: dict[str, float], rate: float) -> None:
    rows = pav_numbers.answer(Numbers(requesters=5, **times), aliases=1).rows
    assert rows[0]["now"] and rows[0]["io_rate"] == pytest.approx(rate)


def test_a_wait_of_requesters_alone_is_refused() -> None:
    with pytest.raises(IosqError, match=r"--wait-ms: .* give --service-ms or --rate too"):
        pav_numbers.answer(Numbers(requesters=5, wait_ms=7), aliases=1, machine="ds8100")


def test_bounds_that_differ_by_rounding_only_are_one_value() -> None:
    """The box is otherwise empty: service stays at 5 ms however many aliases, and is given for every count."""
    asked = "simulate pav --rate 20 --wait-ms 0.3 --service-ms 5 --read-ratio 0.7 --format json"
    done = invoked(asked.split())
    rows = [row for row in json.loads(done.stdout) if row["service_high_ms"] < 5.000001]
    assert len(rows) > 3
    assert {round(row["service_ms"], 9) for row in rows} == {5.0}
