"""Each guide is followed to the letter on a copy of the sources, and does what it says."""

import json
from pathlib import Path

import pytest
from guide_copy import ROOT, files, followed, run

LAKE = """
import json, pathlib
import pyarrow as pa
import pyarrow.parquet as pq
import rmf_support as support
from iosq.parsers.arrow import schema
from iosq.parsers.registry import tables
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.catalog import needed

parts = {}
for name, rows in support.read((support.GOLDEN / "device.txt").read_bytes()).rows.items():
    stored = pa.Table.from_pylist(rows, schema=schema(tables()[name]))
    pq.write_table(stored.append_column("file_id", pa.array(["0" * 16] * len(rows))), f"{name}.parquet")
    parts[name] = [f"{name}.parquet"]

def asked(sql):
    con = connect(tables().values(), parts, {}, root=pathlib.Path.cwd(), only=needed(sql))
    cursor = con.execute(sql)
    names = [c[0] for c in cursor.description]
    return names, [dict(zip(names, r)) for r in cursor.fetchall()]
"""


@pytest.mark.slow
def test_a_listing_report_is_one_file(tmp_path: Path) -> None:
    copy = followed("add-a-listing-report", tmp_path)
    assert [p for p in files("add-a-listing-report") if not p.startswith("tests/")] == ["parsers/rmf/reports/tape.toml"]
    code = """
import json
import rmf_support as support
from iosq.parsers.registry import recognise, tables
data = open("tests/golden/rmf/tape.txt", "rb").read()
assert recognise(data).kind == "rmf.listing" and "rmf_tape_device" in tables()
result = support.read(data)
assert not result.lost() and not result.balance.failed, result.issues
print(json.dumps(result.rows["rmf_tape_device"], default=str))
"""
    first, second = json.loads(run(copy, code))
    assert (first["system"], first["interval_start"], first["interval_s"]) == ("SYSF", "2024-02-11 09:15:00", 899.998)
    assert (first["device"], first["activity_rate"], first["mounts"]) == ("00580", 12.345, 7.0)
    assert (second["device"], second["mounts"], second["message"]) == ("00581", None, "OFFLINE")


@pytest.mark.slow
def test_a_view_is_one_file(tmp_path: Path) -> None:
    copy = followed("add-a-view", tmp_path)
    code = f"""{LAKE}
from iosq.toolkit.sql.catalog import views
names, rows = asked("SELECT * FROM lcu_hour ORDER BY lcu")
assert names == [c.name for v in views() if v.name == "lcu_hour" for c in v.columns]
intervals = asked("SELECT lcu, io_rate * interval_s AS io_count, wait_ms FROM lcu_interval WHERE lcu IS NOT NULL")[1]
print(json.dumps([rows, intervals], default=str))
"""
    rows, intervals = json.loads(run(copy, code))
    assert {r["hour"] for r in rows} == {"2024-02-11 09:00:00"}
    for row in rows:
        within = [i for i in intervals if i["lcu"] == row["lcu"]]
        assert row["io_count"] == pytest.approx(sum(i["io_count"] for i in within))
    assert any(r["wait_ms"] for r in rows)


@pytest.mark.slow
def test_a_chart_is_one_module(tmp_path: Path) -> None:
    copy = followed("add-a-chart", tmp_path)
    code = f"""{LAKE}
from iosq.toolkit.report.chart import charts
chart = next(c for c in charts() if c.name == "lcu_rate")
rows = asked(chart.sql)[1]
print(json.dumps([chart.title(rows), chart.draw(rows).to_dict()["encoding"]["x"]["title"], rows]))
"""
    title, axis, rows = json.loads(run(copy, code))
    assert title == f"LCU {rows[0]['lcu']} of SYSF is the busiest, with {rows[0]['io_rate']:,.0f} I/Os per second"
    assert axis == "I/Os per second"


@pytest.mark.slow
def test_a_command_is_one_module(tmp_path: Path) -> None:
    copy = followed("add-a-command", tmp_path)
    code = f"""
iosq.ingest("lake", [{str(ROOT / "tests/golden/rmf/device.txt")!r}])
from iosq.toolkit.cli.main import command
made = command()
made(["busiest", "--lake", "lake", "--count", "2"], standalone_mode=False)
counts = iosq.open("lake").sql("SELECT sum(io_rate * interval_s) AS n FROM volume_interval GROUP BY system, volume")
print(counts["n"].max())
print(made.commands["busiest"].epilog.split()[-6:])
"""
    head, first, _, most, example = run(copy, code).splitlines()
    assert head == "system,volume,io_count,most_wait_ms"
    assert float(first.split(",")[2]) == pytest.approx(float(most))
    assert example == "['iosq', 'busiest', '--count', '5', '--since', '2026-03-02']"


@pytest.mark.slow
def test_a_machine_is_one_file(tmp_path: Path) -> None:
    copy = followed("add-a-machine", tmp_path)
    code = """
from iosq.models.machine import available, load
assert "our-channel" in available()
machine = load("our-channel")
part = machine.parameters["read_port_ms"]
print(machine.kind, machine.title, part.value, part.unit, part.how, part.source, sep="|")
from iosq.models.migrate.targets import target_of
print(target_of(load("our-quote")).name)
"""
    assert run(copy, code).splitlines() == ["channel|Our channel|0.1|ms|sheet|vendor's data sheet, page 3", "our-quote"]


@pytest.mark.slow
def test_a_record_is_a_folder_of_data(tmp_path: Path) -> None:
    copy = followed("add-a-record", tmp_path)
    assert {str(Path(p).parent) for p in files("add-a-record")} == {"parsers/smf/layouts/200_1"}
    code = """
from datetime import date
from smf_decoders import read
from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.parsers.smf.layout import layouts
day = date(2026, 3, 4)
spec = RecordSpec(
    header={"SMFDRSID": "SYSA", "SMFDRDTE": day, "SMFDRTME": 7},
    product={"SMFDRDAT": day, "SMFDRIST": 900, "SMFDRINT": 900.0, "SMFDRLGO": 0},
    sections={"drawer": [{"R200NAME": "LEFT", "R200MOVES": 12}, {"R200NAME": "RIGHT", "R200MOVES": 7}]},
)
rows = read(encode_record(layouts()[200, 1], spec)).rows["smf200_1_drawer"]
print([(r["system"], r["interval_s"], r["R200NAME"], r["R200MOVES"]) for r in rows])
"""
    assert run(copy, code).strip() == "[('SYSA', 900.0, 'LEFT', 12), ('SYSA', 900.0, 'RIGHT', 7)]"


def test_every_guide_to_adding_something_is_followed_here() -> None:
    text = Path(__file__).read_text("utf-8")
    guides = {p.stem for p in (ROOT / "docs/guides").glob("add-a-*.md")}
    elsewhere = {"add-a-rule"}  # tests/toolkit/advise
    assert {g for g in guides - elsewhere if f'"{g}"' not in text} == set()


RULE = """
import json, sys
sys.path.append(TESTS)
from advise_rows import database, volume
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.docs import markdown
from iosq.toolkit.advise.engine import run
from iosq.toolkit.sql.questions import shipped

rows = [volume(n, name, disc=disc) for n in range(3) for name, disc in (("SLOW01", 40.0), ("FAST01", 0.5))]
con = database(volume_interval=rows)
settings = {"slow_volume": {"response_ms": 50.0}}
print(json.dumps({
    "rules": [r.code for r in all_rules()],
    "questions": [q.name for q in shipped()],
    "found": [[str(f.subject), f.lost_s] for f in run(con) if f.code == "slow_volume"],
    "above the site's own limit": [f.text for f in run(con, settings) if f.code == "slow_volume"],
    "page": "## slow_volume" in markdown() and "twice a read miss of a disk" in markdown(),
}))
"""


@pytest.mark.slow
def test_a_folder_is_all_a_rule_needs(tmp_path: Path) -> None:
    copy = followed("add-a-rule", tmp_path)
    given = json.loads(run(copy, RULE.replace("TESTS", repr(str(ROOT / "tests/toolkit/advise")))))
    assert "slow_volume" in given["rules"] and "slow_volume" in given["questions"] and given["page"]
    # 100 I/Os a second take 40.5 ms instead of 20, for 3 quarter hours
    assert given["found"] == [["SLOW01 on SYSA", pytest.approx(100 * 0.0205 * 2700)]]
    assert given["above the site's own limit"] == []
    shown = run(copy, "found = iosq.describe('slow_volume'); print(found.title, found.text, found.sql)")
    assert "A volume is slow" in shown and "HAVING sum" in shown
    assert "response_ms = 20 ms: mean response of the span" in shown
