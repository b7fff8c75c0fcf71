"""Lakes of mutated inputs, and all commands that read them: a result, or a refusal in one line.

Each lake has a valid input and three mutated ones of every kind with measurements. All views are computed
and stored. The commands give rows as CSV, advice, trends, a comparison with itself, the report as a page (every fourth
lake: charts take longest) or a workbook, and an anonymized copy, which must be a valid lake again. Trends need whole
days, which such lakes lack. `--count` is the total number of lakes.
"""

import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import iosq
from tests.figures.children import asked, warm
from tests.figures.kept import Figure, Line, number
from tests.fuzz.kinds import KINDS
from tests.fuzz.mutate import mutated

MEASURED = ("smf", "rmf", "rmfxml", "fcx", "monwrite")
PER_KIND = 3
PAGES = 4
"""Of this many lakes one is shown as a page, the others as a workbook."""
KEY = b"sixteen bytes or more"


def made(folder: Path, turn: int) -> Path:
    """A lake of sound and mutated inputs; those of a turn are the same on every machine."""
    for kind in MEASURED:
        seeds = KINDS[kind].seeds()
        data = [seeds[turn % len(seeds)], *(mutated(seeds, turn * PER_KIND + n, 7, text=KINDS[kind].text)
                                            for n in range(PER_KIND))]  # fmt: skip
        for n, one in enumerate(data):
            (folder / f"{kind}{n}").write_bytes(one)
    iosq.ingest(folder / "lake", sorted(p for p in folder.iterdir() if p.is_file()))
    return folder / "lake"


def _rows(lake: Path, folder: Path) -> None:
    opened = iosq.open(lake)
    for view in ("device_interval", "volume_interval", "lake_issues"):
        opened.export(f"SELECT * FROM {view}", folder / f"{view}.csv")


def _advice(lake: Path, _: Path) -> None:
    opened = iosq.open(lake)
    opened.findings, opened.verdicts()


def _copy(lake: Path, folder: Path) -> None:
    iosq.anonymize(lake, folder / "copy", key=KEY)
    assert not (found := iosq.doctor(folder / "copy", hashes=True)), found


WORK: dict[str, Callable[[Path, Path], object]] = {
    "views": lambda lake, _: iosq.open(lake).connection().close(),
    "CSV": _rows,
    "advise": _advice,
    "advise migrate": lambda lake, _: iosq.open(lake).advise("migrate"),
    "trend": lambda lake, _: iosq.open(lake).trend(),
    "compare": lambda lake, _: iosq.compare(iosq.open(lake), iosq.open(lake)),
    "report": lambda lake, folder: iosq.open(lake).report(folder / "report.html"),
    "workbook": lambda lake, folder: iosq.open(lake).report(folder / "report.xlsx"),
    "anonymize": _copy,
}


def tried(work: Callable[[Path, Path], object], lake: Path, folder: Path) -> str:
    """'' for an answer, 'refused', or where an exception came from."""
    try:
        work(lake, folder)
    except iosq.IosqError as error:
        return "refused" if "\n" not in str(error) else f"more than one line: {error}"
    except Exception as error:  # noqa: BLE001 - any is what we look for
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}: {error}"[:300]
    return ""


def lake(turn: int) -> Line:
    """What became of all questions to one lake."""
    with tempfile.TemporaryDirectory(prefix="iosq-lakes-") as name:
        path = made(Path(name), turn)
        left_out = "report" if turn % PAGES else "workbook"
        stated = {what: tried(work, path, Path(name)) for what, work in WORK.items() if what != left_out}
    wrong = [f"{what}: {text}" for what, text in stated.items() if text not in ("", "refused")]
    return {
        "turn": turn,
        "asked": list(stated),
        "refused": [w for w, text in stated.items() if text == "refused"],
        "wrong": wrong,
    }


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Go on to `count` lakes."""
    warm()
    for turn in range(max((int(number(n, "turn")) + 1 for n in kept), default=0), count or 1000):
        try:
            yield asked(lambda turn=turn: lake(turn))
        except RuntimeError as error:
            yield {"turn": turn, "asked": [], "refused": [], "wrong": [f"ingest: {error}"]}


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """What was asked, of how many lakes, and what became of it."""
    rows: list[tuple[str, ...]] = [("command", "lakes", "refused in one line", "failed")]
    for what in WORK:
        refused = sum(what in n["refused"] for n in kept)  # type: ignore[operator]
        wrong = sum(text.startswith(f"{what}: ") for text in failures(kept))
        asked_of = len({n["turn"] for n in kept if what in n["asked"]})  # type: ignore[operator]
        rows.append((what, str(asked_of), str(refused), str(wrong)))
    return rows


def failures(kept: list[Line]) -> list[str]:
    """What was no answer and no refusal, as each lake was asked last."""
    return [f"{text}" for n in {n["turn"]: n for n in kept}.values() for text in n["wrong"]]  # type: ignore[attr-defined]


FIGURE = Figure("lakes", "Lakes of mutated inputs", "a result, or a refusal in one line", run, table, failures)
