"""How often the published number is inside the stated 90 % interval, model by model, at numbers that no fit saw."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from iosq.models.coverage import NORMAL_90
from iosq.models.machine import load
from iosq.models.studies import bs2000, ibm3990_6, se700
from iosq.models.studies.catalog import studies
from iosq.models.studies.ibm3990_6 import Row, is_calibration, predictor
from iosq.toolkit.predict import spread
from iosq.toolkit.predict.channel import answer

VALIDATION = Path(__file__).parents[3] / "docs" / "explanation" / "models" / "validation.md"
PROTOCOLS = ("CR", "B'", "D15", "D15 across", "A")
HEADER = "| model and files | cells not used in a fit | inside | share |\n|---|---|---|---|"


@dataclass(frozen=True)
class Covered:
    """One line of the table; `inside` is empty where only the share is known."""

    model: str
    cells: str
    inside: int
    of: int

    @property
    def share(self) -> float:
        """Percent."""
        return 100 * self.inside / self.of


def markdown() -> str:
    """The table of the page."""
    lines = [f"| {c.model} | {c.cells} | {c.inside} of {c.of} | {c.share:.0f} % |" for c in table()]
    boxes = [f"| `pav`, `migrate`: fitted boxes | {words} | – | {share:.0f} % |" for words, share in of_boxes()]
    return "\n".join([HEADER, *boxes, *lines])


def of_boxes() -> Iterable[tuple[str, float]]:
    """Shares of the table of the PAV study: all boxes, each never seen by its prior."""
    text = VALIDATION.read_text(encoding="utf-8")
    for protocol in PROTOCOLS:
        found = re.search(rf"\| {re.escape(protocol)} \| box never seen \| all \| all boxes \|([^\n]*)", text)
        assert found, protocol
        yield f"PAV study, protocol {protocol}", float(found[1].split("|")[2])


@cache
def table() -> tuple[Covered, ...]:
    """Every other model."""
    rates = "3990-6: rates, each with the misfit of the others"
    every = "`channel`, `tape`, `dump`: files without misfit of their own, pooled"
    return (
        Covered("`channel`: se700", "bs2000: one, two and four channels", *_counted(_channels())),
        Covered("`nvs`, `migrate`: ibm3990-6", rates, *_counted(_rates())),
        *(Covered("pooled misfit of the other studies", name, *_counted(_pooled(name))) for name in errors()),
        Covered(every, "all of these", *_counted(one for name in errors() for one in _pooled(name))),
    )


def _counted(inside: Iterable[bool]) -> tuple[int, int]:
    found = list(inside)
    return sum(found), len(found)


def _channels() -> Iterable[bool]:
    return (low <= c.io_rate <= high for c in bs2000.cells() if not c.is_calibration for low, high in [stated(c)])


def stated(cell: se700.Cell) -> tuple[float, float]:
    """The interval that `iosq simulate channel se700` states."""
    load = cell.load
    asked = {"block_bytes": [load.block_bytes], "tasks": [load.tasks], "distance_km": [0.0]}
    (row,) = answer("se700", **asked, read_ratio=load.read_ratio, volumes=load.volumes, exposures=load.exposures,
                    channels=cell.channels).rows  # fmt: skip
    return row["io_rate_low"], row["io_rate_high"]


def left_out() -> list[Row]:
    """The published rates of the 3990-6 that no fit has seen."""
    units = ("SSCH/s", "MB/s", "MB/s/channel")
    return [r for r in ibm3990_6.rows() if r.unit in units and predictor(r) and not is_calibration(r)]


def rate_errors() -> np.ndarray:
    """Logarithms of predicted over published rates of the 3990-6."""
    box = load("ibm3990-6")
    return np.array([math.log(predictor(r)(box, r) / r.value) for r in left_out()])


def _rates() -> Iterable[bool]:
    """Each with the misfit of all others."""
    off = rate_errors() ** 2
    for row, others in zip(left_out(), (off.sum() - off) / (len(off) - 1), strict=True):
        box = load("ibm3990-6").varied(rate_misfit_ratio=math.sqrt(others))
        ask = partial(lambda r, m: {"rate": predictor(r)(m, r)}, row)
        low, high = spread.ends(box, ask, ask(box))["rate"]
        yield low <= row.value <= high


@cache
def errors() -> dict[str, np.ndarray]:
    """Logarithms of predicted over published, of each study's numbers that no fit saw."""
    scored = {
        name: [math.log1p(c.error_ratio) for c in study.checks() if c.role == "scored" and c.error_ratio is not None]
        for name, study in studies().items()
    }
    return {name: np.abs(found) for name, found in scored.items() if found}


def pooled_misfit(names: Iterable[str]) -> float:
    """Standard deviation of a normal error that is as large in one of ten as those of these studies."""
    return float(np.quantile(np.concatenate([errors()[name] for name in names]), 0.9)) / NORMAL_90


def _pooled(name: str) -> list[bool]:
    """By what all other studies missed; the spread of numbers, which the commands add, left out."""
    most = NORMAL_90 * pooled_misfit(other for other in errors() if other != name)
    return [bool(error <= most) for error in errors()[name]]
