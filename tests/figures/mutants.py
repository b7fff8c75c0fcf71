"""Changes of meaning in a copy of the source, one at a time, and whether a test that reaches one fails because of it.

Files are drawn at random from formulas, decoders, models and rules, a quarter each. The functions and queries that a
test reaches are recorded once (`.reached/`), so that only tests that reach a change run, the fastest first. Views,
queries, rules and models are compared with all their earlier results (`UNCHANGED`). A change is caught if a test fails
that passes without it or, for limits, fields and machines, if the pages generated from them are out of date according
to `make docs`. It is undecided if no test failed within the time limit. Survivors and undecided changes
are counted. Changes without a visible effect are in `equivalent.csv` with the reason and do not count.
`--count` is the total number of changes to try; 0 repeats those not caught so far.

Tests were added for the first survivors, so the table is about these changes and is no estimate for others:
of the last 118 drawn, the existing tests had caught 75 % of those with an effect.
"""

import csv
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.figures.changes import Change, changes
from tests.figures.chosen import Chosen, Only, chosen
from tests.figures.copies import RECORD_S, SLACK_S, changed, compiled, copied, recorded, tested, warm
from tests.figures.kept import ROOT, Figure, Line

AREAS = {
    "formulas": (
        "toolkit/sql/views", "toolkit/sql/macros", "toolkit/compare", "toolkit/trend", "toolkit/significance.py",
        "toolkit/predict",
    ),
    "decoders": ("parsers",),
    "models": ("models",),
    "rules": ("toolkit/advise",),
}  # fmt: skip
# what makes test data, documents or layout of text, not answers
LEFT_OUT = re.compile(r"situations|score\.py|docs\.py|/encode\.py|text\.py|output\.py|lines\.py|unlocated|_common/")
LONGEST_S = 120  # of processor time for one change
DATA, PAGES = (".toml", ".csv"), "make docs"
EQUIVALENT = Path(__file__).with_name("equivalent.csv")


def sources(area: str) -> list[Path]:
    """Files of an area that can be changed, relative to the root."""
    found = [p for place in AREAS[area] for p in (ROOT / place, *(ROOT / place).rglob("*")) if p.is_file()]
    kinds = [p.relative_to(ROOT) for p in found if p.suffix in (".py", ".sql", ".toml") or "layouts" in p.parts]
    return sorted(p for p in kinds if p.suffix != ".md" and not LEFT_OUT.search(p.as_posix()) and changes(ROOT / p))


def drawn(turn: int, area: str, files: list[Path]) -> tuple[Path, Change]:
    """The change of a turn: any file of the area, the larger the likelier, any place in it."""
    random = Random(f"{area}/{turn}")
    path = random.choices(files, [len(changes(ROOT / p)) ** 0.5 for p in files])[0]
    return path, random.choice(changes(ROOT / path))


def tried(copy: Path, path: Path, change: Change, sound: dict[str, bool]) -> Line:
    """Make one change in the copy, run the tests that reach it, take it back."""
    text, began = (ROOT / path).read_text("utf-8"), time.process_time() + _childrens()
    with changed(copy / path, text, change):
        if path.suffix in DATA and out_of_date(copy):
            outcome, test = "caught", PAGES
        else:
            outcome, test = _first_failure(copy, list(chosen(path, change, copy)))
    if outcome == "failed":
        name = test.partition("[")[0]
        if name not in sound:
            sound[name] = tested(copy, [name.partition("::")[0]], Only([test]), RECORD_S)[0] == "passed"
        outcome = "caught" if sound[name] else "unsound test"
    return {
        "file": str(path), "line": text.count("\n", 0, change.start) + 1, **lines_of(text, change), "outcome": outcome,
        "test": test.partition("[")[0], "cpu_s": round(time.process_time() + _childrens() - began, 1),
    }  # fmt: skip


def out_of_date(copy: Path) -> bool:
    """Whether `make docs` says so: generated pages give limits, fields and machines."""
    command = [sys.executable, "-m", "iosq.toolkit.reference", "--check"]
    env = {**os.environ, "PYTHONPATH": str(copy)}
    return subprocess.run(command, cwd=copy, env=env, capture_output=True, check=False).returncode != 0


def _childrens() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _first_failure(copy: Path, steps: list[list[Chosen]]) -> tuple[str, str]:
    """'failed' and the test that did; 'survived', or 'unready' where the time was over and no other failed."""
    ready, until = True, _childrens() + LONGEST_S
    for step in steps:
        if _childrens() > until:
            return "unready", ""
        outcome, test = _of_step(copy, step)
        if outcome == "failed":
            return outcome, test
        ready = ready and outcome == "passed"
    return ("survived" if ready else "unready"), ""


def _of_step(copy: Path, step: list[Chosen]) -> tuple[str, str]:
    tests = [test for c in step for test in c.tests]
    if not tests:
        return recorded(copy, step[0].file)
    seconds = int(2 * sum(c.seconds for c in step)) + SLACK_S
    return tested(copy, [str(c.file) for c in step], Only(tests), seconds)


def lines_of(text: str, change: Change) -> dict[str, str]:
    """The lines of a change, as they are and as they would be."""
    start = text.rfind("\n", 0, change.start) + 1
    end = text.find("\n", change.end)
    was = text[start:end]
    return {"was": was.strip(), "is": (text[start : change.start] + change.new + text[change.end : end]).strip()}


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Go on to `count` changes, the areas in turn; 0: those again that were not caught."""
    sound: dict[str, bool] = {}
    warm()
    with copied() as copy:
        compiled(copy)
        assert not out_of_date(copy), "first: python -m iosq.toolkit.reference"
        if count == 0:
            for line in _left(kept):
                if change := _again(line):
                    yield {"turn": line["turn"], "area": line["area"], **tried(copy, *change, sound)}
            return
        files = {area: sources(area) for area in AREAS}
        done = {line["turn"] for line in kept}
        areas = {n: list(AREAS)[n % len(AREAS)] for n in range(300 if count is None else count) if n not in done}
        for turn, area in areas.items():
            yield {"turn": turn, "area": area, **tried(copy, *drawn(turn, area, files[area]), sound)}


def _again(line: Line) -> tuple[Path, Change] | None:
    """The change of a line in the source as it is now; None where that line is no more."""
    path = Path(str(line["file"]))
    text = (ROOT / path).read_text("utf-8") if (ROOT / path).exists() else ""
    same = (
        (c for c in changes(ROOT / path) if lines_of(text, c) == {"was": line["was"], "is": line["is"]}) if text else ()
    )
    change = next(iter(same), None)
    return change and (path, change)


def latest(kept: list[Line]) -> list[Line]:
    """The last result of every turn: a survivor that was tried again counts as it is now."""
    return list({line["turn"]: line for line in kept}.values())


def equivalent() -> dict[tuple[str, str, str], str]:
    """Changes that change nothing anyone could see: file, line as it was, line as it would be; and why."""
    with EQUIVALENT.open(encoding="utf-8", newline="") as file:
        return {(row["file"], row["was"], row["is"]): row["why"] for row in csv.DictReader(file)}


def _key(line: Line) -> tuple[str, str, str]:
    return str(line["file"]), str(line["was"]), str(line["is"])


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """Areas with their shares, and all of them."""
    same, rows = equivalent(), [("part", "tried", "equivalent", "caught", "survived", "undecided", "caught of decided")]
    for area in (*AREAS, "all"):
        lines = [line for line in latest(kept) if area in (line["area"], "all")]
        reported = [line for line in lines if _key(line) not in same]
        caught = sum(line["outcome"] == "caught" for line in reported)
        survived = sum(line["outcome"] == "survived" for line in reported)
        counts = (len(lines), len(lines) - len(reported), caught, survived, len(reported) - caught - survived)
        rows.append((area, *map(str, counts), f"{caught / (caught + survived):.1%}" if caught + survived else ""))
    return rows


def _left(kept: list[Line]) -> list[Line]:
    """Changes that no test has noticed, and that something does change."""
    same = equivalent()
    return [n for n in latest(kept) if n["outcome"] != "caught" and _key(n) not in same]


def failures(kept: list[Line]) -> list[str]:
    """Survivors, a line each."""
    return [f"{n['file']}:{n['line']} ({n['outcome']}): `{_cut(n['was'])}` as `{_cut(n['is'])}`" for n in _left(kept)]


def _cut(text: object) -> str:
    return str(text).partition(",http")[0][:140]


FIGURE = Figure(
    "mutants", "Changes of the code that tests detect", "at least 95 % of changes are caught", run, table, failures
)
