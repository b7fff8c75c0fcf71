"""Reconstructs the listings behind IBM's z/VM PAV study: interim FCX168 reports of one minute each.

The published numbers (z/VM Performance Report, "z/VM PAV Exploitation") are means over eight volumes and the eight
middle minutes of a ten-minute run. The generated rows have exactly these means; their spread over minutes and volumes,
the split of service into pend, disc and conn, and the disturbed first and last minute are assumptions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from iosq.parsers.fcx.printer import DEVICE, Head, number, page, row
from iosq.toolkit.rows import csv_rows, grouped

START = datetime(2006, 2, 1)
MINUTES, VOLUMES = 10, 8
MIDDLE = range(1, MINUTES - 1)
SAMPLES = len(MIDDLE) * VOLUMES
DISTURBED = {0: (0.4, 1.7), MINUTES - 1: (0.3, 0.6)}  # factors of rate and times in the first and last minute
FIRST_DEVICE, FIRST_ALIAS = 0xA100, 0xA180
PATHS = {"ESS F20": 2, "DS8100": 4, "DS6800": 2}


@dataclass(frozen=True, slots=True)
class Cell:
    """One published run: its settings, and rate (I/O per second and volume), service and response (ms)."""

    suite: str
    controller: str
    read_pct: int
    workers: int
    aliases: int
    rate: float
    service_ms: float
    response_ms: float

    @property
    def remark(self) -> str:
        """Text in the page heading that distinguishes the runs."""
        return f"{self.suite} {self.controller}: read {self.read_pct}, workers {self.workers}, aliases {self.aliases}"

    @property
    def system(self) -> str:
        return self.controller.replace(" ", "")


def published() -> list[Cell]:
    """The 420 published runs."""
    counts, means = ("read_pct", "workers_per_volume", "aliases"), ("ior_per_s", "iost_ms", "iort_ms")
    return [
        Cell(r["suite"], r["controller"], *(int(r[name]) for name in counts), *(float(r[name]) for name in means))
        for r in csv_rows(__package__, "zvm_pav_study.csv")
    ]


def write(directory: Path) -> list[Path]:
    """Write one listing per controller into `directory` (created if missing) and return the paths."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for system, cells in grouped(published(), lambda cell: cell.system).items():
        path = directory / f"zvm-pav-{system.lower()}.txt"
        path.write_text("".join(f"{line.rstrip()}\n" for line in listing(cells)), "ascii")
        paths.append(path)
    return paths


def listing(cells: list[Cell]) -> Iterator[str]:
    """The listing of consecutive runs."""
    for run, cell in enumerate(cells):
        for minute in range(MINUTES):
            start = START + timedelta(minutes=run * MINUTES + minute)
            title = "General I/O Device Load and Performance"
            head = Head("FCX168", "INTERIM DEVLOG", title, cell.system, start, 60, cell.remark)
            yield from page(head, run * MINUTES + minute + 1, DEVICE, list(_rows(cell, minute)))


def _spread(value: float, at: int) -> int:
    """Tenths for sample `at`, such that the mean of all `SAMPLES` is `value`: a listing prints one decimal."""
    total = round(value * 10 * SAMPLES)
    return total // SAMPLES + ((at * 37) % SAMPLES < total % SAMPLES)  # 37: spread over volumes and minutes


def _rows(cell: Cell, minute: int) -> Iterator[str]:
    for volume in range(VOLUMES):
        at = (minute - 1) * VOLUMES + volume
        rate, serv = _spread(cell.rate, at), _spread(cell.service_ms, at)
        wait = _spread(cell.response_ms, at) - _spread(cell.service_ms, at)
        if minute in DISTURBED:
            load, slow = DISTURBED[minute]
            rate, serv, wait = round(rate * load), max(1, round(serv * slow)), round(wait * slow)
        yield from _volume(cell, volume, rate, serv, wait)


def _volume(cell: Cell, volume: int, rate: int, serv: int, wait: int) -> Iterator[str]:
    base = f"{FIRST_DEVICE + volume:04X}"
    exposures = cell.aliases + 1
    for exposure in range(exposures):
        share = rate // exposures + (exposure < rate % exposures)
        alias = f"{FIRST_ALIAS + volume * 8 + exposure - 1:04X}"
        name = [base, "3390-3"] if exposure == 0 else [alias, f"->{base}"]
        queue = rate * wait / 1e5 if exposure == 0 else 0.0
        numbers = _cells(cell, share, serv, 0 if exposure else wait, queue)
        yield row(DEVICE, [*name, f"{cell.system[:3]}{volume:03}", *numbers])


def _cells(cell: Cell, rate: int, serv: int, wait: int, queue: float) -> list[str]:
    pend = min(2, serv // 4)
    conn = min(3, (serv - pend) // 2)
    times = [pend, serv - pend - conn, conn, serv, serv + wait]
    busy = min(100.0, rate * serv / 1000)
    printed = [number(v / 10) for v in (rate, 0, *times)]
    rest = [number(0.0), number(queue, 3 if queue < 10 else 2)]
    rest += [f"{busy:.0f}", str(cell.read_pct), "27", "0", "....", "...."]
    return ["0", str(PATHS[cell.controller]), *printed, *rest]
