"""How good can a prediction of the z/VM study get? `python -m tests.models.studies.floor_zvm_pav` (minutes).

Three floors for the cells each protocol of `iosq validate` scores, mean absolute error of the rate in percent:

* repeated: a cell predicted by the other measurements of the same state (unused aliases change nothing);
* hindsight: the curve fitted to all sound cells of the box, the asked ones among them;
* all else: the model for a box never seen, given every cell of the box but those of the asked state that the protocol
  does not give. No protocol gives more.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.calibrate import Calibration
from iosq.models.fit.prior import Prior
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.studies.zvm_pav.load import box_load
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.predictors import fitted
from iosq.models.validate.zvm_pav import PROTOCOLS

SCORED = ("CR", "B'", "D15", "E")
LARGEST_GB = float(cells().conditions.footprint_gb.max())
Floats, Positions = NDArray[np.float64], NDArray[np.int_]


def main() -> None:
    """Print the tables of validation.md."""
    _print("floor", ["repeated", "hindsight", "all else"], [repeated(), hindsight(), all_else()])


def states() -> list[Positions]:
    """Positions of the sound cells of each state: box, mix, workers and exposures in use."""
    have = cells().conditions
    found: dict[tuple[object, ...], list[int]] = {}
    for at in np.flatnonzero(~cells().defective).tolist():
        key = (have.controller[at], have.read_ratio[at], have.workers[at], have.exposures[at])
        found.setdefault(key, []).append(at)
    return [np.array(group) for group in found.values()]


def repeated() -> Floats:
    """Rates by the mean of the other measurements of a state; NaN where it was measured once."""
    rate = np.full(len(cells()), np.nan)
    for group in states():
        for at in group if len(group) > 1 else ():
            rate[at] = np.exp(np.mean(np.log(cells().rate[group[group != at]])))
    return rate


def hindsight() -> Floats:
    """Rates by the most likely curve through all sound cells."""
    rate = np.full(len(cells()), np.nan)
    for controller in configurations():
        at = np.flatnonzero(_sound(controller))
        fit = _fit(controller, at)
        rate[at] = fit.box.rate(fit.points.load) / configurations()[controller].volumes
    return rate


def all_else() -> Floats:
    """Rates of each state by the model that was given all other states."""
    rate = np.full(len(cells()), np.nan)
    for group in states():
        controller = str(cells().conditions.controller[group[0]])
        sound = np.flatnonzero(_sound(controller))
        rate[group] = _rates(_fit(controller, sound[~np.isin(sound, group)]), group)
    return rate


def _fit(controller: str, at: Positions) -> Calibration:
    return fitted(cells().pick(at), configurations()[controller], _prior(controller))


@cache
def _prior(controller: str) -> Prior:
    return prior_of_others(configurations()[controller], LARGEST_GB)


def _rates(fit: Calibration, at: Positions) -> Floats:
    volumes = configurations()[fit.name].volumes
    return np.asarray(fit.rate(box_load(cells().conditions.pick(at), volumes)) / volumes)


def _sound(controller: str) -> NDArray[np.bool_]:
    return np.asarray((cells().conditions.controller == controller) & ~cells().defective)


def _error(rate: Floats, at: Positions) -> Floats:
    return np.asarray(100 * np.abs(rate / cells().rate[at] - 1))


def _given(floor: Floats, protocol: str) -> tuple[Positions, Floats]:
    """Cells a protocol scores and the floor's rates; a state with a given cell keeps what was measured there."""
    group_of = {int(at): group for group in states() for at in group}
    asked, rates = [], []
    for split in PROTOCOLS[protocol]():
        for at in split.targets[~cells().defective[split.targets]].tolist():
            same = np.intersect1d(group_of[at], split.calibration)
            asked.append(at)
            rates.append(np.exp(np.mean(np.log(cells().rate[same]))) if len(same) else floor[at])
    return np.array(asked), np.array(rates)


def _print(title: str, names: list[str], floors: list[Floats]) -> None:
    print(f"| {title} | protocol | mean | median | " + " | ".join(configurations()) + " |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, floor in zip(names, floors, strict=True):
        for protocol in SCORED:
            at, rates = _given(floor, protocol) if name == "all else" else _plain(floor, protocol)
            scored = np.isfinite(rates) & ((protocol != "E") | (cells().conditions.read_ratio[at] < 1))
            at, errors = at[scored], _error(rates[scored], at[scored])
            boxes = [errors[cells().conditions.controller[at] == box].mean() for box in configurations()]
            figures = " | ".join(f"{e:.1f}" for e in [errors.mean(), np.median(errors), *boxes])
            print(f"| {name} | {protocol} | {figures} |")


def _plain(floor: Floats, protocol: str) -> tuple[Positions, Floats]:
    at = np.concatenate([split.targets for split in PROTOCOLS[protocol]()])
    at = at[~cells().defective[at]]
    return at, floor[at]


if __name__ == "__main__":
    main()
