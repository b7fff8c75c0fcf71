"""How good can a prediction of the z/VM study get? `python -m tests.models.studies.floor_zvm_pav` (about ten minutes).

Three floors for the cells each protocol of `iosq validate` scores, mean absolute error of the rate in percent:

* repeated: a cell predicted by the other measurements of the same state (unused aliases change nothing);
* hindsight: the curve fitted to all sound cells of the box, the asked ones among them;
* all else: the model for a box never seen, given every cell of the box but those of the asked state that the protocol
  does not give. No protocol gives more.

The last table is D15 as the commands give it: answered by the machine file that `iosq simulate fit` writes, and with
fifteen runs planned by `iosq simulate plan`, five at a time, each given those before.
"""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.calibrate import Calibration
from iosq.models.fit.plan import believed, planned, possible_runs
from iosq.models.fit.prior import Prior
from iosq.models.pav.box import BoxLoad
from iosq.models.studies.zvm_pav import cells, configurations, pick_conditions
from iosq.models.studies.zvm_pav.load import box_load
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.predictors import fitted
from iosq.models.validate.protocols import PLANS, planned_runs
from iosq.models.validate.zvm_pav import PROTOCOLS

SCORED = ("CR", "B'", "D15", "E")
LARGEST_GB = float(cells().conditions.footprint_gb.max())
RUNS, FIRST, STEP, SEEDS = 15, 5, 5, 10
Floats, Positions = NDArray[np.float64], NDArray[np.int_]
Answer = Callable[[Calibration, BoxLoad], Floats]


def main() -> None:
    """Print the tables of validation.md."""
    _print("floor", ["repeated", "hindsight", "all else"], [repeated(), hindsight(), all_else()])
    print("\n| D15 | " + " | ".join(configurations()) + " | mean |\n| --- | ---: | ---: | ---: | ---: |")
    rows = {"ten plans of ours": ours(), "the same by machine files": ours(by_file), "ten by the command": by_command()}
    for name, errors in rows.items():
        print(f"| {name} | " + " | ".join(f"{e:.1f}" for e in [*errors, np.mean(errors)]) + " |")


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


def by_library(fit: Calibration, load: BoxLoad) -> Floats:
    return fit.rate(load)


def by_file(fit: Calibration, load: BoxLoad) -> Floats:
    return fit.known.rate(load)


def ours(answer: Answer = by_library) -> list[float]:
    """Mean error of each box under the ten plans of the validation."""
    return _means(((split.controller, split.calibration) for plan in PLANS for split in planned_runs(plan)), answer)


def by_command() -> list[float]:
    """The same where five runs are planned, then five more given the first, and five more."""
    return _means((name, _planned(name, seed)) for name in configurations() for seed in range(SEEDS))


def _planned(controller: str, seed: int) -> Positions:
    configuration, prior = configurations()[controller], _prior(controller)
    runs = possible_runs(configuration.volumes, configuration.footprint_gb_per_worker / configuration.volumes, 4)
    have, own = cells().conditions, cells().conditions.controller == controller
    where = [
        int(np.flatnonzero(own & (have.workers == q) & (have.aliases == a) & (have.read_ratio == r))[0])
        for q, a, r in zip(runs.requesters, runs.aliases, runs.read_ratio, strict=True)
    ]
    sets, chosen = believed(prior, np.random.default_rng(seed)), list[int]()
    while len(chosen) < RUNS:
        new = [run for run in planned(sets, runs, RUNS + STEP).chosen if run not in chosen]
        chosen += new[: STEP if chosen else FIRST]
        at = np.array([where[run] for run in chosen])
        at = at[~cells().defective[at]]
        sets = dict(zip(prior.names, np.exp(_fit(controller, at).draws.T), strict=True))
    return at


def _means(choices: Iterator[tuple[str, Positions]], answer: Answer = by_library) -> list[float]:
    errors: dict[str, list[float]] = {name: [] for name in configurations()}
    for controller, given in choices:
        sound = np.flatnonzero(_sound(controller))
        asked = sound[~np.isin(sound, given)]
        errors[controller].append(float(np.mean(_error(_rates(_fit(controller, given), asked, answer), asked))))
    return [float(np.mean(values)) for values in errors.values()]


def _fit(controller: str, at: Positions) -> Calibration:
    return fitted(cells().pick(at), configurations()[controller], _prior(controller))


@cache
def _prior(controller: str) -> Prior:
    return prior_of_others(configurations()[controller], LARGEST_GB)


def _rates(fit: Calibration, at: Positions, answer: Answer = by_library) -> Floats:
    volumes = configurations()[fit.name].volumes
    return np.asarray(answer(fit, box_load(pick_conditions(cells().conditions, at), volumes)) / volumes)


def _sound(controller: str) -> NDArray[np.bool_]:
    return np.asarray((cells().conditions.controller == controller) & ~cells().defective)


def _error(rate: Floats, at: Positions) -> Floats:
    return np.asarray(100 * np.abs(rate / cells().rate[at] - 1))


def _given(floor: Floats, protocol: str) -> tuple[Positions, Floats]:
    """Cells a protocol scores and the floor's rates; a state of which it gives a cell keeps what was measured there."""
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
