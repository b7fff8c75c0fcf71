"""Concurrent commands for ten minutes: two writers; a writer and ten readers. No data lost, no error.

Two writers ingest their own inputs and, at the same moments, the same ones into one lake; at the end every input is
there once, with all its rows. Ten readers query the lake while one writer ingests one input after another: each result
has every input completely or not at all, and never fewer inputs than an earlier result. `--count` is the seconds of
each.
"""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count as counted
from pathlib import Path

import iosq
from tests.figures.children import asked, warm
from tests.figures.kept import ROOT, Figure, Line, failures, number
from tests.figures.kills import rows

SECONDS = 600
READERS = 10
_FORK = multiprocessing.get_context("fork")
Reported = "multiprocessing.Queue[tuple[str, int, str]]"
ASKED = "SELECT file_id, count(*) AS n FROM {table} GROUP BY file_id"


def source(folder: Path, name: str) -> Path:
    """An input unlike all others with the same rows in it: a listing with a line of its own behind it."""
    path = folder / f"{name}.txt"
    if not path.exists():
        text = (ROOT / "tests/golden/rmf/device.txt").read_bytes()
        part = folder / f"{name}.{os.getpid()}.part"  # the other writer sees all of it or nothing
        part.write_bytes(text + f"\n\n{name}\n".encode())
        part.replace(path)
    return path


def _write(folder: Path, who: str, until: float, reported: Reported) -> None:
    """Take inputs until the time is over: one of one's own, one that others take at the same moment."""
    done = 0
    try:
        for turn in counted():
            if time.monotonic() > until:
                break
            for outcome in iosq.ingest(folder / "lake", [source(folder, f"{who}{turn}"), source(folder, f"all{turn}")]):
                assert outcome.status in ("stored", "already"), outcome
            done = turn + 1
        reported.put(("writer", done, ""))
    except BaseException as error:  # noqa: BLE001 - any is what we look for
        reported.put(("writer", done, f"{type(error).__name__}: {error}"))


def _read(folder: Path, whole: int, table: str, until: float, reported: Reported) -> None:
    """Ask until the time is over."""
    asked_times, before = 0, 0
    try:
        while time.monotonic() < until:
            found = iosq.open(folder / "lake").sql(ASKED.format(table=table))["n"].to_list()
            assert set(found) <= {whole}, f"an input with {set(found)} of {whole} rows"
            assert len(found) >= before, f"{len(found)} inputs where {before} were"
            before, asked_times = len(found), asked_times + 1
        reported.put(("reader", asked_times, ""))
    except BaseException as error:  # noqa: BLE001 - any is what we look for
        reported.put(("reader", asked_times, f"{type(error).__name__}: {error}"))


def _all(work: list[Callable[[Reported], None]]) -> list[tuple[str, int, str]]:
    reported: Reported = _FORK.Queue()  # type: ignore[valid-type]
    crowd = [_FORK.Process(target=one, args=(reported,)) for one in work]
    for process in crowd:
        process.start()
    answers = [reported.get() for _ in crowd]  # type: ignore[attr-defined]
    for process in crowd:
        process.join()
    return answers


def crowd(what: str, writers: int, readers: int, seconds: float) -> Line:
    """This many of each, for so long; and what is in the lake in the end."""
    with tempfile.TemporaryDirectory(prefix="iosq-crowd-") as name:
        folder = Path(name)
        asked(lambda: iosq.ingest(folder / "lake", [source(folder, "first")]) and None)
        (table, whole), *_ = [
            (t, len(list(c.elements()))) for (t, _), c in asked(lambda: rows(folder / "lake")).items()
        ]
        until = time.monotonic() + seconds
        work: list[Callable[[Reported], None]] = [
            lambda reported, n=n: _write(folder, "abcdef"[n], until, reported) for n in range(writers)
        ]
        work += [lambda reported: _read(folder, whole, table, until, reported) for _ in range(readers)]
        answers = _all(work)
        wrong = [text for _, _, text in answers if text] + asked(lambda: lacking(folder, whole, table))
    counts = {f"{kind}s": sum(n for k, n, _ in answers if k == kind) for kind in ("writer", "reader")}
    return {
        "what": what,
        "seconds": seconds,
        "ingests": counts["writers"],
        "questions": counts["readers"],
        "wrong": wrong,
    }


def lacking(folder: Path, whole: int, table: str) -> list[str]:
    """Inputs that are not in the lake once and with all rows, and what else is wrong with it."""
    found = [sum(c.values()) for (t, _), c in rows(folder / "lake").items() if t == table]
    wrong = [f"an input with {n} of {whole} rows" for n in found if n != whole]
    listed = iosq.open(folder / "lake").sql("SELECT path FROM lake_files")["path"].to_list()
    there = {p.name for p in folder.glob("*.txt")}
    wrong += [f"{len(listed)} inputs listed, {len(there)} given"] if len(listed) != len(there) else []
    wrong += [f"{len(found)} inputs with rows, {len(there)} given"] if len(found) != len(there) else []
    return wrong + [str(a) for a in iosq.doctor(folder / "lake", hashes=True)]


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Both crowds, unless they were there for so long already."""
    warm()
    seconds = count or SECONDS
    for what, writers, readers in (("two writers", 2, 0), (f"a writer and {READERS} readers", 1, READERS)):
        if not any(n["what"] == what and number(n, "seconds") >= seconds for n in kept):
            yield crowd(what, writers, readers, seconds)


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """Crowds with what they did."""
    return [
        ("processes", "seconds", "ingests of two inputs", "queries", "lost, or an error"),
        *(
            (
                str(n["what"]),
                f"{number(n, 'seconds'):g}",
                str(n["ingests"]),
                str(n["questions"]),
                str(len(failures([n]))),
            )
            for n in kept
        ),
    ]


FIGURE = Figure("crowd", "Concurrent commands", "0 lost, 0 errors in ten minutes", run, table, failures)
