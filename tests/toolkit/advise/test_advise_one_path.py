"""One path of a control unit: always slow, offline, or with a share of the I/Os far from an even one."""

from typing import Any

import pytest
from advise_rows import Row, applied, at, database, path, taken, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.subject import Subject, lcus

RULES = {r.code: r for r in all_rules()}
HOURS = range(8)


def found(code: str, rows: list[Row], **more: Any) -> list[Finding]:
    return applied(RULES[code], {"lcu_path_interval": rows, **more})


def paths(lcu: str = "0042", hours: range = HOURS, **one: Any) -> list[Row]:
    """Paths 60 to 63 of an LCU with 400 I/Os a second; `one` changes path 63 in some hours."""
    return [
        taken(n, lcu, name, 100.0) | {"cmr_ms": 0.2, "online": True} | (one if name == "63" and n in hours else {})
        for n in HOURS for name in ("60", "61", "62", "63")
    ]  # fmt: skip


def test_a_path_that_is_slow_all_the_time_is_found() -> None:
    port = {"director": "0061", "port": "05", "kind": "channel", "attached": "63", "error_count": 2.0}
    rows = paths(cmr_ms=4.4, taken_rate=20.0)
    (finding,) = found("one_slow_path", rows, director_port_interval=[port | {"interval_start": at(n)} for n in HOURS])
    assert finding.whole_text == (
        "Channel path 63 of SYSA is slow (09:00-11:00 on 2026-03-02). LCU 0042 answers on it after 4.40 ms, on its "
        "fastest path after 0.20 ms. 6 % of the I/Os take it"
    )
    assert finding.advice.startswith("First check port 05 of director 0061, then the cable")
    assert finding.subject == lcus(["0042"], "SYSA")
    # 20 I/Os a second, each 4.2 ms later than on the fastest path, for two hours
    assert finding.lost_s == pytest.approx(20 * 0.0042 * 7200)
    assert {n.name: n.value for n in finding.numbers}["errors of the channel's director port"] == 16
    (two,) = found("one_slow_path", rows + paths("0043", cmr_ms=4.0))
    assert two.subject.names == ("0042", "0043") and "It is as slow for 1 other LCU" in two.whole_text


@pytest.mark.parametrize(
    "one",
    [
        {"cmr_ms": 2.9}, {"cmr_ms": 4.4, "taken_rate": 0.01}, {"cmr_ms": 4.4, "hours": range(1)}, {"cmr_ms": None},
        {"cmr_ms": 4.4, "preference": "non-preferred"},
    ],
    ids=["short", "few", "brief", "unknown", "non-preferred"],
)  # fmt: skip
def test_a_path_is_not_slow_below_the_limits_of_the_health_check(one: dict[str, Any]) -> None:
    assert found("one_slow_path", paths(**one)) == []


def test_a_far_box_is_as_slow_on_all_paths() -> None:
    assert found("one_slow_path", [r | {"cmr_ms": 4.0} for r in paths(cmr_ms=5.0)]) == []
    assert found("one_slow_path", [r for r in paths(cmr_ms=5.0) if r["channel_path"] == "63"]) == []


def test_the_rule_that_names_the_path_of_a_slow_lcu_explains_it() -> None:
    rows = paths("0011", cmr_ms=9.0)
    both = run(database(lcu_interval=path(2.4), lcu_path_interval=rows))
    assert [f.code for f in both if f.code in ("slow_path", "one_slow_path")] == ["slow_path"]


@pytest.mark.parametrize(
    ("one", "head", "detail"),
    [
        ({"taken_rate": 0.0}, "takes hardly any I/Os", "It takes none of the I/Os to LCU 0042; an even share is 25 %"),
        ({"taken_rate": 5.0}, "takes hardly any I/Os", "It takes 2 % of the I/Os to LCU 0042"),
        ({"taken_rate": 900.0}, "takes far more than its share", "It takes 75 % of the I/Os to LCU 0042"),
        ({"taken_rate": None, "online": False, "hours": range(4, 8)}, "went offline (", "LCU 0042 has 3 paths left"),
        (
            {"taken_rate": None, "online": False, "hours": range(2, 6)},
            "went offline, back now (",
            "LCU 0042 had 3 paths",
        ),
    ],
)
def test_an_uneven_path_is_found(one: dict[str, Any], head: str, detail: str) -> None:
    (finding,) = found("path_share", paths(**one))
    assert finding.text.startswith(f"Channel path 63 of SYSA {head}") and detail in finding.whole_text
    assert finding.subject == Subject("channel", ("63",), ("SYSA",))
    assert finding.about == {lcus(["0042"], "SYSA")}


@pytest.mark.parametrize(
    "one",
    [
        {"taken_rate": 40.0}, {"taken_rate": 180.0}, {"taken_rate": None}, {"taken_rate": 0.0, "hours": range(1)},
        {"taken_rate": None, "online": False}, {"taken_rate": 0.0, "preference": "non-preferred"},
        {"taken_rate": 0.0, "online": None},
    ],
    ids=["less", "more", "unknown", "brief", "never online", "non-preferred", "state unknown"],
)  # fmt: skip
def test_an_even_or_unknown_share_is_no_finding(one: dict[str, Any]) -> None:
    assert found("path_share", paths(**one)) == []


LOST: Row = {"taken_rate": None, "online": False}


@pytest.mark.parametrize(("hours", "is_found"), [((1, 4, 7), True), ((1, 4), False)])
def test_a_path_that_comes_and_goes_is_found_however_short_each_loss_is(hours: tuple[int, ...], is_found: bool) -> None:
    rows = [
        r | (LOST if r["channel_path"] == "63" and r["interval_start"] in {at(n) for n in hours} else {})
        for r in paths()
    ]
    assert ["Check the link: cable, optics (SFP)" in f.advice for f in found("path_share", rows)] == [True] * is_found


@pytest.mark.parametrize("kept", [True, False])
def test_a_path_lost_to_one_lcu_is_not_its_channel(kept: bool) -> None:
    rows = [
        taken(n, lcu, name, 100.0) | {"online": True}
        | (LOST if name == "63" and n > 3 and not (kept and lcu == "0043") else {})
        for n in HOURS for name in ("60", "61", "62", "63") for lcu in ("0042", "0043")
    ]  # fmt: skip
    (f,) = found("path_share", rows)
    assert f.text.startswith("Channel path 63 of SYSA went offline to LCU 0042 alone (") == kept
    assert ("bring it back (V PATH). The channel itself is online to 1 other LCU" in f.advice) == kept


@pytest.mark.parametrize("busier", [range(0), range(2, 4), range(6, 8)])
def test_a_path_that_is_lost_again_and_again_is_one_finding(busier: range) -> None:
    """Whichever of its LCUs loses most in which of the runs."""
    gone = [*range(2, 4), *range(6, 8)]
    rows = [
        taken(n, lcu, name, 300.0 if lcu == "0043" and n in busier else 100.0)
        | {"online": True} | (LOST if name == "63" and n in gone else {})
        for n in HOURS for name in ("60", "61", "62", "63") for lcu in ("0042", "0043")
    ]  # fmt: skip
    (finding,) = found("path_share", rows)
    assert finding.capacity == 4 / 3
    assert "went offline (2 times, worst" in finding.text and "LCUs 0042 and 0043 have 3 paths left" in finding.details
    assert finding.about == {lcus([lcu], "SYSA") for lcu in ("0042", "0043")}


@pytest.mark.parametrize(("until", "first"), [(4, "repair what makes the errors of port 06"), (0, ""), (8, "repair")])
def test_a_path_lost_after_errors_of_its_port_is_repaired_before_it_comes_back(until: int, first: str) -> None:
    errors: list[Row] = [
        {"interval_start": at(n), "director": "0061", "port": "06", "kind": "channel", "attached": "63"}
        | {"error_count": 50.0 if n < until else 0.0}
        for n in HOURS
    ]
    rows = paths(taken_rate=None, online=False, hours=range(4, 8))
    (f,) = applied(RULES["path_share"], {"lcu_path_interval": rows, "director_port_interval": errors})
    assert f.advice.startswith(f"First {first}") if first else f.advice.startswith("Find out who took it offline")
    assert ("Port 06 of director 0061 had 200 errors before" in f.details) == bool(first)


def test_lcus_that_answer_late_while_a_path_is_lost_are_a_part_of_it() -> None:
    slow = path(2.4)
    rows = [r | (LOST if r["channel_path"] == "63" and n // 4 > 6 else {}) | {"interval_start": at(n // 4)}
            for n, r in enumerate(paths("0011") + paths("0011"))]  # fmt: skip
    seen = [volume(n, lcu="0011", pend=2.5 if n > 6 else 0.2, cmr_ms=2.4 if n > 6 else 0.1) for n in range(10)]
    every = run(database(lcu_interval=slow, lcu_path_interval=rows[:40], volume_interval=seen))
    (finding,) = (f for f in every if f.code in ("slow_path", "path_share"))
    assert (finding.code, finding.severity) == ("path_share", "act")
    assert "That is why LCU 0011 on SYSA waits longer for the control unit: " in finding.details


def test_few_ios_are_uneven_by_chance() -> None:
    few = [r | {"taken_rate": r["taken_rate"] / 1000} for r in paths(taken_rate=0.0)]
    assert found("path_share", few) == []


def test_a_share_is_unknown_where_the_rate_of_another_path_is() -> None:
    rows = [r | {"taken_rate": None} if r["channel_path"] in "60 61" else r for r in paths(taken_rate=900.0)]
    assert found("path_share", rows) == []
