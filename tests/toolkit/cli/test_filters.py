"""Every command that reads a lake can be narrowed, and says so in one line if that leaves nothing."""

import csv
import importlib
import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import iosq
from iosq.toolkit.cli.main import command
from iosq.toolkit.errors import IosqError
from tests.command import invoked

ALL = ("--since", "--until", "--system", "--lcu", "--volume")
# a command that opens a lake and lacks one of them needs a reason here
LACKS = {
    "anonymize": (ALL, "issues have no time and no system, so a part of a lake can't be shared with its own balance"),
    "compact": (ALL, "small files are merged, whatever part is asked about"),
    "doctor": (ALL, "files of a lake are whole or damaged, whatever part is asked about"),
    "export delta": (ALL, "a second export adds what is new in the lake, which a part of it does not show"),
    "export duckdb": (ALL, "its views read the files of all days; who asks the database narrows them"),
    "ingest": (ALL, "a file is stored wholly or not at all"),
    "prepare": (ALL, "what is kept serves every part that is asked about"),
    "prune": (ALL, "old days go for all systems and volumes, as their files do"),
    "watch": (ALL, "all that arrives is looked at; --days names the time"),
    "simulate fit": (("--system", "--volume"), "a box is fitted to all its volumes and systems together"),
    "validate": (("--system", "--lcu", "--volume"), "each change is predicted from the load of its whole box"),
    "simulate nvs": (("--lcu", "--volume"), "a subsystem's NVS is shared by all its volumes; --subsystem names it"),
}
COMMANDS = Path(importlib.import_module("iosq.toolkit.cli.commands").__path__[0])


def _leaves(made: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    children = getattr(made, "commands", None)
    if children is None:
        yield " ".join(path), made
    for name, child in (children or {}).items():
        yield from _leaves(child, (*path, name))


def _opens_a_lake(made: Any) -> bool:
    """Whether the command asks for a lake."""
    return any("--lake" in p.opts or p.metavar == "LAKE" for p in made.params)


def test_every_command_that_opens_a_lake_has_every_filter() -> None:
    lacking = {}
    for path, made in _leaves(command()):
        if _opens_a_lake(made):
            missing = set(ALL) - {option for p in made.params for option in p.opts}
            if missing != set(LACKS.get(path, ((), ""))[0]):
                lacking[path] = sorted(missing)
    assert not lacking, f"take a group of toolkit/cli/options.py, or write down in LACKS why not: {lacking}"
    assert set(LACKS) <= {path for path, made in _leaves(command()) if _opens_a_lake(made)}


def test_options_are_declared_in_one_table() -> None:
    texts = {path: path.read_text("utf-8") for path in (*COMMANDS.rglob("*.py"), COMMANDS.parent / "options.py")}
    own = [path.name for path, text in texts.items() if "typer.Option(" in text and path.name != "options.py"]
    assert not own, f"{own}: put the options into toolkit/cli/options.csv"
    with (COMMANDS.parent / "options.csv").open(encoding="utf-8", newline="") as file:
        declared = [(row["of"], row["parameter"]) for row in csv.DictReader(file)]
    assert len(set(declared)) == len(declared)
    for of, parameter in declared:
        users = [t for t in texts.values() if re.search(rf"(def|class) {of}\(" if of else "", t)]
        assert any(re.search(rf"^ +{parameter}: ", t, re.MULTILINE) or f"({parameter}: " in t for t in users), parameter


def run(line: str) -> Result:
    return invoked(shlex.split(line), env={"COLUMNS": "200"})


def rows(line: str) -> Any:
    done = run(f"{line} --format json")
    assert done.exit_code == 0, (done.output, done.exception)
    return json.loads(done.stdout)


@pytest.fixture
def day(prepared: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IOSQ_LAKE", str(prepared("day") / "lake"))
    return prepared("day") / "lake"


@pytest.fixture
def weeks(prepared: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("IOSQ_LAKE", str(prepared("weeks") / "lake"))
    return prepared("weeks") / "lake"


SPANS = "2025-11-10..2025-11-14 2025-11-17..2025-11-21"
REFUSED = {
    "report --system sysx": "--system: there is no system SYSX in the lake; there are SYSA, SYSB",
    "advise pav --lcu 99": "--lcu: there is no LCU 0099 in the lake; there are 0001, 0010",
    "chart response_by_volume --volume db2o03": "did you mean DB20",
    "report --since 2025-12-01": "no interval starts at 2025-12-01 00:00 or later; the first starts 2025-11-18 01:00",
    "advise pav --volume db2003 --lcu 10": "--lcu, --volume: there is nothing here for LCU 0010 and volume DB2003",
    "demo --until 2025-11-18 --since 2025-11-19": "--until: 2025-11-18 is not after 2025-11-19",
    "trend --system sysx": "there are SYSA, SYSB",
    "simulate pav db2003 --system sysx": "--system: there is no system SYSX",
    "simulate pav db2003 --since 2025-12-01": "no interval of volume DB2003 starts at 2025-12-01",
    "simulate pav db2003 --system sysa --system sysb": "--system: SYSA, SYSB can't be combined",
    "simulate pav db2003 --volume db2004": "--volume: DB2003, DB2004 can't be combined",
    "simulate pav 0010": "--volume: there is no volume 0010 in the lake; an LCU has this name: --lcu 0010",
    "simulate pav db2003 --lcu 12": "exclude each other",
    "simulate pav --lcu 11 --system sysx": "--system: there is no system SYSX",
    "simulate pav --lcu xyz": "--lcu: 'xyz' is not up to four hexadecimal digits",
    "simulate pav --rate 5 --service-ms 3 --since 2025-11-18": "--since: the command reads no lake",
    "simulate migrate --to ds8100 --volume db2003 --lcu 10": "nothing here for",
    "simulate migrate --to ds8100 --rate 5 --service-ms 3 --lcu 10": "the command reads no lake: --rate is given",
    "simulate nvs --subsystem 3021 --system sysb": "no system SYSB in cache_subsystem_interval",
    "simulate nvs --subsystem 3021 --since 2026-01-01": "--since: no interval starts",
    "simulate nvs --subsystem 3021 --machine ibm3990-6": "--machine: a subsystem of the lake has its own NVS",
    "simulate nvs --write-rate 5 --since 2025-11-18": "--since: the command reads no lake",
    "simulate fit box --lcu 12 --lcu 20": "AB121, CD472",
    "simulate fit box --points x.csv --lcu 12": "--lcu: the command reads no lake",
    "compare 2025-11-18 2025-12-18": "2025-12-18: no interval starts at 2025-12-18",
    "compare 2025-11-18 2025-11-18 --volume nosuch": "2025-11-18 --volume: there is no volume NOSUCH",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_leaves_nothing_is_refused_in_one_line(line: str, day: Path) -> None:
    done = run(line)
    assert isinstance(done.exception, IosqError), (done.output, done.exception)
    assert REFUSED[line] in str(done.exception)
    assert "\n" not in str(done.exception)
    assert not done.stdout


def test_an_empty_answer_of_sql_stays_one_but_not_without_a_word(day: Path) -> None:
    count = 'sql "SELECT count(*) AS n FROM {}" --format csv'
    gone = run(f"{count.format('volume_interval')} --system sysx")
    assert gone.stdout.split() == ["n", "0"]
    assert "note: --system: there is no system SYSX" in gone.stderr
    whole = run(f"{count.format('channel_interval')} --lcu 12")
    assert "note: --lcu: channel_interval is not narrowed by it" in whole.stderr
    assert "note: --system: raw tables can't be filtered" in run(f"{count.format('lake_files')} --system SYSA").stderr
    unknown = run(f"{count.format('nvs_delay')} --lcu 99")
    assert "note: --lcu: nvs_delay is narrowed to whole boxes only" in unknown.stderr
    assert "note" not in run(f"{count.format('volume_interval')} --system sysa --lcu 12").stderr


def test_a_time_that_cuts_intervals_says_which(day: Path) -> None:
    cuts = "--since 2025-11-18T10:45 --until 2025-11-18T10:50"
    asked = 'sql "SELECT count(*) AS n FROM volume_interval"'
    goes_on = "the interval of SYSA and SYSB from 2025-11-18 10:45 to 2025-11-18 11:00 goes on after that"
    assert goes_on in run(f"{asked} {cuts}").stderr
    assert goes_on in " ".join(run(f"advise pav {cuts}").output.split())
    assert "interval of" not in run(f"{asked} --since 2025-11-18T10:45 --until 2025-11-18T11:00").stderr


def test_what_belongs_to_a_box_stays_whole_but_other_boxes_go(day: Path) -> None:
    """NVS and destage are the box's: numbers of one of its subsystems would be no box's. Others aren't asked for."""
    asked = 'sql "SELECT DISTINCT subsystem FROM cache_subsystem_interval ORDER BY 1"'
    for narrow in ("--lcu 12", "--volume db2003", "--lcu 12 --system sysa"):
        assert [r["subsystem"] for r in rows(f"{asked} {narrow}")] == ["2010", "2011", "2012"]
    assert len(rows(asked)) == 6
    assert "narrowed to whole boxes only" in run(f"{asked} --lcu 12").stderr
    destaged = "sql \"SELECT sum(destage_rate) AS n FROM cache_subsystem_interval WHERE subsystem < '3'\""
    ((part,), (whole,)) = rows(f"{destaged} --lcu 12"), rows(destaged)
    assert part["n"] == pytest.approx(whole["n"], rel=1e-12)  # threads add in any order


def test_pav_solves_the_whole_box_whatever_is_named(day: Path) -> None:
    """A narrow span must not part the volumes of a box, nor change what one interval gives.

    The ends of measured means hold the scatter around the curve of the box, which is fitted over the span.
    """
    whole = rows("simulate pav DB2003 --system SYSA --machine ds8100")
    peak = "--since 2025-11-18T10:45 --until 2025-11-18T11:00"
    ends = {f"{part}_{end}_ms" for part in ("service", "response") for end in ("low", "high")}
    narrow = rows(f"simulate pav --volume db2003 --system sysa --machine ds8100 {peak}")
    assert [{k: v for k, v in r.items() if k not in ends} for r in narrow] == [
        {k: v for k, v in r.items() if k not in ends} for r in whole
    ]
    text = run(f"simulate pav db2003 --system sysa --machine ds8100 {peak}").stderr
    assert "64 volumes of AB121" in text
    quiet = rows("simulate pav DB2003 --system SYSA --machine ds8100 --until 2025-11-18T09:00")
    assert quiet[0]["interval_start"] < whole[0]["interval_start"]


def test_a_box_is_one_box_for_a_system_that_gathers_no_cache_records_of_it(day: Path) -> None:
    from iosq.toolkit.predict.lake import platforms, readings, statement

    con = iosq.open(day, system="SYSB").connection(statement())
    assert {r.box for r in readings(con, platforms(con)[0]) if r.lcu.startswith("002")} == {"CD472"}


def test_one_lcu_has_many_spellings(day: Path) -> None:
    asked = "simulate pav --system sysa --machine ds8100 --aliases 6 --lcu"
    assert rows(f"{asked} 11") == rows(f"{asked} 0011") == rows(f"{asked} 11 --lcu 0011")
    assert rows("simulate migrate --to ds8100 --lcu 12") == rows("simulate migrate --to ds8100 --lcu 0012")


def test_what_moves_is_what_is_named(day: Path) -> None:
    found = rows("simulate migrate --to ds8100 --volume db2003 --volume db2004")
    assert {r["volume"] for r in found} == {"DB2003", "DB2004"}
    one, other, both = (
        {r["volume"]: r["io_rate"] for r in rows(f"simulate migrate --to ds8100 --lcu 12 --at 2025-11-18T09:45Z {s}")}
        for s in ("--system sysa", "--system sysb", "")
    )
    assert both == pytest.approx({name: one[name] + other[name] for name in both})
    local = {r["volume"]: r["io_rate"] for r in rows("simulate migrate --to ds8100 --lcu 12 --at 2025-11-18T10:45")}
    assert local == both
    assert "I/Os of other systems" in run("simulate migrate --to ds8100 --lcu 12 --system sysa").stderr


def test_a_burst_and_a_fit_come_from_the_span(day: Path) -> None:
    early, late = (
        rows(f"simulate nvs --subsystem 3021 --growth 3 {s}")[0]["write_rate"]
        for s in ("--until 2025-11-18T10:00", "--since 2025-11-18T10:00")
    )
    assert max(early, late) == rows("simulate nvs --subsystem 3021 --growth 3")[0]["write_rate"]
    assert early != late
    fitted = run("simulate fit box --lcu 12 --since 2025-11-18T05:00")
    assert "not identifiable from 6 intervals" in str(fitted.exception)


def test_volumes_grow_by_themselves_and_together(weeks: Path) -> None:
    found = {
        (t["kind"], t["system"], t["subject"], t["measure"]): t["level"]
        for t in rows("trend --volume db2003 --volume db2004 --volume onl001")
    }
    assert {kind for kind, *_ in found} == {"volume", "lcu_volumes", "box_volumes"}
    for measure in ("io_rate", "queue_length"):
        parts = [found["volume", "SYSA", name, measure] for name in ("DB2003", "DB2004")]
        assert found["lcu_volumes", "SYSA", "0012", measure] == pytest.approx(sum(parts))
        every = [level for (kind, *_, m), level in found.items() if kind == "volume" and m == measure]
        assert found["box_volumes", "", "AB121", measure] == pytest.approx(sum(every))


def test_what_cannot_be_narrowed_is_left_out(weeks: Path) -> None:
    kinds = {t["kind"] for t in rows("trend")}
    assert kinds == {"box", "lcu", "channel", "extent_pool", "page_space"}
    done = run("trend --lcu 12 --format json")
    assert {t["kind"] for t in json.loads(done.stdout)} == {"lcu"}
    assert "left out, because a filter does not apply: box (--lcu), channel (--lcu)" in done.stderr
    assert {c["kind"] for c in rows(f"compare {SPANS} --system SYSA")["changes"]} == {"lcu", "volume"}


def test_the_page_of_the_demo_is_narrowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import iosq.toolkit.sample as sample

    whole = sample.write
    monkeypatch.setattr(sample, "write", lambda *args, **more: whole(*args, **more, intervals=range(40, 44)))
    done = run(f"demo -o {tmp_path / 'r.html'} --lcu 10 --system sysa")
    assert done.exit_code == 0, done.exception
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "ONL000" in page and "DB2003" not in page
