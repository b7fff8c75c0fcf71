"""Damage stays where it is: a lake of a good dump and mutated ones answers about the good one as if it were alone."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lakes import filled, opened, rows

import iosq
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import views
from tests.command import invoked
from tests.length import tried

# what stands in the good system's own records; a box or a shared volume is in others, too
OWN = ("device_interval", "lcu_interval", "lcu_path_interval", "iop_interval", "channel_interval", "dataset_interval")
# the mutations spare the first record, so that the input is known for a dump
HEAD = 400


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The two systems of the sample: the first one's dump stays good."""
    folder = tmp_path_factory.mktemp("dumps")
    write(folder, intervals=[40], packed=(), names=["healthy"])
    return {name: (folder / name).read_bytes() for name in ("sysa.smf", "sysb.smf")}


def mutated(data: bytes, seed: int, count: int) -> bytes:
    """`count` bytes replaced, by those that overflow and negate most of the time."""
    rng, changed = random.Random(seed), bytearray(data)
    for _ in range(count):
        changed[rng.randrange(HEAD, len(data))] = rng.choice([0, 0x7F, 0x80, 0xFF, rng.randrange(256)])
    return bytes(changed)


def shown(folder: Path, files: dict[str, bytes]) -> dict[str, list[dict[str, Any]]]:
    """What a lake of these files says about the good system."""
    con = opened(filled(folder, files)[0], steady=True)
    return {view: rows(con, f"SELECT * FROM {view} WHERE system = 'SYSA' ORDER BY ALL") for view in OWN}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, dumps: dict[str, bytes]) -> dict[str, list[dict[str, Any]]]:
    return shown(tmp_path_factory.mktemp("alone"), {"sysa.smf": dumps["sysa.smf"]})


@given(seed=st.integers(0, 10_000), count=st.sampled_from([1, 20, 400]))
@settings(max_examples=tried(1, 4), deadline=None)
def test_the_good_dump_keeps_its_numbers(
    tmp_path_factory: pytest.TempPathFactory,
    dumps: dict[str, bytes],
    alone: dict[str, list[dict[str, Any]]],
    seed: int,
    count: int,
) -> None:
    files = {"sysa.smf": dumps["sysa.smf"], "sysb.smf": mutated(dumps["sysb.smf"], seed, count)}
    assert all(alone.values())
    assert shown(tmp_path_factory.mktemp("both"), files) == alone


def test_nothing_impossible_is_shown(tmp_path: Path, dumps: dict[str, bytes]) -> None:
    files = {"sysa.smf": dumps["sysa.smf"], "sysb.smf": mutated(dumps["sysb.smf"], 3, 400)}
    con = opened(filled(tmp_path, files)[0])
    worst = """
        SELECT max(io_rate) AS io_rate, max(reserved_ratio) AS share, min(io_rate) AS least
        FROM device_interval"""
    (row,) = rows(con, worst)
    assert row["io_rate"] <= 100_000
    assert row["least"] >= 0
    assert row["share"] <= 1
    (cached,) = rows(con, "SELECT min(read_ratio) AS least, max(read_ratio) AS most FROM cache_interval")
    assert (cached["least"] >= 0, cached["most"] <= 1) == (True, True)
    assert rows(con, "SELECT * FROM device_interval WHERE interval_start IS NULL") == []
    codes = {r["code"] for r in rows(con, "SELECT DISTINCT code FROM lake_issues")}
    assert codes, "damage is reported"


@pytest.mark.parametrize("count", [0, 400])
def test_what_queries_leave_unchecked_was_checked(tmp_path: Path, dumps: dict[str, bytes], count: int) -> None:
    """Views that are computed from facts need no check where no fact of a day holds an impossible value."""
    store = filled(tmp_path, {"sysb.smf": mutated(dumps["sysb.smf"], 3, count)})[0]
    lake, listed = iosq.open(store.path), "SELECT * FROM impossible_value ORDER BY ALL"
    assert bool(lake.sql("SELECT count(*) FROM impossible_value").item()) == bool(count)
    assert rows(opened(store), listed) == lake.sql(listed).to_dicts()
    con = lake.connection()  # of all views: each value is checked
    computed = [v.name for v in views() if v.computed.sources and v.layer == "promised"]
    assert "volume_interval" in computed
    for name in computed:
        text = f"SELECT * FROM {name} ORDER BY ALL"
        assert lake.sql(text).equals(con.sql(text).pl(), null_equal=True), name


def test_answers_go_on(tmp_path: Path, dumps: dict[str, bytes]) -> None:
    lake = filled(tmp_path, {"sysa.smf": dumps["sysa.smf"], "sysb.smf": mutated(dumps["sysb.smf"], 11, 400)})[0]
    copy, page = str(tmp_path / "copy"), str(tmp_path / "report.html")
    for command in (["advise", "pav"], ["report", "-o", page], ["sql", "SELECT * FROM data_quality"]):
        result = invoked([*command, "--lake", str(lake.path)])
        assert result.exit_code == 0, result.output
    result = invoked(["anonymize", str(lake.path), copy])
    assert result.exit_code == 0, result.output
