"""Analytic what-if for 10,000 volumes and 8 alias counts, closed and open; the aim is a second on one core."""

import time

import numpy as np

from iosq.models.machine import load
from iosq.models.pav.closed import what_if_closed
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.open_load import OpenVolumes, box_stretch, sweep
from iosq.models.pav.volume import ClosedVolumes

VOLUMES, COUNTS, PER_BOX = 10_000, 8, 500


def main() -> None:
    """Print seconds for each kind of what-if; volumes are spread over boxes of 500."""
    rng = np.random.default_rng(0)
    box = box_from_machine(load("ds8100"))
    for name, work in (("closed", _closed), ("open", _open)):
        started = time.perf_counter()
        for _ in range(VOLUMES // PER_BOX):
            work(box, rng)
        seconds = time.perf_counter() - started
        print(f"{name} PAV what-if, {VOLUMES:,} volumes x {COUNTS} alias counts: {seconds:.2f} s")


def _closed(box, rng) -> None:
    volumes = ClosedVolumes.of(rng.uniform(0.2, 6, PER_BOX), rng.uniform(0, 1, PER_BOX), 0.02)
    what_if_closed(box, volumes, range(COUNTS), rng)


def _open(box, rng) -> None:
    service = rng.uniform(0.3, 2, PER_BOX)
    volumes = OpenVolumes.of(
        rng.uniform(1, 18, PER_BOX), rng.uniform(0, 2, PER_BOX), service, rng.integers(1, 5, PER_BOX), 0.8, 0.002
    )
    exposures = np.arange(1, COUNTS + 1)[:, None] * np.ones(PER_BOX)
    sweep(volumes, exposures, box_stretch(box, volumes, COUNTS))


if __name__ == "__main__":
    main()
