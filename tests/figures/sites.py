"""Generated sites with planted changes: whether as many predictions hold as `iosq validate --lake` states.

Each site has 24 volumes that wait, and gives them aliases for its second day. On every second site the box has a limit
that nothing before the change shows, so that the model is wrong on purpose. Where the model is right, nine in ten are
promised inside the intervals as computed. Stated is the share inside them, over half the changes of a site; found is
that of the other half. The last column is the share of the other half after widening by what the first half asks for;
nine in ten are promised. `--count` is how many sites.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from iosq.toolkit.predict.site import Accuracy, Trial, accuracy
from iosq.toolkit.predict.spread import LEVEL
from tests import sites
from tests.figures.kept import Figure, Line, number

COUNT, VOLUMES = 200, 24
NEAR = 0.05  # of the share stated
KINDS = {"model right": 0.0, "hidden limit": 0.15}


def halves(found: Sequence[Trial]) -> Line:
    """What every second change states of intervals, and how many of the other changes are inside them."""
    known, rest = accuracy(found[::2]), [t for t in found[1::2] if t.is_judged]
    assert known is not None
    return {
        "stated": known.inside / known.tried,
        "found": sum(bool(t.is_inside) for t in rest),
        "widened": sum(_is_within(t, known) for t in rest),
        "tried": len(rest),
        "median_error": round(known.median_error, 4),
    }


def _is_within(trial: Trial, known: Accuracy) -> bool:
    assert trial.predicted is not None and trial.measured_ms is not None
    low, high = known.widened(trial.predicted.low, trial.predicted.high)
    return low <= trial.measured_ms <= high


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Site by site, from where the last run stopped."""
    for seed in range(len(kept), count or COUNT):
        kind = list(KINDS)[seed % 2]
        found = sites.trials(sites.with_aliases(seed, hidden=KINDS[kind], volumes=VOLUMES))
        yield {"kind": kind, "seed": seed, **halves(found)}


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """A row for each kind of site."""
    head = ("sites", "number", "changes", "median error", "stated inside", "found inside", "inside after widening")
    return [head, *(_row(kind, [n for n in kept if n["kind"] == kind]) for kind in KINDS)]


def _row(kind: str, lines: list[Line]) -> tuple[str, ...]:
    if not lines:
        return (kind, "0", *["-"] * 5)
    shares = (_sum(lines, "median_error") / len(lines), *_shares(lines))
    return (kind, str(len(lines)), f"{_sum(lines, 'tried'):.0f}", *(f"{100 * share:.1f} %" for share in shares))


def _sum(lines: list[Line], name: str) -> float:
    return sum(number(n, name) for n in lines)


def _shares(lines: list[Line]) -> tuple[float, float, float]:
    """Inside as stated, as found, and after widening."""
    tried = _sum(lines, "tried")
    return _sum(lines, "stated") / len(lines), _sum(lines, "found") / tried, _sum(lines, "widened") / tried


def failures(kept: list[Line]) -> list[str]:
    """Kinds of sites where the shares differ by more than promised."""
    by_kind = {kind: _shares(lines) for kind in KINDS if (lines := [n for n in kept if n["kind"] == kind])}
    texts = {
        f"{kind}: {stated:.3f} stated, {found:.3f} found": abs(stated - found) > NEAR
        for kind, (stated, found, _) in by_kind.items()
    }
    texts |= {f"{kind}: {w:.3f} inside widened intervals": abs(w - LEVEL) > NEAR for kind, (*_, w) in by_kind.items()}
    texts |= {
        f"{kind}: {s:.3f} inside as computed": abs(s - LEVEL) > NEAR
        for kind, (s, *_) in by_kind.items()
        if not KINDS[kind]
    }
    return [text for text, wrong in texts.items() if wrong]


FIGURE = Figure(
    "sites", "Predictions on a site's own changes", "coverage stated = found, ± 5 points", run, table, failures
)
