"""Findings for people and for programs."""

import math
import re
import textwrap
from collections.abc import Iterator, Sequence

from iosq.toolkit.advise.finding import Curve, Effect, Finding, Hour, Step, windows
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import alias_range, amount, duration, interval, small_gain
from iosq.toolkit.show.values import dumps, plain
from iosq.toolkit.units import human_number

WIDTH = 100
# a share below this counts as zero: our choice
NOTHING = 0.005
# no line begins with the sign
_PERCENT = "\N{NO-BREAK SPACE}%"
_SENTENCE = re.compile(r"\. (?=[A-Z])")
# begins the advice of a finding whose trouble may be over
COMES_BACK = "If it comes back"
WORDS = {"act": "ACT", "watch": "WATCH", "note": "NOTE"}


def as_text(found: Sequence[Finding], *, brief: bool = False, only: int | None = None) -> str:
    """Numbered findings, most urgent first: headline, action, effect, then the evidence (details, numbers and SQL).

    Args:
        found: most urgent first.
        brief: the first sentence of the action, and the confidence in place of the evidence.
        only: the number of one finding, with the numbers of all its parts; None: all, with those of first parts.
    """
    wanted = ((number, f) for number, f in enumerate(found, 1) if only in (None, number))

    def rest(f: Finding) -> Iterator[str]:
        return _summed_up(f) if brief else _evidence(f, is_alone=only is not None)

    return "\n\n".join("\n".join([*_lines(number, f, brief), *rest(f)]) for number, f in wanted)


def as_json(found: Sequence[Finding], utc: bool = False, heading: str = "") -> str:
    """The rows of `as_rows` as an array."""
    return dumps(as_rows(found, utc, heading), indent=1)


def as_rows(found: Sequence[Finding], utc: bool = False, heading: str = "") -> list[NewRow]:
    """An object per finding; numbers with their units, NULL as null, times in UTC where wanted.

    `heading`: systems, span and clock they rest on, and what is unknown.
    """
    return [_object(f, utc) | {"rests_on": heading} for f in found]


def _lines(number: int, f: Finding, brief: bool) -> Iterator[str]:
    yield from _wrapped(f"{number}. {WORDS[f.severity]}  {f.text}", "   ")
    advice = _first_step(f.advice) if brief else f.advice
    yield from _wrapped(f"   Do:      {advice}", " " * 12)
    if words := expectation(f, brief=brief):
        yield from _wrapped(f"   Expect:  {words}", " " * 12)


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the full stops between them."""
    return _SENTENCE.split(text) if text else []


def _first_step(advice: str) -> str:
    """Its first sentence, with the next one where that says what to do if the trouble comes back or is to stay."""
    first, *rest = sentences(advice)
    return f"{first}. {rest[0]}" if rest and rest[0].startswith("If ") else first


def _summed_up(f: Finding) -> Iterator[str]:
    if f.who and not f.parts:
        yield from _wrapped(f"   Who:     {f.who}", " " * 12)
    yield f"   Confidence: {f.confidence}{_cost(f)}"


def _evidence(f: Finding, *, is_alone: bool) -> Iterator[str]:
    if f.details:
        yield from _wrapped(f"   Details: {f.details}", " " * 12)
    for part in (f.parts if is_alone else f.parts[:1]) or (f,):
        whose = f"of {part.subject.in_short}: " if f.parts else ""
        if part.hours:
            yield from _wrapped(f"   By hour: {whose}{_by_hour(part.hours)}", " " * 12)
        if shown := "; ".join(f"{n.name} {amount(n.value, n.unit)}" for n in part.numbers if n.value is not None):
            yield from _wrapped(f"   Numbers: {whose}{shown}", " " * 12)
    yield f"   Rule:    {f.code}, confidence {f.confidence}{_cost(f)}"
    yield f"   SQL:     {f.sql}"


def _wrapped(text: str, indent: str) -> list[str]:
    lines = textwrap.wrap(text.replace(" %", _PERCENT), WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_PERCENT, " %") for line in lines]


def _cost(f: Finding) -> str:
    return f"; costs {cost(f)}" if f.lost_s else ""


def cost(f: Finding) -> str:
    """The I/O time it costs, a day or in the time measured where that is less."""
    return f"{duration(f.lost_s)} of I/O time {f'in the {duration(f.lost_in_s)} measured' if f.lost_in_s else 'a day'}"


def expectation(f: Finding, *, brief: bool = False) -> str:
    """The expected effect of a finding in words; empty where nothing would change.

    A note may promise that nothing gets worse.
    """
    if f.effect is None or (f.severity != "note" and f.effect.is_without_gain):
        return ""
    words = f"{change(f.effect)}{_with_fewest(f)}"
    return words if brief else f"{words}; {f.effect.basis}"


def expected(e: Effect) -> str:
    """The expected effect of the advice in words: the change and its basis."""
    return f"{change(e)}; {e.basis}"


def _with_fewest(f: Finding) -> str:
    """What the count that is tried first would do, where only bounds of the count are known."""
    a = f.aliases
    if not (a and f.curve and a.likely is None and a.fewest and a.most and a.fewest < a.most):
        return ""
    first = next((step.response_ms for step in f.curve.steps if step.count == a.fewest), None)
    return f"; with {a.fewest}: between {human_number(first.low)} and {human_number(first.high)} ms" if first else ""


def change(e: Effect) -> str:
    """The change between two values, with bounds. A negligible value is 0, and equal bounds appear once."""
    middle, least, most = (_or_nothing(end, e.now) for end in (e.value, e.low, e.high))
    value, low, high = (human_number(end) for end in (middle, least, most))
    if e.is_as_now:
        return f"{e.what}: {value} {e.unit}, as now"
    if not math.isfinite(e.low):
        then = "without any limit"
    elif (e.identifiable and math.isfinite(e.value)) or value == low == high:
        then = interval(middle, least, most, e.unit)
    elif not math.isfinite(e.high):
        then = f"{low} {e.unit} or more, with no upper limit"
    elif e.unit == "ms" and high == human_number(e.now):
        then = f"at best {low} {e.unit}"
    else:
        then = f"anything between {low} and {high} {e.unit}"
    gain = small_gain(e.now, e.value) if e.identifiable and e.unit == "ms" and e.value < e.now else ""
    return f"{e.what}: {human_number(e.now)} {e.unit} now, then {then}{f', {gain}' if gain else ''}"


def _or_nothing(value: float, now: float) -> float:
    return 0.0 if abs(value) < NOTHING * now else value


def _by_hour(hours: Sequence[Hour]) -> str:
    """The worst interval of each hour of the day that has a queue, and the aliases that would clear its wait."""
    shown = 11 if len({h.start.date() for h in hours}) == 1 else None  # a time of one day needs no date
    each = []
    for run in windows(sorted(hours, key=lambda h: h.start.time()), _count):
        when = spoken(run[0].start, run[0].end)[:shown]
        if run[1:]:
            when = f"{run[0].start:%H}:00-{run[-1].start.hour + 1:02}:00 up to"
        each.append(f"{when} {max(h.queue_length for h in run):.1f} queued, {_count(run[0])}")
    return "; ".join(each)


def _count(h: Hour) -> str:
    count = alias_range(h.fewest, h.most, h.likely)
    return f"needs {count} in total" if h.fewest else count


def _hour(h: Hour, utc: bool) -> NewRow:
    return {
        "utc_time" if utc else "local_time": spoken(h.start, h.end),
        "queue_length": plain(h.queue_length),
        "wait_ms": plain(h.wait_ms),
        "fewest": h.fewest,
        "most": h.most,
        "likely": h.likely,
    }


def _object(f: Finding, utc: bool) -> NewRow:
    return {
        "code": f.code,
        "severity": f.severity,
        "subject_kind": f.subject.kind,
        "subject": str(f.subject),
        "names": f.subject.names,
        "systems": f.subject.systems,
        "text": f.text,
        "details": f.details,
        "advice": f.advice,
        "numbers": [{"name": n.name, "value": plain(n.value), "unit": n.unit} for n in f.numbers],
        "effect": _effect(f.effect),
        "curve": _curve(f.curve),
        "hours": [_hour(h, utc) for h in f.hours],
        "first_seen": plain(f.when.first_seen) if f.when else None,
        "last_seen": plain(f.when.last_seen) if f.when else None,
        "confidence": f.confidence,
        "lost_s": plain(f.lost_s),
        "sql": f.sql,
        "parts": [_object(part, utc) for part in f.parts],
    }


def _effect(e: Effect | None) -> NewRow | None:
    if e is None:
        return None
    values = {name: plain(getattr(e, name)) for name in ("now", "value", "low", "high")}
    return {"what": e.what, "unit": e.unit, **values, "identifiable": e.identifiable, "basis": e.basis}


def _curve(c: Curve | None) -> list[NewRow] | None:
    """One object per count of aliases: the middle of the prediction, and its ends as `_low` and `_high`."""
    if c is None:
        return None
    return [
        {"counted": c.counted, "count": s.count, "now": c.is_now_known and s.count == c.now, **_predicted(s)}
        for s in c.steps
    ]


def _predicted(step: Step) -> NewRow:
    spans = {"wait_ms": step.wait_ms, "response_ms": step.response_ms, "io_rate": step.io_rate}
    ends = ("value", ""), ("low", "_low"), ("high", "_high")
    return {name + ending: plain(getattr(span, end)) for name, span in spans.items() for end, ending in ends}
