"""A short form of each figure, and the page that shows the long ones."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.figures import fuzz, interrupts, reached, sql_reach
from tests.figures.__main__ import NAMES, figure
from tests.figures.changes import changes
from tests.figures.dependencies import audited, fits, licensed, vulnerable
from tests.figures.kept import KEPT, ROOT, Kept
from tests.figures.mutants import AREAS, equivalent, lines_of, sources
from tests.figures.nearest import UNCHANGED, nearest
from tests.figures.page import markdown

# in a process of its own: it forks, and this one has threads
SHORT = """
import json, tempfile
from pathlib import Path
from tests.figures import bombs, crowd, faults, fuzz, interrupts, kills
from tests.figures.children import warm
warm()
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    template = folder / "template"
    template.mkdir()
    kills.made(template)
    task = {t.name: t for t in kills.TASKS}
    report = lambda figure, line: print(json.dumps({"figure": figure, **line}), flush=True)
    for name in ("ingest", "compact"):
        report("kills", kills.shots(task[name], template, folder, "short", 1))
    report("interrupts", interrupts.shots("describe wait_ms", template, folder, "short", 1))
    report("faults", faults.forbidden(task["compact"], template, folder))
    if faults.may_mount():
        report("faults", faults.read_only(task["sql -o"], template, folder))
        report("faults", faults.full(task["compact"], template, folder, 2))
report("crowd", crowd.crowd("two writers", 2, 0, 0.5))
report("crowd", crowd.crowd("a writer and 2 readers", 1, 2, 1))
for what in ("zstd", "XML entities, 10 to the 30th", "65,535 sections in a record of 100 bytes"):
    report("bombs", bombs.dropped(what))
report("fuzz", fuzz.piece("fcx", -1, 10))
"""


@pytest.fixture(scope="module")
def short() -> list[dict[str, object]]:
    done = subprocess.run([sys.executable, "-c", SHORT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", ["kills", "interrupts", "faults", "crowd", "bombs", "fuzz"])
def test_a_short_run_keeps_its_promise(name: str, short: list[dict[str, object]]) -> None:
    lines = [line for line in short if line["figure"] == name]
    assert lines
    assert figure(name).failures(lines) == []  # type: ignore[arg-type]
    assert len(figure(name).table(lines)) > 1  # type: ignore[arg-type]


def test_what_is_against_a_promise_is_stated() -> None:
    for name in ("kills", "faults", "crowd", "bombs", "fuzz"):
        wrong = {"what": "ingest", "wrong": ["half a file"], "tried": 1, "refused": 0, "ingests": 0, "questions": 0}
        assert figure(name).failures([wrong]) == ["ingest: half a file"]


def test_an_input_that_failed_counts_until_it_is_mended() -> None:
    (mended, *_) = sorted((ROOT / "tests/broken/fuzz/xmit").glob("*.bin"))
    texts = [f"run 1: wrong (kept as {name})" for name in (mended.name, "0123456789ab.bin")]
    line = {"what": "xmit", "wrong": [*texts, "no input"]}
    assert figure("fuzz").failures([line]) == [f"xmit: {texts[1]}", "xmit: no input"]


def test_the_page_shows_what_was_kept() -> None:
    text = (ROOT / "docs/reference/trust.md").read_text("utf-8")
    assert text == markdown(Kept(KEPT), NAMES), "run python -m tests.figures --page docs/reference/trust.md"


def test_the_page_lists_failures_and_what_is_missing(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.jsonl")
    kept.add("kills", {"what": "ingest", "kills": 3, "wrong": ["half a file"]})
    text = markdown(kept, NAMES)
    assert "| ingest | 3 | 1 |" in text
    assert "- ingest: half a file" in text
    assert text.count("Not run yet.") == len(NAMES) - 1


def test_every_package_has_a_licence_that_fits() -> None:
    line = licensed()
    assert line["wrong"] == []
    assert int(str(line["looked at"])) > 40
    assert not fits("GPL-3.0-only")
    assert fits("GPL-3.0-only OR MIT")


def test_packages_that_could_not_be_audited_are_not_counted() -> None:
    reported = [
        {"name": "a", "version": "1", "vulns": [{"id": "CVE-1"}]},
        {"name": "b", "skip_reason": "not found"},
    ]
    assert audited(json.dumps({"dependencies": reported})) == (1, ["a 1: CVE-1"])


@pytest.mark.parametrize(
    ("program", "words"),
    [("", "pip-audit is not installed (make audit)"),
     ("echo 'no name for the host' >&2; exit 1", "no name for the host"),
     ("""echo '{"dependencies": [{"name": "a", "skip_reason": "no"}]}'""", "knows none of the packages")],
    ids=["none", "silent", "nothing known"],
)  # fmt: skip
def test_what_could_not_be_asked_is_stated_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, words: str
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "nothing"))
    if program:
        (tmp_path / "pip-audit").write_text(f"#!/bin/sh\n{program}\n")
        (tmp_path / "pip-audit").chmod(0o755)
    line = vulnerable()
    assert line["looked at"] == 0
    (failed,) = figure("dependencies").failures([line])
    assert failed.startswith("known vulnerabilities: not asked: ") and words in failed


SOURCES = {
    "f.py": ("x = a < b and not c\ny: int | None = min(d * 2, '1 + 1')  # 3 < 4\n",
             {"x = a <= b and not c", "x = a < b or not c", "x = a < b and c",
              "y: int | None = min(d / 2, '1 + 1')  # 3 < 4", "y: int | None = min(d * 3, '1 + 1')  # 3 < 4",
              "y: int | None = max(d * 2, '1 + 1')  # 3 < 4"}),
    "f.sql": ("-- a < b\nSELECT coalesce(max(a, 0), '1 + 1') FROM t WHERE a IS NULL\n",
              {"SELECT max(a, 0) FROM t WHERE a IS NULL", "SELECT coalesce(min(a, 0), '1 + 1') FROM t WHERE a IS NULL",
               "SELECT coalesce(max(a, 1), '1 + 1') FROM t WHERE a IS NULL",
               "SELECT coalesce(max(a, 0), '1 + 1') FROM t WHERE a IS NOT NULL"}),
    "f.toml": ('value = 1.5\nsource = "2"\n', {"value = 3"}),
    "f.csv": ("section,offset_dec,name\nHEAD,4,X,5\n", {"HEAD,5,X,5"}),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
def test_changes_are_of_meaning_only(name: str, tmp_path: Path) -> None:
    text, expected = SOURCES[name]
    (path := tmp_path / name).write_text(text)
    assert {lines_of(text, change)["is"] for change in changes(path)} == expected


def test_every_python_source_still_parses_with_any_change() -> None:
    files = [p for area in AREAS for p in sources(area) if p.suffix == ".py"]
    for path in files[::10]:
        text = (ROOT / path).read_text("utf-8")
        for change in changes(ROOT / path)[::7]:
            compile(change.applied(text), str(path), "exec")


def test_the_nearest_tests_are_those_of_the_folder_that_name_the_file() -> None:
    found = [p.relative_to(ROOT).as_posix() for p in nearest(Path("toolkit/advise/rules/slow_path/query.sql"), ROOT)]
    assert found[0].startswith("tests/toolkit/advise/")
    assert re.search(r"\bslow_path\b", (ROOT / found[0]).read_text("utf-8"))
    assert nearest(Path("parsers/rmfxml/report.py"), ROOT)[0].parent == ROOT / "tests/parsers/rmf"
    assert nearest(Path("models/nvs/subsystem.py"), ROOT)[0].parent == ROOT / "tests/models/nvs"


def test_what_holds_all_answers_is_there_to_be_asked_first() -> None:
    for test in {test for held in UNCHANGED.values() for tests in held for test in tests}:
        file, _, name = test.partition("::")
        assert f"\ndef {name}(" in (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize(
    ("command", "code", "stated", "words"),
    [("describe", 130, "iosq: interrupted\n", ""), ("describe", 0, "", ""),
     ("describe", 130, "Traceback\niosq: interrupted\n", "a traceback"), ("describe", 130, "", "printed []"),
     ("describe", -9, "did not end", "code -9"), ("sample made", 0, "", "left ['new']"),
     ("doctor", 0, "", "temporary")],
)  # fmt: skip
def test_what_an_interrupt_left_is_looked_at(tmp_path: Path, command: str, code: int, stated: str, words: str) -> None:
    (tmp_path / "out.html").write_bytes(b"old")
    (tmp_path / "tmp").mkdir()
    for name in {"sample made": ["made", "new"], "doctor": ["tmp/spill"]}.get(command, []):
        (tmp_path / name).mkdir()
    found = interrupts.wrong(command, tmp_path, {"out.html"}, code, stated)
    assert words in found if words else found == ""


def test_a_line_belongs_to_the_outermost_function() -> None:
    text = "A = 1\n\nclass C:\n    x = 2\n    def f(self):\n        def g():\n            return 1\n        return g\n"
    places = {1: "<module>", 4: "C", 5: "C.f", 7: "C.f", 8: "C.f"}
    assert {line: reached.function_at(text, line) for line in places} == places


def test_what_stands_above_a_file_with_sql_is_known() -> None:
    view = sql_reach.above(Path("toolkit/sql/views/volume_headroom.sql"))
    assert view.own == {"volume_headroom"}
    assert "pav_add_alias" in view.names and "?pav_add_alias_then" in view.questions
    macro = sql_reach.above(Path("toolkit/sql/macros/worst_run.sql"))
    assert {"link_full", "slow_path"} <= macro.own
    assert sql_reach.above(Path("toolkit/advise/rules/link_full/query.sql")).questions == {"?link_full"}


RECORDED = """
import sys, tempfile
from pathlib import Path
from tests.figures import copies
copy, name = Path(sys.argv[1]), Path("tests/models/nvs/test_bucket.py")
out = Path(sys.argv[2]) / "reach.json"
print(copies.tested(copy, [str(name)], copies.reached.Recorder(copy, out, 60), 90))
found = copies.reached.load(out)
print(found.whole, min(map(len, found.reached.values())) > 0, "models/nvs/__init__.py:" in str(found.reached))
"""


def test_what_a_test_reaches_is_recorded_in_a_fork(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RECORDED, str(ROOT), str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["('passed', '')", "True True True"], done.stderr


def test_what_changes_nothing_has_a_reason_and_is_still_in_the_source() -> None:
    listed = equivalent()
    assert all(listed.values())
    gone = [key for key in listed if key[1] not in (ROOT / key[0]).read_text("utf-8")]
    assert not gone, f"take these out of equivalent.csv: {gone}"


def test_a_turn_is_one_change() -> None:
    turns = Counter((line["turn"], line["file"], line["was"], line["is"]) for line in Kept(KEPT).lines("mutants"))
    assert len({turn for turn, *_ in turns}) == len(turns)


def test_fuzzing_reads_the_kinds_it_is_reported() -> None:
    found = list(fuzz.run([{"what": "gzip", "inputs": 3}], 5, ["gzip", "xz"]))
    assert [(line["what"], line["inputs"]) for line in found] == [("gzip", 2), ("xz", 5)]
    wrong = [sys.executable, "-m", "tests.figures", "fuzz", "--kind", "nothing"]
    assert (
        "no such kind: nothing; there are bzip2, fcx"
        in subprocess.run(wrong, cwd=ROOT, capture_output=True, text=True, check=False).stderr
    )
