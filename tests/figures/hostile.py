"""Malicious names in a whole day of measurements: the page, every chart, the workbook, the words of findings.

Every name in the raw tables of a sample day is prefixed with one of `tests/hostile/names.csv`. The page and all
charts are opened in headless Chromium, where a script that runs is detected. In the workbook no cell may be a
formula and no link may lead outside. Without a browser the pages are not opened, and no result is kept. `--count` is
the number of days.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import openpyxl

from iosq.parsers.registry import tables
from iosq.toolkit.advise.engine import run as find
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.anonymize.columns import replaced
from iosq.toolkit.report.chart import charts, render, rows_of
from iosq.toolkit.report.page import texts
from iosq.toolkit.report.write import write
from iosq.toolkit.sample.day import make_day
from iosq.toolkit.show import output
from iosq.toolkit.show.picture import picture
from tests.days import PACKAGES
from tests.figures.kept import ROOT, Figure, Line, failures
from tests.materialised import materialised
from tests.scoring.memory import lake

sys.path += [str(ROOT / "tests" / place) for place in ("toolkit/advise", "toolkit/report", "hostile")]
PLANS = ("clinic", "week")


def evil_day(con: duckdb.DuckDBPyConnection, evil: list[str]) -> None:
    """Every name in the raw tables of a lake in memory gets one of these in front of it."""
    con.execute("CREATE TEMP TABLE evil AS SELECT unnest(?) AS text, unnest(range(?)) AS n", [evil, len(evil)])
    for name, columns in {t.name: replaced(t) for t in tables().values()}.items():
        if con.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchall():
            for column in columns.keys() - {"file_id"}:
                reported = f"(SELECT text FROM evil WHERE n = hash({column}) % {len(evil)}) || {column}"
                con.execute(f"UPDATE {name} SET {column} = {reported} WHERE {column} <> ''")
    con.execute("DROP TABLE evil")


def written(copy: duckdb.DuckDBPyConnection, folder: Path, found: list[Finding]) -> list[str]:
    """The names of the pages that a day gives: the report, and each chart that has something to show."""
    write(copy, folder / "page.html")
    write(copy, folder / "book.xlsx", "xlsx")
    shown = [c.name for c in charts() if rows_of(copy, c, lambda: found)]
    for name in shown:
        output.write(folder / f"{name}.html", picture(render(name, copy, lambda: found), ".html"))
        output.write(folder / f"{name}.svg", picture(render(name, copy, lambda: found), ".svg"))
    return ["page.html", *(f"{name}{ending}" for name in shown for ending in (".html", ".svg"))]


def acting(book: Path) -> list[str]:
    """Cells of a workbook that are formulas, or link to somewhere else."""
    cells = [cell for sheet in openpyxl.load_workbook(book) for row in sheet.iter_rows() for cell in row]
    linked = [c for c in cells if c.hyperlink and c.hyperlink.target and not c.hyperlink.target.startswith("#")]
    return [f"{c.parent.title}!{c.coordinate} acts" for c in [c for c in cells if c.data_type == "f"] + linked]


def opened(folder: Path, names: list[str], frames: str, ran: str) -> list[str]:
    """What is wrong with pages in a browser; one more is meant to run a script, so that it is known to be seen."""
    from chromium import body, dom

    (folder / "seen.html").write_text(f"<script>{ran}</script>", "utf-8")
    inside = "".join(f'<iframe src="{name}" onload="loaded()"></iframe>' for name in [*names, "seen.html"])
    (folder / "all.html").write_text(frames.replace("FRAMES", inside), "utf-8")
    seen = body(dom(folder / "all.html", folder / "profile"))
    reported = {"loaded": str(len(names) + 1), "ran": "1"}
    return [f"{key}: {seen[key]} instead of {value}" for key, value in reported.items() if seen[key] != value]


def day(plan: str, seed: int) -> Line:
    """One day with hostile names through every way out."""
    from advise_rows import ABOUT
    from test_hostile import FRAMES, NAMES, RUN

    con = lake(make_day(seed, plan=PACKAGES[plan]))
    evil_day(con, [text for text in NAMES if text.strip()])
    for name, columns in ABOUT.items():
        con.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
    with tempfile.TemporaryDirectory(prefix="iosq-hostile-") as name, materialised(con, texts()) as copy:
        found = find(copy)
        names = written(copy, Path(name), found)
        wrong = opened(Path(name), names, FRAMES, RUN) + acting(Path(name, "book.xlsx"))
    return {"what": plan, "seed": seed, "findings": len(found), "pages": len(names), "wrong": wrong}


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Go on to `count` days of each plan."""
    from chromium import BROWSER

    for plan in PLANS if BROWSER else ():
        done = sum(n["what"] == plan for n in kept)
        yield from (day(plan, seed) for seed in range(done + 1, (count or 1) + 1))


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """A line for each day."""
    rows = [(str(n["what"]), str(n["findings"]), str(n["pages"]), str(len(failures([n])))) for n in kept]
    return [("day", "findings", "pages and charts opened", "scripts run, formulas, links"), *rows]


FIGURE = Figure("hostile", "Hostile names", "no script runs, no cell is a formula", run, table, failures)
