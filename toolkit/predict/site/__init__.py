"""`iosq validate --lake`: each change in a lake, predicted from data before it, with the measurement after it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import on_clock
from iosq.toolkit.predict.site.accuracy import Accuracy, Trial, accuracy
from iosq.toolkit.predict.site.experiments import Before, Change, changes, statement
from iosq.toolkit.predict.site.trials import growth, trial
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show import stages
from iosq.toolkit.show.clock import in_file
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.sql.engine import Connection

__all__ = ["Accuracy", "Trial", "accuracy", "answer", "latest", "statement", "trials", "with_accuracy"]

# maximum number of changes to test, latest first, as each reads its boxes again; fewer for advice and the page
MOST, FEW = 30, 4
SAME = 1 - 1e-9  # rounding
NO_CHANGE = (
    "no change seen: no volume got other exposures or another box, no alias pool another size, and no box had 5 % more "
    "I/Os on the last days than before"
)
NEEDED = (
    "each of these makes one: aliases added or taken away, a pool resized, volumes moved to a box with records before "
    "the move, a second day with more load. Ingest the time before and after it into the same lake"
)


def answer(con: Connection, before: Before, *, utc: bool = False) -> Answer:
    """A row per change, and the accuracy over all of them."""
    found = trials(con, before)
    return Answer(
        tuple(_row(t, utc) for t in found),
        _conclusions(found),
        _common(found),
        hidden=("change_start", "change_start_local", "utc_offset_s"),
    )


def trials(con: Connection, before: Before) -> list[Trial]:
    """The latest changes as trials, followed by load growth."""
    stages.progress("changes")
    return [*_tried(con, before, changes(con), MOST), *growth(con, before)]


def latest(con: Connection, before: Before, kinds: Collection[str]) -> list[Trial]:
    """The latest changes of these kinds as trials; `load` means load growth."""
    if "load" in kinds:
        return list(growth(con, before))
    return _tried(con, before, [change for change in changes(con) if change.kind in kinds], FEW)


def with_accuracy(answer: Answer, accuracy: Callable[[], Accuracy | None], of: str = "response") -> Answer:
    """The what-if with the accuracy of such predictions on this site, and response intervals widened accordingly.

    Args:
        answer: rows with `response_low_ms` and `response_high_ms`.
        accuracy: computes the site's accuracy, only if a row is a prediction; None if the lake has no such change.
        of: prefix of the column names.
    """
    known = accuracy() if any(_is_predicted(row, of) for row in answer.rows) else None
    if known is None:
        return answer
    rows = tuple(_widened(row, known, of) if _is_predicted(row, of) else row for row in answer.rows)
    draw = answer.draw and partial(answer.draw, rows)
    return replace(answer, rows=rows, conclusions=(*answer.conclusions, known.text), draw=draw)


def _is_predicted(row: Row, of: str) -> bool:
    """True for a likely value with both bounds; false for a measurement, mere bounds or an open end."""
    has_interval = all(row.get(f"{of}_{end}ms") is not None for end in ("", "low_", "high_"))
    flags = {"now": False, "measured": False, "identifiable": True, "stable": True}
    return has_interval and all(row.get(name, usual) == usual for name, usual in flags.items())


def _widened(row: Row, known: Accuracy, of: str) -> NewRow:
    names = f"{of}_low_ms", f"{of}_high_ms"
    low, high = (row[name] for name in names)
    now_ms = 0.0 if of == "response" else row["response_ms"]
    ends = known.widened(low, high)
    # more load never makes a response shorter, whatever the error of the site's predictions
    least_ms = now_ms if low >= now_ms * SAME else 0.0
    return {**row, **dict(zip(names, (max(ends[0], least_ms), ends[1]), strict=True))}


def _tried(con: Connection, before: Before, found: Sequence[Change], most: int) -> list[Trial]:
    """Trials of the latest changes. One trial covers all closed volumes of a box that changed at the same time."""
    done: list[Trial] = []
    for start, group in groupby(found, key=lambda change: change.start):
        if len(done) >= most:
            break
        with before(start) as past:
            done += _at_once(con, past, group, most - len(done))
    return done


def _at_once(con: Connection, past: Connection, group: Iterable[Change], most: int) -> list[Trial]:
    done: list[Trial] = []
    answered: set[tuple[str, ...]] = set()
    for change in group:
        key = change.kind, change.system, change.before, change.after
        if len(done) < most and key not in answered:
            done.append(trial(con, past, change))
            answered |= {key} if done[-1].is_closed else set()
    return done


def _row(t: Trial, utc: bool) -> NewRow:
    error, predicted, change = t.error_ratio, t.predicted, t.change
    return {
        "kind": change.kind,
        "system": change.system,
        "subject": change.subject,
        "when": on_clock(change.start, change.utc_offset_s, change.system or change.subject, utc),
        in_file("change_start", change.utc_offset_s): change.start,
        "utc_offset_s": change.utc_offset_s,
        "before": change.before,
        "after": change.after,
        "io_rate": t.io_rate,
        "predicted_ms": predicted.value if predicted and t.is_identifiable else None,
        "predicted_low_ms": predicted and predicted.low,
        "predicted_high_ms": predicted and predicted.high,
        "measured_ms": t.measured_ms,
        "error_percent": None if error is None else 100 * error,
        "is_inside": t.is_inside,
        "note": t.note,
    }


def _common(found: Sequence[Trial]) -> NewRow:
    known = accuracy(found)
    return {
        "predictions": known.tried if known else 0,
        "inside": known.inside if known else 0,
        "median_error_percent": 100 * known.median_error if known else None,
        "widening": known.widening if known else None,
    }


def _conclusions(found: Sequence[Trial]) -> tuple[str, ...]:
    if not found:
        return NO_CHANGE, NEEDED
    known, bounds = accuracy(found), [t for t in found if t.is_inside is not None and not t.is_judged]
    rest = len(found) - len(bounds) - (known.tried if known else 0)
    inside = sum(bool(t.is_inside) for t in bounds)
    texts = {
        f"{plural(len(found), 'change')} seen, none with both a prediction and a measurement": known is None,
        known.text if known else "": known is not None,
        f"{plural(len(bounds), 'answer')} with bounds only: the measured mean is within {inside} of them": bool(bounds),
        f"{plural(rest, 'change')} without a prediction or a comparable measurement: see the notes": bool(rest),
        NEEDED: known is None,
    }
    return tuple(text for text, holds in texts.items() if holds)
