"""`iosq simulate`, `iosq validate` and `iosq describe machine` as a user meets them."""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import Result

import iosq
from iosq.settings import settings
from iosq.toolkit.cli.commands.simulate import KINDS
from iosq.toolkit.cli.main import build
from iosq.toolkit.errors import IosqError
from tests.command import invoked


@pytest.fixture(scope="module")
def lake(prepared: Callable[[str], Path]) -> Path:
    return prepared("day") / "lake"


def run(line: str, *more: str) -> Result:
    return invoked([*shlex.split(line), *more], env={"COLUMNS": "200"})


def rows(line: str, *more: str) -> list[dict[str, Any]]:
    done = run(line, *more, "--format", "json")
    assert done.exit_code == 0, (done.output, done.exception)
    found = json.loads(done.stdout, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert isinstance(found, list) and all(isinstance(row, dict) for row in found)
    return found


PAV = {"aliases", "io_rate", "wait_ms", "service_ms", "response_ms", "clears_wait", "limit", "calibrated_on"}
NUMBERS = {
    "simulate pav --rate 120 --wait-ms 4 --pend-ms 1 --disc-ms 3 --conn-ms 1 --read-ratio 0.7 --machine ds8100": PAV,
    "simulate pav --requesters 5 --volumes 8 --read-ratio 0.66 --machine ess-f20": PAV,
    "simulate migrate --to ds8100 --rate 50 --service-ms 6 --volumes 10": {"volume", "response_ms", "utilization"},
    "simulate nvs --machine ibm3990-6 --write-rate 700 --seconds 20": {"delayed_writes", "recovery_s", "verdict"},
    "simulate tape --jobs 64 --ficon 8": {"peak_bytes_rate", "sustained_bytes_rate", "peak_s", "assumed"},
    "simulate channel ficon --tasks 6 --distance-km 0 --distance-km 80": {"io_rate", "bytes_rate", "limit"},
    "simulate dump --storage-gb 4.5": {"volumes", "dump_s", "ipcs_s"},
}


@pytest.mark.parametrize("line", NUMBERS)
def test_numbers_give_rows_and_a_chart_that_says_what_it_found(line: str, tmp_path: Path) -> None:
    found = rows(line, "-o", str(tmp_path / "chart.svg"))
    assert NUMBERS[line] <= set(found[0])
    picture = (tmp_path / "chart.svg").read_text("utf-8")
    assert picture.startswith("<svg")
    assert "ms" in picture or "MB" in picture or "minutes" in picture


def test_charts_come_as_png_and_as_a_page_that_needs_no_network(tmp_path: Path) -> None:
    line = "simulate dump --storage-gb 2"
    run(line, "-o", str(tmp_path / "chart.png"))
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    run(line, "-o", str(tmp_path / "chart.html"))
    page = (tmp_path / "chart.html").read_text("utf-8")
    assert len(page) > 100_000 and 'src="http' not in page


def test_a_table_goes_to_stdout_and_sentences_to_stderr() -> None:
    done = run("simulate pav --rate 120 --wait-ms 4 --service-ms 5 --machine ds8100")
    assert done.stdout.split()[:2] == ["aliases", "io_rate"]
    assert "clears the wait of" in done.stderr and "calibrated on machine file" in done.stderr
    assert "the wait of" not in done.stdout


def test_a_volume_of_the_lake_is_solved_with_its_box(lake: Path) -> None:
    found = rows(f"simulate pav DB2003 --system SYSA --lake {lake} --machine ds8100")
    assert set(found[0]) >= PAV | {"interval_start", "box"}
    now = next(row for row in found if row["now"])
    assert now["aliases"] == 1 and now["wait_ms"] > 0.5
    cleared = next(row for row in found if row["clears_wait"])
    assert cleared["aliases"] > 1 and cleared["response_ms"] < now["response_ms"]


@pytest.fixture
def never_at_ease(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A site that takes any channel for full: path and back end say nothing about more I/Os at once."""
    (tmp_path / "iosq.toml").write_text("[thresholds.headroom]\nchannel_full = 0.0001\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    yield
    settings.cache_clear()


def test_a_lake_that_differs_in_load_needs_no_machine(lake: Path, never_at_ease: None) -> None:
    done = run(f"simulate pav DB2003 --system SYSA --lake {lake}")
    assert "as measured in its busier intervals" in done.stderr
    assert "more may arrive than can be served" in done.stderr


def test_a_way_at_ease_serves_more(lake: Path) -> None:
    done = run(f"simulate pav DB2003 --system SYSA --lake {lake}")
    assert "calibrated on an interval in which channels, command response and disks had room" in done.stderr


def test_one_interval_is_not_identifiable_and_says_what_would_settle_it(tmp_path: Path, never_at_ease: None) -> None:
    from iosq.toolkit.lake.ingest import ingest
    from iosq.toolkit.lake.lake import Lake
    from iosq.toolkit.sample import write

    write(tmp_path / "dumps", intervals=[43])
    ingest(Lake(tmp_path / "lake"), [tmp_path / "dumps"])
    found = rows(f"simulate pav DB2003 --system SYSA --lake {tmp_path / 'lake'}")
    assert not any(row["identifiable"] for row in found)
    assert "not identifiable" in found[0]["settle"]
    later = [row for row in found if row["stable"]][-1]
    assert later["service_low_ms"] < later["service_high_ms"]
    between = [later[name] for name in ("wait_ms", "service_ms", "response_ms")]
    assert between == [None] * 3, "no value between bounds is an answer, on screen or in JSON"
    done = run(f"simulate fit mybox --lake {tmp_path / 'lake'} --lcu 0012")
    assert "not identifiable" in str(done.exception)


def test_a_hyperpav_volume_asks_for_its_pool(lake: Path) -> None:
    found = rows(f"simulate pav BAT009 --system SYSA --lake {lake} --machine ds8100 --aliases 8")
    assert found[0]["pools"] == {"0011": 4}
    assert [row["pool_aliases"] for row in found if row["now"]] == [4]
    waits = [row["wait_ms"] for row in found if row["stable"]]
    assert waits == sorted(waits, reverse=True)


def test_a_volume_that_two_systems_use_is_one_of_the_box(lake: Path) -> None:
    done = run(f"simulate pav --lcu 0011 --system SYSA --lake {lake}")
    (text,) = re.findall(r"(\d+) volumes of (\w+) \(LCU ([\w, ]+)\) together", done.stderr)
    lcus = ", ".join(f"'{lcu}'" for lcu in text[2].split(", "))
    found = iosq.open(lake).sql(f"SELECT count(DISTINCT volume) AS n FROM volume_interval WHERE lcu IN ({lcus})")
    assert int(text[0]) <= found["n"][0]


def test_pools_that_lend_are_asked_together(lake: Path) -> None:
    done = run(f"simulate pav --lcu 0021 --lcu 0022 --system SYSA --lake {lake} --aliases 30")
    assert done.exit_code == 0, done.exception
    assert "LCU 0021 owns 4 aliases, needs" in done.stderr
    assert "LCU 0022 owns 20 aliases" in done.stderr


def test_the_lake_moves_to_another_machine(lake: Path, tmp_path: Path) -> None:
    found = rows(f"simulate migrate --to ds8100 --lake {lake} --lcu 0011 --lcu 0012", "-o", str(tmp_path / "move.svg"))
    assert {row["volume"] for row in found} >= {"DB2003", "BAT009"}
    assert found[0]["boxes"] == max(row["box"] for row in found)
    assert found[0]["growth_max"] > 1
    one = run(f"simulate migrate --to ds8100 --lake {lake} --lcu 0011 --growth 3 --boxes 1")
    assert "times its capacity" in str(one.exception)


def test_the_bounds_of_a_row_hold_what_it_would_be_if_volumes_kept_their_differences(lake: Path) -> None:
    # as much data as the machine was measured with: beyond it there is no upper end
    found = rows(f"simulate migrate --to ds8100 --lake {lake} --lcu 0012 --boxes 1 --footprint-gb 0.1")
    mean = found[0]["box_response_ms"]
    usual = sum(r["io_rate"] * r["measured_response_ms"] for r in found) / sum(r["io_rate"] for r in found)
    assert len(found) > 9
    for r in found:
        as_now = r["measured_response_ms"] * mean / usual
        for text in (r["response_ms"], as_now):
            assert r["response_low_ms"] < text < r["response_high_ms"]


def test_a_subsystem_of_the_lake_is_asked_with_its_whole_box(lake: Path, tmp_path: Path) -> None:
    """NVS is the box's: few writes go to 3022, many to 3021, and both get one answer, today's row as measured."""
    picture = tmp_path / "nvs.svg"
    now, more = rows(f"simulate nvs --subsystem 3022 --lake {lake} --growth 3 -o {picture}")
    assert now["nvs_bytes"] == 2 << 30
    assert (now["load"], more["load"]) == ("measured", "asked")
    assert more["write_rate"] == pytest.approx(3 * now["write_rate"])
    assert now["delayed_writes"] == 0 < more["delayed_writes"]  # at most: no interval of this lake shows a ceiling
    other = rows(f"simulate nvs --subsystem 3021 --lake {lake} --growth 3")
    assert [row | {"subsystem": "3022"} for row in other] == [now, more]
    assert "delayed writes" in picture.read_text("utf-8")
    calm = run(f"simulate nvs --subsystem 2010 --lake {lake}")
    assert "not identifiable" in calm.stderr


def test_a_lake_fits_a_machine_file_that_pav_takes(lake: Path, tmp_path: Path) -> None:
    target = tmp_path / "mybox.toml"
    assert run(f"simulate fit mybox --lake {lake} --lcu 0012 -o {target}").exit_code == 0
    done = run(f"simulate pav --rate 50 --wait-ms 2 --service-ms 4 --machine {target}")
    assert "calibrated on machine file mybox, fitted to 8 intervals" in done.stderr


BAD = {
    "simulate pav --rate -5 --service-ms 3": "--rate",
    "simulate pav --rate 5 --service-ms 3 --read-ratio 1.5": "--read-ratio",
    "simulate pav --rate 5 --service-ms 0": "--service-ms",
    "simulate pav --rate 5 --service-ms 3 --exposures 0": "--exposures",
    "simulate pav --rate 900 --service-ms 3": "its demand is 2.7 times its capacity",
    "simulate pav --rate 5 --service-ms 3 --machine ds9999": "ds9999",
    "simulate pav --rate 5 --service-ms 3 --machine ficon": "ficon is a channel",
    "simulate pav NOSUCH": "NOSUCH",
    "simulate pav DB2003": "--system",
    "simulate pav --lcu 9999": "9999",
    "simulate pav --lcu 0012 --system SYSA": "dedicated",
    "simulate migrate --to nowhere": "nowhere",
    "simulate migrate --to ficon": "ficon",
    "simulate migrate --to ds8100 --lcu 0020 --at 2001-01-01": "--at",
    "simulate nvs --subsystem 9999": "9999",
    "simulate nvs --subsystem 3021 --timeline": "--timeline",
    "simulate nvs --subsystem 3021 --seconds 5": "--seconds",
    "simulate nvs --write-rate 5": "--machine",
    "simulate change growth": "--growth: no growth is given",
    "simulate change growth --growth 0": "--growth: must be above zero, not 0",
    "simulate change growth --growth -1": "--growth: must be above zero, not -1",
    "simulate change growth --growth nan": "--growth: must be above zero, not nan",
    "simulate change growth --growth 1.3 --volume nosuch": "there is no volume NOSUCH",
    "simulate change larger": "choose zhyperlink, channels, mirror, back-end, growth",
    "simulate change mirror --km 10 --growth 1.3": "--growth: does not belong to the change mirror; leave it out",
    "simulate tape --jobs 0": "jobs",
    "simulate tape --dual-copy 2": "dual_copy_ratio",
    "simulate channel ds8100": "not a channel",
    "simulate channel escon --distance-km 900": "reach",
    "simulate dump --storage-gb 0": "--storage-gb",
    "simulate fit mybox --points no-such.csv": "no-such.csv",
    "describe machine ds9999": "ds9999",
    "describe wait_ms --sql": "neither a view nor a rule",
    "validate nonsense": "nonsense",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_input_is_one_line_that_names_it(line: str, lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IOSQ_LAKE", str(lake))
    done = run(line)
    assert isinstance(done.exception, IosqError), done.output
    assert BAD[line] in str(done.exception)
    assert "\n" not in str(done.exception)


def test_a_rule_is_described_by_its_name_alone_or_behind_what_it_is() -> None:
    assert run("describe rule closed_load").stdout == run("describe closed_load").stdout != ""


@pytest.mark.parametrize("name", ["closed_load", "volume_interval", "nvs_delay"])
def test_a_rule_and_a_view_show_their_sql_when_asked(name: str) -> None:
    assert "SELECT" not in run(f"describe {name}").stdout
    assert run(f"describe {name} --sql").stdout.count("SELECT") > 1


def test_machines_are_listed_and_described() -> None:
    assert "ess-f20" in run("describe machine").stdout
    found = rows("describe machine ibm3990-6")
    assert next(row for row in found if row["parameter"] == "nvs_bytes")["value"] == 16 << 20
    assert all(row["source"] for row in found)


def test_validate_prints_predicted_published_and_error() -> None:
    done = run("validate vts -v")
    assert "published numbers" in done.stdout and "error_percent" in done.stdout
    facts = [row for row in rows("validate dump") if row["kind"] == "fact"]
    assert {"predicted", "published", "error_percent", "role"} <= set(facts[0])


def test_every_kind_of_question_is_a_command() -> None:
    assert set(get_command(build()).commands["simulate"].commands) == set(KINDS)  # type: ignore[attr-defined]


def test_commands_in_the_guides_are_commands() -> None:
    guides = Path(__file__).parents[3] / "docs" / "guides"
    app = get_command(build())
    lines = [
        line.strip().split("  ")[0]
        for name in ("what-if.md", "add-a-machine.md")
        for line in (guides / name).read_text("utf-8").splitlines()
        if line.startswith(("    iosq simulate", "    iosq validate", "    iosq describe"))
    ]
    assert len(lines) > 15
    for line in lines:
        command, words = app, shlex.split(line)[1:]
        while words and hasattr(command, "commands"):
            command, name, words = command.commands[words[0]], words[0], words[1:]
        command.make_context(name, words)


def test_boxes_that_do_not_carry_the_load_are_not_recommended() -> None:
    """One volume alone lacks exposures for the longer service times: more boxes are no help, and that comes first."""
    given = run("simulate migrate --to ds6800 --rate 900 --service-ms 1 --read-ratio 0.5").stderr
    assert "no number of boxes carries this load now" in given
    assert given.index("no number of boxes") < given.index("the fewest with no station")
    assert (
        "no number of boxes" not in run("simulate migrate --to ds8100 --rate 9 --service-ms 5 --read-ratio 0.5").stderr
    )


def test_the_middle_of_bounds_is_no_rate_that_falls() -> None:
    asked = "simulate pav --requesters 8 --volumes 8 --read-ratio 0.33 --footprint-gb 0.06 --machine ds8100 --aliases 7"
    done = run(asked)
    assert "only bounds are known" in done.stdout and "rate falls" not in done.stderr
