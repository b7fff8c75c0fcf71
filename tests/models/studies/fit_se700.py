"""The fit behind `se700.toml`: the study's twelve calibration rows, then four cells of four channels for the host."""

import math
from collections.abc import Callable, Sequence

from iosq.models.channel import Channel, _cycle, closed, predict
from iosq.models.studies.se700 import KB, Cell

VARIABILITY = 0.25  # assumed: fixed blocks make service nearly constant; the bounds span 1/16 to 1


def fit(given: list[Cell]) -> dict[str, float]:
    """Machine parameters from the calibration rows among `given`; the others are never looked at."""
    cells = {
        ("read" if c.load.read_ratio else "write", round(c.load.block_bytes / KB), c.load.tasks): c.io_rate
        for c in given
        if c.is_calibration
    }
    parameters = {"turnaround_ms": _turnaround_ms(cells)}
    for side in ("read", "write"):
        parameters |= _side(cells, side, parameters["turnaround_ms"])
    return parameters


def host(box: Channel, given: Sequence[Cell]) -> dict[str, float]:
    """Parameters of the host's I/O system, from the calibration cells among `given`; `box` is the fitted channel."""
    found = {}
    for cell in given:
        if cell.is_calibration:
            side = "read" if cell.load.read_ratio else "write"
            ms = _host_ms(box, cell)
            rate = cell.load.block_bytes / ms * 1e3
            found |= {f"host_{side}_ms": ms} if cell.is_rate else {f"host_{side}_bytes_rate": rate}
    return found


def _host_ms(box: Channel, cell: Cell) -> float:
    """Time in the host's I/O system with which these requests complete at the published rate."""
    cycle = _cycle(box, cell.load, 0.0, cell.channels)
    away_ms = cycle.delay_ms + cycle.station.service_ms
    return _solve(
        lambda ms: closed.throughput(cycle.requests, away_ms - ms, ms, VARIABILITY), cell.io_rate / 1e3, away_ms
    )


def misfit(box: Channel, given: Sequence[Cell]) -> float:
    """Root mean square of the logarithmic error at the rows that the fit leaves out."""
    errors = [math.log(r.io_rate / predict(box, r.load).io_rate) for r in given if not r.is_calibration]
    return math.sqrt(sum(error**2 for error in errors) / len(errors))


def _turnaround_ms(cells: dict[tuple[str, int, int], float]) -> float:
    """6 requesters on 6 volumes pay the host's turnaround, 18 hide it behind the host queue."""
    gaps = [6e3 / cells[side, 4, 6] - 6e3 / cells[side, 4, 18] for side in ("read", "write")]
    return sum(gaps) / len(gaps)


def _side(cells: dict[tuple[str, int, int], float], side: str, turnaround_ms: float) -> dict[str, float]:
    small_ms, large_ms = (1e3 / cells[side, kb, 1] - turnaround_ms for kb in (4, 480))
    link_bytes_rate = cells[side, 480, 18] * 480 * KB
    port_ms = _solve(lambda d: closed.throughput(6, small_ms - d, d, VARIABILITY), cells[side, 4, 18] / 1e3, small_ms)
    middle_ms = _middle(cells[side, 32, 6], max(port_ms, 32 * KB / link_bytes_rate * 1e3), turnaround_ms)
    return {
        f"{side}_port_ms": port_ms,
        f"{side}_link_bytes_rate": link_bytes_rate,
        f"{side}_latency_at_4096_ms": small_ms,
        f"{side}_latency_at_32768_ms": middle_ms,
        f"{side}_latency_at_491520_ms": large_ms,
    }


def _middle(rate: float, service_ms: float, turnaround_ms: float) -> float:
    """Unloaded response at 32 KB that makes six requesters reach the measured rate."""
    delay_ms = _solve(lambda z: closed.throughput(6, z, service_ms, VARIABILITY), rate / 1e3, 10 * service_ms)
    return delay_ms + service_ms - turnaround_ms


def _solve(falling: Callable[[float], float], target: float, upper: float) -> float:
    """The argument in (0, upper) at which a falling function meets the target, by bisection."""
    low, high = 0.0, upper
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > target else (low, middle)
    return (low + high) / 2
