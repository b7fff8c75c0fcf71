"""`iosq trend`: growth, and when a limit is reached."""

from collections import Counter
from pathlib import Path
from typing import Any

import iosq
from iosq.toolkit.cli.options import Part
from iosq.toolkit.cli.result import deliver, form_of
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import terminal
from iosq.toolkit.show.numbers import human_number, plural
from iosq.toolkit.show.rows import as_csv
from iosq.toolkit.show.table import grid
from iosq.toolkit.show.table import text as letters
from iosq.toolkit.units import display_unit, with_unit

ENDINGS = {".txt": "text", "": "table", ".json": "json", ".csv": "csv"}
_KINDS = {"lcu": "LCU"}
_GROWS = {"growing": "grows", "shrinking": "shrinks"}
_HEADS = ("kind", "system", "subject", "measure", "verdict", "days", "level", "per_day", "low", "high", "limit", "date",
          "earliest", "latest", "reason", "missing")  # fmt: skip


def trend(
    lake: Path | None = None,
    limit: list[str] | None = None,
    form: str | None = None,
    output: Path | None = None,
    part: Part = Part(),
) -> None:
    """Show growth, and the date on which it reaches a limit.

    The result has the growth of each LCU, box and channel path. It has a date if the limit is known and the data
    support one. The same weekdays are compared; at least three weeks of whole days are needed. --volume gives the
    named volumes, and their sum per LCU and box. Subjects to which a filter does not apply are left out.

    Example: iosq trend --lake lake --limit box.io_rate=20000
    """
    form = form_of(form, output, ENDINGS)
    trends = part.of(lake).trend(_limits(limit or []))
    if trends.left_out:
        kinds = (f"{kind} ({', '.join(options)})" for kind, options in trends.left_out.items())
        say(f"left out, because a filter does not apply: {', '.join(kinds)}")
    if form == "json":
        deliver(trends.json(), output)
    elif form == "csv":
        deliver(as_csv(_HEADS, _rows(trends)), output)
    elif form == "table":
        deliver(letters(grid(_HEADS, _rows(trends)), None if output else terminal.width()), output)
    else:
        deliver("\n".join(_text(trends)), output)


def _limits(texts: list[str]) -> "iosq.Limits":
    limits = {}
    for text in texts:
        name, _, value = text.partition("=")
        kind, _, measure = name.partition(".")
        try:
            limits[kind, measure] = float(value)
        except ValueError as error:
            raise RequestError(f"{text!r} is not KIND.MEASURE=VALUE", place="--limit") from error
    return limits


def _rows(trends: "list[iosq.Trend]") -> list[list[Any]]:
    return [[getattr(t, name) for name in _HEADS] for t in trends]


def _text(trends: "list[iosq.Trend]") -> list[str]:
    lines = [_sentence(t) for t in trends if t.verdict in ("growing", "shrinking")]
    for verdict in ("no trend can be shown", "too short"):
        reasons = Counter(t.reason for t in trends if t.verdict == verdict)
        lines += [f"{plural(count, 'measure')}: {verdict} ({reason})" for reason, count in reasons.most_common()]
    missing = Counter(t.missing for t in trends if t.missing)
    lines += [
        f"{plural(count, 'measure')}: hours are missing on {days} and filled in from the same weekday"
        for days, count in missing.most_common()
    ]
    return lines


def _sentence(t: "iosq.Trend") -> str:
    name = f"{_KINDS.get(t.kind, t.kind)} {t.subject}" + (f" on {t.system}" if t.system else "")
    factor, unit = display_unit(t.measure)
    grown = [human_number(30 * factor * v) for v in (t.per_day, t.low, t.high) if v is not None]
    growth = with_unit(grown[0], "percentage points" if unit == "%" else unit)
    text = f"{name}: {t.measure} {_GROWS[t.verdict]} by {growth} in 30 days "
    text += f"(between {grown[1]} and {grown[2]}), now {with_unit(human_number(factor * t.level), unit)}"
    if t.date is None:
        return f"{text}; {t.reason}" if t.reason else text
    latest = f"{t.latest}" if t.latest else "later than the data support"
    what = t.limit_meaning or "the limit given"
    limit = with_unit(human_number(factor * t.limit), unit) if t.limit is not None else "the limit"
    return f"{text}; reaches {limit} ({what}) on {t.date} (from {t.earliest} to {latest})"
