"""`iosq compare`: before and after."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import iosq
from iosq.toolkit.cli.options import Part
from iosq.toolkit.cli.result import deliver, form_of
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show import clock, terminal
from iosq.toolkit.show.numbers import human_number
from iosq.toolkit.show.rows import as_csv
from iosq.toolkit.show.table import grid, text
from iosq.toolkit.show.values import dumps
from iosq.toolkit.units import display_unit, with_unit

ENDINGS = {".txt": "text", "": "table", ".json": "json", ".csv": "csv"}
_HEADS = ("kind", "system", "subject", "measure", "before", "after", "difference", "low", "high", "part", "verdict")


def compare(
    first: str,
    second: str,
    lake: Path | None = None,
    predicted: Path | None = None,
    form: str | None = None,
    output: Path | None = None,
    utc: bool = False,
    part: Part = Part(),
) -> None:
    """Compare two lakes or two spans, with a test for chance.

    The result shows what changed per box, LCU and volume. Spans: 2025-11-18..2025-11-19 (both days included),
    2025-11-18T08:00..T12:00, or one date. Intervals at the same local time of day are paired, so compare the same hours
    of different days. One in twenty reported changes may be chance. --since and --until filter both lakes. Boxes serve
    all systems and LCUs, so with --system, --lcu or --volume they are left out.

    Example: iosq compare 2025-11-10..2025-11-14 2025-11-17..2025-11-21 --lake lake
    """
    form = form_of(form, output, ENDINGS)
    before, after = _side(first, lake, part), _side(second, lake, part)
    stored = iosq.predictions(predicted, after) if predicted else []
    comparison = iosq.compare(before, after)
    judged = iosq.judge(comparison, stored)
    for line in _spans(comparison, utc):
        say(line)
    if form == "json":
        deliver(dumps(_objects(comparison, judged), 1), output)
    elif form == "csv":
        deliver(as_csv(_HEADS, _rows(comparison)), output)
    else:
        deliver("\n".join(_text(comparison, judged, form, None if output else terminal.width())), output)


def _spans(comparison: iosq.Comparison, utc: bool) -> list[str]:
    sides = zip(("before", "after"), comparison.spans, strict=True)
    spans = ((name, clock.span(*side[:3], utc, printed=side.printed)) for name, side in sides if side)
    return [f"{name}: intervals that start {span}" for name, span in spans]


def _side(text: str, lake: Path | None, part: Part) -> iosq.Lake:
    if os.path.isdir(text):  # noqa: PTH112 - however long the text is
        return part.of(Path(text))
    if not text[:1].isdigit():
        raise RequestError(
            "is neither a lake nor a span", place=text, remedy="name a lake, or write 2025-11-18..2025-11-19"
        )
    if part.since or part.until:
        raise RequestError(
            "a span and --since or --until exclude each other", place=text, remedy="write the span alone"
        )
    return part.of(lake).during(text)


def _objects(comparison: iosq.Comparison, judged: list[iosq.Judged]) -> NewRow:
    changes = [asdict(c) | {"change_ratio": c.change_ratio} for c in comparison.changes]
    gone, new = ([s._asdict() for s in side] for side in (comparison.only_before, comparison.only_after))
    predictions = [asdict(j) for j in judged]
    sides = {"changes": changes, "only_before": gone, "only_after": new}
    return sides | {"notes": comparison.notes, "predictions": predictions}


def _text(comparison: iosq.Comparison, judged: list[iosq.Judged], form: str, width: int | None) -> list[str]:
    for note in comparison.notes:
        say(note)
    rows = _rows(comparison) if form == "table" else []
    lines = [text(grid(_HEADS, rows), width), *comparison.one_sided] if rows else comparison.lines()
    return [*lines, *(_prediction(j) for j in judged)]


def _rows(comparison: iosq.Comparison) -> list[list[Any]]:
    return [[getattr(c, name) for name in _HEADS] for c in comparison.changes]


def _prediction(judged: iosq.Judged) -> str:
    p = judged.prediction
    factor, unit = display_unit(p.measure)
    value, low, high, actual = (human_number(v and factor * v) for v in (p.value, p.low, p.high, judged.actual))
    between = f" ({low} to {high})" if p.low is not None and p.high is not None else ""
    predicted, came = with_unit(value, unit), with_unit(actual, unit)
    return f"prediction {p.volume} {p.measure}: predicted {predicted}{between}, actual {came}: {judged.verdict}"
