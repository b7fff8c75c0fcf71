"""Generated sites with planted changes: whether as many predictions hold as `iosq validate --lake` states.

Each site has twelve volumes that wait, and gives them aliases for its second day. On every second site the box has a
limit that nothing before the change shows, so that the model is wrong on purpose. Stated is the share inside the
intervals as computed, over half the changes of a site; found is that of the other half. Widened is the share inside
after each interval is widened by what the other changes of its site ask for. `--count` is how many sites.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from iosq.toolkit.predict.site import Trial, accuracy
from tests import sites
from tests.figures.kept import Figure, Line, number

COUNT = 200
NEAR = 0.05  # of the share stated
KINDS = {"model right": 0.0, "hidden limit": 0.15}


def halves(found: Sequence[Trial]) -> tuple[float, float]:
    """The share inside over every second change, and over the others."""
    known = accuracy(found[::2])
    rest = [t for t in found[1::2] if t.is_judged]
    assert known is not None and rest
    return known.inside / known.tried, sum(bool(t.is_inside) for t in rest) / len(rest)


def covered(found: Sequence[Trial]) -> tuple[int, int]:
    """Changes inside an interval that was widened by what the others ask for, and all of them."""
    judged = [t for t in found if t.is_judged]
    return sum(_is_within(t, [other for other in judged if other is not t]) for t in judged), len(judged)


def _is_within(trial: Trial, others: Sequence[Trial]) -> bool:
    known = accuracy(others)
    assert known is not None and trial.predicted is not None and trial.measured_ms is not None
    low, high = known.widened(trial.predicted.low, trial.predicted.high)
    return low <= trial.measured_ms <= high


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Site by site, from where the last run stopped."""
    for seed in range(len(kept), count or COUNT):
        kind = list(KINDS)[seed % 2]
        found = sites.trials(sites.with_aliases(seed, hidden=KINDS[kind]))
        stated, fresh = halves(found)
        inside, tried = covered(found)
        known = accuracy(found)
        assert known is not None
        yield {
            "kind": kind, "seed": seed, "stated": round(stated, 4), "found": round(fresh, 4), "inside": inside,
            "tried": tried, "median_error": round(known.median_error, 4),
        }  # fmt: skip


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """A row for each kind of site."""
    head = ("sites", "number", "changes", "median error", "stated inside", "found inside", "inside after widening")
    return [head, *(_row(kind, [n for n in kept if n["kind"] == kind]) for kind in KINDS)]


def _row(kind: str, lines: list[Line]) -> tuple[str, ...]:
    if not lines:
        return (kind, "0", *["-"] * 5)
    shares = (_mean(lines, "median_error"), _mean(lines, "stated"), _mean(lines, "found"), _widened(lines))
    return (kind, str(len(lines)), f"{_sum(lines, 'tried'):.0f}", *(f"{100 * share:.1f} %" for share in shares))


def _sum(lines: list[Line], name: str) -> float:
    return sum(number(n, name) for n in lines)


def _mean(lines: list[Line], name: str) -> float:
    return _sum(lines, name) / len(lines)


def _widened(lines: list[Line]) -> float:
    return _sum(lines, "inside") / _sum(lines, "tried")


def failures(kept: list[Line]) -> list[str]:
    """Kinds of sites where the shares differ by more than promised."""
    found = []
    for kind in KINDS:
        lines = [n for n in kept if n["kind"] == kind]
        if lines and abs(_mean(lines, "stated") - _mean(lines, "found")) > NEAR:
            found.append(f"{kind}: {_mean(lines, 'stated'):.3f} stated, {_mean(lines, 'found'):.3f} found")
        if lines and abs(_widened(lines) - 0.9) > NEAR:
            found.append(f"{kind}: {_widened(lines):.3f} inside widened intervals of nine in ten")
    return found


FIGURE = Figure(
    "sites", "Predictions on a site's own changes", "coverage stated = found, ± 5 points", run, table, failures
)
