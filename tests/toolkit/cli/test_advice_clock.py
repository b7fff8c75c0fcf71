"""Times in advice: the heading names the clock, and --utc shows the same instants in UTC."""

import datetime as dt
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import invoked

AHEAD = dt.timedelta(hours=1)


@pytest.fixture(scope="module")
def lake(prepared: Callable[[str], Path]) -> Path:
    return prepared("day") / "lake"


def advice(lake: Path, *options: str) -> str:
    done = invoked(["advise", *options, "--lake", str(lake)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def windows(text: str) -> list[str]:
    return re.findall(r"\b(\d\d:\d\d)-\d\d:\d\d", text.split("\n\n", 1)[1])


def later(at: str) -> str:
    return f"{dt.datetime.strptime(at, '%H:%M') + AHEAD:%H:%M}"


def test_advice_names_its_clock_first_and_moves_by_the_offset(lake: Path) -> None:
    local, utc = advice(lake, "pav"), advice(lake, "pav", "--utc")
    assert "2025-11-18 local time (+01:00), intervals" in " ".join(local.split("\n\n")[0].split())
    assert re.search(r"2025-11-18 UTC,\s+intervals", utc.split("\n\n")[0])
    assert windows(local)
    assert windows(local) == [later(at) for at in windows(utc)]


@pytest.mark.parametrize("options", [("pav", "--every"), ("migrate", "--to", "ds8100")])
def test_so_do_tables_and_machines(lake: Path, options: tuple[str, ...]) -> None:
    local, utc = advice(lake, *options), advice(lake, *options, "--utc")
    assert " local time (+01:00)" in " ".join(local.split("\n\n")[0].split())
    assert "local" not in utc
    assert re.search(r"\bUTC\b", utc)
    shown, moved = (re.findall(r"\b(\d\d:\d\d)-\d\d:\d\d on|peak at \S+ (\d\d:\d\d)", t) for t in (local, utc))
    assert shown
    assert sorted("".join(at) for at in shown) == sorted(later("".join(at)) for at in moved)


def test_programs_read_the_clock_from_the_name(lake: Path) -> None:
    hours = [h for f in json.loads(advice(lake, "pav", "--format", "json", "--utc")) for h in f["hours"]]
    assert hours
    assert {name for h in hours for name in h if "time" in name} == {"utc_time"}
