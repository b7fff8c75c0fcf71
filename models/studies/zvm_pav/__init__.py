"""The z/VM minidisk PAV study: 3 boxes, 4 read mixes, 7 worker levels, 5 alias counts; 420 cells, means over 8 volumes.

Closed load: every worker keeps one 4 KiB random I/O outstanding to its own 83-cylinder minidisk. Rates are per
volume, service is pend + disc + conn, response is service plus host queue time.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from iosq.models.arrays import Columns, Floats, Mask
from iosq.toolkit.rows import csv_rows

TITLE = "IBM, z/VM Performance Report: z/VM PAV Exploitation (z/VM 5.2.0 with APAR VM63855)"
BLOCKS_PER_CYLINDER = 180  # 4 KiB blocks on a 3390: 12 to a track, 15 tracks


@dataclass(frozen=True)
class Configuration:
    """One box of the study. `usable_cache_gb`: volumes on a single LSS use the cache of only one of two clusters."""

    machine: str
    controller: str
    model: str
    cache_gb: float
    lss_count: int
    volumes: int
    channels: int
    footprint_gb_per_worker: float

    @property
    def usable_cache_gb(self) -> float:
        return self.cache_gb * min(1.0, self.lss_count / 2)


@dataclass(frozen=True)
class Conditions(Columns):
    """Settings of the runs without measurements: arrays of equal length.

    population: requests per volume: the number of workers, or by Little's law if `inferred`, then without those in
    turnaround; footprint_gb: total of all volumes.
    """

    controller: NDArray[np.str_]
    read_ratio: Floats
    workers: Floats
    aliases: Floats
    population: Floats
    footprint_gb: Floats
    inferred: Mask

    @property
    def exposures(self) -> Floats:
        """Exposures in use per volume: min(population, aliases + 1)."""
        return np.minimum(self.population, self.aliases + 1)


@dataclass(frozen=True)
class Cells(Columns):
    """Conditions with their measurements; `defective` cells violate Little's law by more than 10 %."""

    conditions: Conditions
    rate: Floats
    service_ms: Floats
    response_ms: Floats
    defective: Mask


@cache
def configurations() -> dict[str, Configuration]:
    """The three boxes by controller name, in the study's order."""
    return {row["controller"]: _configuration(row) for row in csv_rows(__name__, "configurations.csv")}


@cache
def cells() -> Cells:
    """All 420 cells in the source's order."""
    rows = csv_rows(__name__, "cells.csv")
    numbers = {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "controller"}
    controller = np.array([row["controller"] for row in rows])
    workers = numbers["workers_per_volume"]
    per_worker = np.array([configurations()[name].footprint_gb_per_worker for name in controller])
    conditions = Conditions(
        controller,
        numbers["read_pct"] / 100,
        workers,
        numbers["aliases"],
        workers,
        workers * per_worker,
        np.zeros(len(rows), bool),
    )
    bad = {_key(row) for row in csv_rows(__name__, "defective.csv")}
    defective = np.array([_key(row) in bad for row in rows])
    return Cells(conditions, numbers["ior_per_s"], numbers["iost_ms"], numbers["iort_ms"], defective)


def _configuration(row: dict[str, str]) -> Configuration:
    volumes = int(row["volumes"])
    worker_bytes = int(row["minidisk_cyl_per_worker"]) * BLOCKS_PER_CYLINDER * int(row["block_bytes"])
    return Configuration(
        **{name: row[name] for name in ("machine", "controller", "model")},
        cache_gb=float(row["cache_gb"]),
        lss_count=int(row["lss_count"]),
        volumes=volumes,
        channels=int(row["ficon_chpids_1gb"]),
        footprint_gb_per_worker=worker_bytes * volumes / 1e9,
    )


def _key(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in ("controller", "read_pct", "workers_per_volume", "aliases"))
