"""What would bring a protocol of the z/VM study nearer? `python -m tests.models.studies.more_runs` (minutes).

Each protocol of `iosq validate` with a run or two more of the box that is asked about, by the model for a box never
seen: mean absolute error of the rate in percent, of the same cells without and with them. States that the runs measure
are asked for by neither. Another table has the run that the program would name next, as `iosq simulate fit` does.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from iosq.models.fit.plan import measured, planned, possible_runs
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate.harness import Run, run
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.planning import MOST_ALIASES
from iosq.models.validate.predictors import box_model, fitted
from iosq.models.validate.protocols import Split
from iosq.models.validate.zvm_pav import PROTOCOLS
from tests.models.studies.floor_zvm_pav import states

READS = 1.0
NAMED = ("B'", "CR", "A")  # where pure reads are asked for
# protocol, (requesters per volume, aliases) of the runs, and the mixes they are made at: None for those asked about
TRIED: tuple[tuple[str, tuple[tuple[int, int], ...], float | None], ...] = (
    ("CR", ((5, 4),), None),
    ("CR", ((2, 1), (5, 4)), None),
    ("B'", ((5, 4),), READS),
    ("B'", ((3, 2), (5, 4)), READS),
    ("D15", ((2, 0), (3, 0)), None),
    ("D15", ((2, 1), (3, 2)), READS),
    ("E", ((5, 4),), None),
    ("A", ((5, 4),), None),
    ("A", ((2, 1), (5, 4)), None),
)
Positions = NDArray[np.int_]


def main() -> None:
    """Print the table of validation.md."""
    print("| protocol | additional runs | cells | without | with | " + " | ".join(configurations()) + " |")
    print("| --- | --- | ---: | ---: | ---: | " + " | ".join("---:" for _ in configurations()) + " |")
    model = box_model(prior_of_others)
    for protocol, runs, mix in TRIED:
        pairs = list(_splits(protocol, runs, mix))
        without, with_ = (run(protocol, "", splits, model) for splits in zip(*pairs, strict=True))
        print(_line(protocol, runs, mix, without, with_), flush=True)
    print("\n| given | next run named | box |\n| --- | --- | --- |")
    for protocol in NAMED:
        for split in PROTOCOLS[protocol]():
            if READS in split.asked.read_ratio:
                print(f"| {protocol} | {_next(split)} | {split.controller} |", flush=True)


def _next(split: Split) -> str:
    """The most informative run after what a protocol gives."""
    configuration = configurations()[split.controller]
    prior = prior_of_others(configuration, float(cells().conditions.footprint_gb.max()))
    known = fitted(cells().pick(split.calibration), configuration, prior).known
    each_gb = configuration.footprint_gb_per_worker / configuration.volumes
    possible = possible_runs(configuration.volumes, each_gb, MOST_ALIASES)
    assert known.left is not None
    at = planned(known.draws, possible, 1, measured(possible, known.left.load)).chosen[0]
    run_named = f"({possible.requesters[at]:.0f}, {possible.aliases[at]:.0f})"
    return f"{run_named} at {100 * possible.read_ratio[at]:.0f} % reads"


def _splits(protocol: str, runs: tuple[tuple[int, int], ...], mix: float | None) -> Iterator[tuple[Split, Split]]:
    """Each split as it is, and with the runs given; both are asked for what neither measured."""
    group_of = {int(at): group for group in states() for at in group}
    for split in PROTOCOLS[protocol]():
        more = _cells(split, runs, mix)
        same = np.unique(np.concatenate([group_of[int(at)] for at in more])) if len(more) else more
        left = split.targets[~np.isin(split.targets, same)]
        asked = replace(split, targets=left, asked=cells().conditions.pick(left))
        if len(left):
            yield asked, replace(asked, calibration=np.union1d(split.calibration, more))


def _cells(split: Split, runs: tuple[tuple[int, int], ...], mix: float | None) -> Positions:
    """Sound cells of the split's box that are such a run at the mix, or at the mixes asked about."""
    have = cells().conditions
    mixes = np.unique(split.asked.read_ratio) if mix is None else np.array([mix])
    here = (have.controller == split.controller) & np.isin(have.read_ratio, mixes) & ~cells().defective
    wanted = [(have.workers == workers) & (have.aliases == aliases) for workers, aliases in runs]
    return np.flatnonzero(here & np.any(wanted, axis=0))


def _line(protocol: str, runs: tuple[tuple[int, int], ...], mix: float | None, without: Run, with_: Run) -> str:
    counts = without.sound & ((protocol != "E") | (cells().conditions.read_ratio[without.at] < READS))
    before, after = without.error("rate")[counts], with_.error("rate")[counts]
    owner = cells().conditions.controller[without.at[counts]]
    boxes = " | ".join(
        f"{before[owner == box].mean():.1f} to {after[owner == box].mean():.1f}" for box in configurations()
    )
    where = "pure reads" if mix == READS else "mixes asked for"
    named = " ".join(f"({workers}, {aliases})" for workers, aliases in runs)
    return f"| {protocol} | {named} at {where} | {len(before)} | {before.mean():.1f} | {after.mean():.1f} | {boxes} |"


if __name__ == "__main__":
    main()
