"""Bursts that overflow NVS: what the destage rates of the box's intervals report about its ceiling, and what not."""

from typing import Any

import pytest
from advise_rows import applied, at, database, delay

from iosq.models.nvs import TRACK_BYTES
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.predict.nvs import Burst
from iosq.toolkit.predict.nvs_box import lake_answer

RULES = {r.code: r for r in all_rules()}
BURSTS = {4: 100.0, 12: 150.0}  # delayed writes of 1,000, by interval


def found(code: str, most: float, destage: float | None, late: dict[int, float], **more: Any) -> list[Finding]:
    """Of a box that destages 100 tracks/s, this many in its bursts and `most` once without one.

    A further column has one value, or one by interval.
    """
    rates = {n: destage if n in late else 100.0 for n in range(20)} | {17: most}
    boxes: list[dict[str, Any]] = [
        {"interval_start": at(n), "subsystem": "3020", "serial": "AB1", "interval_s": 900.0, "read_count": 100.0,
         "write_count": 1000.0, "nvs_delay_count": late.get(n, 0.0), "nvs_delay_ratio": late.get(n, 0.0) / 1000,
         "destage_rate": rate, **{k: v.get(n, 0.0) if isinstance(v, dict) else v for k, v in more.items()}}
        for n, rate in rates.items()
    ]  # fmt: skip
    rows = [delay(n, "3020", late.get(n, 0.0)) for n in range(20)]
    return applied(RULES[code], {"nvs_delay": rows, "cache_subsystem_interval": boxes}, None)


def reported(code: str, most: float, late: dict[int, float] | None = None, **more: Any) -> Finding:
    (finding,) = found(code, most, 960.0, late or BURSTS, **more)
    return finding


def test_a_box_that_destages_more_at_other_times_was_not_at_its_ceiling() -> None:
    finding = reported("nvs_delay", 1100.0)
    assert (
        "without running at its ceiling" in finding.whole_text and "nothing else in the box is short" in finding.advice
    )


@pytest.mark.parametrize("most", [100.0, 960.0, 1000.0, 1050.0])
def test_the_most_it_ever_destaged_may_be_its_ceiling(most: float) -> None:
    finding = reported("nvs_delay", most)
    assert f"up to 960 tracks/s. It never destaged more than {max(most, 960.0):,.0f}." in finding.whole_text
    assert "without" not in finding.whole_text and "nothing else" not in finding.advice
    assert "buy neither" in finding.advice and "would absorb" not in finding.whole_text


def test_one_fast_burst_of_several_is_enough_to_doubt() -> None:
    assert "is unknown" in reported("nvs_delay", 1100.0, {**BURSTS, 17: 10.0}).whole_text


def test_a_box_whose_destage_is_not_recorded() -> None:
    (finding,) = found("nvs_delay", 1100.0, None, BURSTS)
    assert "Destage isn't recorded" in finding.whole_text and "Whether more NVS would help is unknown" in finding.advice


@pytest.mark.parametrize(("share", "is_why"), [(0.1, False), (0.7, True), (None, False)])
def test_pinned_nvs_is_why(share: float | None, is_why: bool) -> None:
    """Whatever destage does: more NVS would not be pinned less."""
    finding = reported("nvs_delay", 1100.0, nvs_bytes=8e9, nvs_pinned_bytes=share and share * 8e9)
    assert ("full, 70 % of it pinned" in finding.whole_text) == is_why == ("More NVS is not the cure" in finding.advice)
    assert ("would absorb" in finding.whole_text) != is_why


def test_less_nvs_than_at_other_times_is_why() -> None:
    finding = reported("nvs_delay", 1100.0, nvs_bytes={n: 8e9 if n == 0 else 4e9 for n in range(20)})
    assert "was full with only 3.7 GiB of 7.5 GiB in service" in finding.text and "Buy" not in finding.advice
    assert finding.part_of == {"cache_lost"}


@pytest.mark.parametrize(
    ("offline", "severity", "says"),
    [
        (range(3, 14), "watch", "It is online again since 12:30"),
        (range(3, 20), "act", "NVS had 3.7 GiB of 7.5 GiB"),
        (range(13, 20), "act", ""),
    ],
)
def test_cache_that_is_offline_is_why_until_it_is_back(offline: range, severity: str, says: str) -> None:
    """Half of the cache and of NVS are out of service; what is offline at other times explains nothing."""
    half = dict.fromkeys(range(20), 8e9) | dict.fromkeys(offline, 4e9)
    f = reported("nvs_delay", 1100.0, cache_bytes=8e9, cache_offline_bytes=dict.fromkeys(offline, 4e9), nvs_bytes=half)
    assert ("full with 50 % of its cache offline" in f.text) == bool(says) and says in f.details
    assert f.severity == severity and ("hit_ratio_drop" in f.explains) == bool(says)


@pytest.mark.parametrize("hours", [1, 4])
@pytest.mark.parametrize(("tracks", "lasts"), [(0.99, False), (1.01, True), (None, False)])
def test_advice_and_what_if_say_same_whether_more_nvs_lasts(hours: int, tracks: float | None, lasts: bool) -> None:
    """Ten writes a minute find no room at the ceiling: as much NVS again holds all of them or not, or has no size."""
    late = range(4, 4 + 4 * hours)
    size = None if tracks is None else tracks * 150 * len(late) * TRACK_BYTES
    boxes: list[dict[str, Any]] = [
        {"interval_start": at(n), "subsystem": "3020", "serial": "AB1", "interval_s": 900.0, "read_count": 100.0,
         "write_count": 1000.0, "nvs_delay_count": 150.0 * (n in late), "nvs_delay_ratio": 0.15 * (n in late),
         "destage_rate": 500.0 if n in late else 100.0, "nvs_bytes": size}
        for n in range(24)
    ]  # fmt: skip
    con = database(cache_subsystem_interval=boxes, nvs_delay=[delay(n, "3020", 150.0 * (n in late)) for n in range(24)])
    (finding,) = apply(con, RULES["nvs_delay"])
    assert ("As much NVS again would take those" in finding.whole_text) == lasts
    assert ("Do not buy NVS" in finding.advice) == (not lasts) == ("only delay the overflow" in finding.whole_text)
    (row,) = lake_answer(con, "3020", Burst(), limits=RULES["nvs_delay"].limits()).rows
    assert row["verdict"] == ("more NVS absorbs it" if lasts else "more NVS only delays the overflow")


@pytest.mark.parametrize(
    ("share", "later", "is_refused"), [(0.9, 200.0, False), (1.0, 200.0, True), (1.0, 900.0, False)]
)
def test_nvs_that_takes_no_write_at_any_load_is_out_of_use_not_full(
    share: float, later: float, is_refused: bool
) -> None:
    """From the ninth interval on; before, a few waited in bursts. Rates fall to `later`, the same share waits."""
    writes = {n: 1000.0 if n < 14 else later for n in range(24)}
    late = {n: share * writes[n] if n >= 9 else 100.0 * (n in (2, 5)) for n in range(24)}
    boxes: list[dict[str, Any]] = [
        {"interval_start": at(n), "subsystem": "3020", "serial": "AB1", "interval_s": 900.0, "read_count": 100.0,
         "write_count": writes[n], "nvs_delay_count": late[n], "nvs_delay_ratio": late[n] / writes[n],
         "destage_rate": writes[n] / 2, "nvs_bytes": 1e9}
        for n in range(24)
    ]  # fmt: skip
    con = database(cache_subsystem_interval=boxes, nvs_delay=[delay(n, "3020", late[n]) for n in range(24)])
    (finding,) = apply(con, RULES["nvs_delay"])
    assert ("took no writes" in finding.text) == is_refused == ("but out of use" in finding.details)
    answer = lake_answer(con, "3020", Burst(), limits=RULES["nvs_delay"].limits())
    assert answer.rows[0]["verdict"].startswith("NVS is out of use") == is_refused
    assert any("out of use" in text for text in answer.conclusions) == is_refused


@pytest.mark.parametrize(("others", "is_off"), [(0.0, True), (0.1, False)])
def test_fast_write_that_is_off_for_a_subsystem_is_no_full_nvs(others: float, is_off: bool) -> None:
    """All writes to one of three subsystems wait at any rate; of those to the others some, or none."""
    share = {"3020": 1.0, "3021": others, "3022": others}
    writes = {n: 1000.0 if n < 14 else 200.0 for n in range(24)}
    boxes: list[dict[str, Any]] = [
        {"interval_start": at(n), "subsystem": name, "serial": "AB1", "interval_s": 900.0, "read_count": 100.0,
         "write_count": writes[n], "nvs_delay_count": late * writes[n], "nvs_delay_ratio": late,
         "destage_rate": writes[n] / 2, "nvs_bytes": 1e9}
        for n in range(24) for name, late in share.items()
    ]  # fmt: skip
    late = [delay(n, name, of * writes[n]) for n in range(24) for name, of in share.items()]
    con = database(cache_subsystem_interval=boxes, nvs_delay=late)
    (finding,) = apply(con, RULES["nvs_delay"])
    assert ("took no writes for subsystem 3020" in finding.text) == is_off == ("fast write is off" in finding.details)
    for name in share:
        answer = lake_answer(con, name, Burst(), limits=RULES["nvs_delay"].limits())
        assert answer.rows[0]["verdict"].startswith("NVS is out of use") == is_off
