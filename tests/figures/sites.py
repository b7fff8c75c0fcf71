"""Generated sites with planted changes: whether predictions hold as often as `iosq validate --lake` states.

A site has twelve volumes that wait and get aliases, four HyperPAV pools that run out and grow, four groups of volumes
that each move to another box, or three boxes whose load grows. Boxes are networks of queues, pools are simulated event
by event; neither uses the models. On every second site the change meets a limit that does not show before it, of 10 to
40 % of the service time, so that the model is wrong on purpose. If the model is right, nine in ten measured means are
promised inside the intervals as computed. After widening by the error of the other changes of the site, nine in ten are
promised on both. Width is half of an interval as computed, over its value. `--count` is the number of sites of a kind.

The scatter of a box's volumes is the value that three of four stay below. If volumes differ only by chance, as here,
the intervals are an eighth too wide. A share of sixty changes is itself uncertain by six points, one of five hundred
by two.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from iosq.models.coverage import LEVEL
from iosq.toolkit.predict.site import Accuracy, Trial, accuracy
from tests import sites
from tests.figures.kept import Figure, Line, number

COUNT = 200
NEAR = 0.05  # of the share stated
MAKE: dict[str, Callable[..., sites.Rows]] = {
    "exposures": sites.with_aliases,
    "pool": partial(sites.resized, pools=4),
    "box": partial(sites.moved, moves=4),
    "load": partial(sites.grown, boxes=3),
}
RIGHT, HIDDEN = "model right", "hidden limit"


def judged(kind: str, seed: int) -> Line:
    """How the changes of one site were predicted, each judged by the accuracy of all others."""
    hidden = (seed % 2) * float(np.random.default_rng([seed, 44]).uniform(0.1, 0.4))
    found = [t for t in sites.trials(MAKE[kind](seed, hidden=hidden)) if t.change.kind == kind and t.is_judged]
    others = [accuracy([*found[:n], *found[n + 1 :]]) for n in range(len(found))]
    return {
        "kind": kind,
        "seed": seed,
        "tried": len(found),
        "inside": sum(bool(t.is_inside) for t in found),
        "widened": sum(_is_within(t, known) for t, known in zip(found, others, strict=True)),
        "error": _median([abs(t.error_ratio or 0.0) for t in found]),
        "width": _median([_width(t) for t in found]),
    }


def _median(of: Sequence[float]) -> float | None:
    return round(statistics.median(of), 4) if of else None


def _width(trial: Trial) -> float:
    assert trial.predicted is not None
    return (trial.predicted.high - trial.predicted.low) / 2 / trial.predicted.value


def _is_within(trial: Trial, known: Accuracy | None) -> bool:
    assert trial.predicted is not None and trial.measured_ms is not None
    low, high = trial.predicted.low, trial.predicted.high
    low, high = known.widened(low, high) if known else (low, high)
    return low <= trial.measured_ms <= high


def run(kept: list[Line], count: int | None, kinds: Sequence[str] = ()) -> Iterator[Line]:
    """Site by site, from where the last run stopped."""
    for kind in kinds or MAKE:
        done = sum(line["kind"] == kind for line in kept)
        for seed in range(done, count or COUNT):
            yield judged(kind, seed)


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """A row for each kind of change and of site."""
    head = (
        "change",
        "sites",
        "number",
        "changes",
        "median error",
        "width",
        "inside as computed",
        "inside after widening",
    )
    return [head, *(_row(*key, lines) for key, lines in _groups(kept).items())]


def _groups(kept: list[Line]) -> dict[tuple[str, str], list[Line]]:
    return {
        (kind, name): [n for n in kept if n["kind"] == kind and number(n, "seed") % 2 == odd]
        for kind in MAKE
        for odd, name in enumerate((RIGHT, HIDDEN))
    }


def _row(kind: str, name: str, lines: list[Line]) -> tuple[str, ...]:
    tried = sum(number(n, "tried") for n in lines)
    if not tried:
        return (kind, name, str(len(lines)), "0", *["-"] * 4)
    medians = (statistics.median(number(n, of) for n in lines if n["tried"]) for of in ("error", "width"))
    shares = (*medians, *_shares(lines))
    return (kind, name, str(len(lines)), f"{tried:.0f}", *(f"{100 * share:.1f} %" for share in shares))


def _shares(lines: list[Line]) -> tuple[float, float]:
    """Inside as computed, and after widening."""
    tried = sum(number(n, "tried") for n in lines)
    inside, widened = (sum(number(n, name) for n in lines) / tried for name in ("inside", "widened"))
    return inside, widened


def failures(kept: list[Line]) -> list[str]:
    """Kinds where the shares differ from what is stated by more than promised."""
    shares = {key: _shares(lines) for key, lines in _groups(kept).items() if any(n["tried"] for n in lines)}
    texts = {f"{' '.join(key)}: {w:.3f} inside after widening": w for key, (_, w) in shares.items()}
    texts |= {f"{' '.join(key)}: {i:.3f} inside as computed": i for key, (i, _) in shares.items() if key[1] == RIGHT}
    return [text for text, share in texts.items() if abs(share - LEVEL) > NEAR]


FIGURE = Figure(
    "sites",
    "Predictions on a site's own changes",
    "coverage stated = found, ± 5 points",
    run,
    table,
    failures,
    tuple(MAKE),
)
