"""Show a PAV what-if as rows, sentences and a chart."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from iosq.models.pav.answers import NO_STATIONS, Interval, Prediction, WhatIf
from iosq.toolkit.late import alt
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import plural, small_gain
from iosq.toolkit.show.theme import HEIGHT, INK, SERVICE, WAIT, WIDTH, Picture, finished
from iosq.toolkit.show.values import plain_rows
from iosq.toolkit.units import human_number

FALLEN = 0.98  # the rate falls if it is below this share of the best rate
PARTS = ("wait", "service", "response")
WAIT_LABEL = "wait (IOSQ; z/VM: queued in CP)"
FLAGS = ("now", "clears_wait", "best", "measured", "identifiable", "stable")  # the column `remark` has them in words


@dataclass(frozen=True)
class Question:
    """The request as texts need it: subject, what is counted, today's count, and the volumes that share the rate."""

    subject: str
    counted: str = "aliases"
    current: int | None = None
    shared_by: int = 1
    notes: tuple[str, ...] = ()
    trimmed: bool = False
    room: int | None = None  # free addresses of the LCU

    @property
    def words(self) -> str:
        return self.counted.replace("_", " ")


def answer(question: Question, what_if: WhatIf, common: NewRow | None = None) -> Answer:
    """Rows per alias count or pool size; a total rate of equal volumes is shown per volume.

    If the question is `trimmed`, counts well above the best and sufficient ones are left out.
    """
    last = _interesting(question, what_if) if question.trimmed else what_if.predictions[-1].aliases
    rows = tuple(_row(question, what_if, p) for p in what_if.predictions if p.aliases <= last)
    facts = {
        "subject": question.subject,
        "clears_at_best": what_if.fewest,
        "clears_at_worst": what_if.most,
        "calibrated_on": what_if.calibrated_on,
        "limit": what_if.limit,
        "wait_moves": what_if.wait_moves,
        "settle": what_if.settle or None,
        **(common or {}),
    }
    texts = (*_conclusions(question, what_if), *question.notes)
    return Answer(rows, texts, facts, lambda rows=rows: _draw(question, what_if, rows), hidden=FLAGS)


def _interesting(question: Question, what_if: WhatIf) -> int:
    clears = what_if.predictions[-1].aliases if what_if.clears_wait is None else what_if.clears_wait
    return max(clears, what_if.best, question.current or 0) + 2


def _row(question: Question, what_if: WhatIf, p: Prediction) -> NewRow:
    row: NewRow = {question.counted: p.aliases}
    share = question.shared_by
    rate = _likely_value(p.rate, p)
    row |= {"io_rate": None if rate is None else rate / share}
    row |= {"io_rate_low": p.rate.low / share, "io_rate_high": p.rate.high / share}
    for part in PARTS:
        row |= _bounded(part, getattr(p, f"{part}_ms"), p)
    values = (
        p.aliases == question.current, p.aliases == what_if.clears_wait, p.aliases == _best(question, what_if),
        p.is_measured, p.identifiable, p.stable,
    )  # fmt: skip
    flags = dict(zip(FLAGS, values, strict=True))
    remarks = {
        "now": flags["now"],
        "measured": p.is_measured,
        "can't carry the load": not p.stable,
        "may clear the wait": p.aliases == what_if.fewest != what_if.clears_wait,
        "clears the wait": flags["clears_wait"],
        "best": flags["best"],
        _unsure(what_if, p): not p.identifiable,
    }
    return row | flags | {"remark": ", ".join(text for text, holds in remarks.items() if holds and text)}


def _unsure(what_if: WhatIf, p: Prediction) -> str:
    why = what_if.settle.partition(":")[0]
    if why != "not identifiable":
        return why
    return "" if math.isclose(p.response_ms.low, p.response_ms.high) else "only bounds are known"


def _likely_value(bounds: Interval, p: Prediction) -> float | None:
    """The value; None for mere bounds that differ, because no value between them is more likely than another."""
    return bounds.value if p.identifiable or math.isclose(bounds.low, bounds.high) else None


def _bounded(part: str, times: Interval, p: Prediction) -> NewRow:
    """Value and bounds of one time, ms; all infinite for a count that can't carry the load."""
    known = (_likely_value(times, p), times.low, times.high) if p.stable else (math.inf,) * 3
    return {f"{part}_ms": known[0], f"{part}_low_ms": known[1], f"{part}_high_ms": known[2]}


def _conclusions(question: Question, what_if: WhatIf) -> list[str]:
    texts = [_clears(question, what_if), *_refused(question, what_if), *_falls(question, what_if)]
    if what_if.identifiable:
        texts += [f"where the time goes: {moves}" for moves in [_moves(what_if)] if moves]
        texts += _best_in_words(question, what_if)
        texts += _addresses(question, what_if)
    else:
        texts.append(what_if.settle)
    basis = what_if.calibrated_on
    return [*texts, basis if basis.startswith("bounds only") else f"calibrated on {basis}"]


def _addresses(question: Question, what_if: WhatIf) -> list[str]:
    """The largest possible count, if rows exceed it: each alias needs an address of the LCU."""
    if question.room is None or question.current is None:
        return []
    most = question.current + max(question.room, 0) // question.shared_by
    if what_if.predictions[-1].aliases <= most:
        return []
    left = plural(max(question.room, 0), "address", "addresses")
    return [f"the LCU has {left} left of 256: no more than {_many(question, most)} can be defined"]


def _best_in_words(question: Question, what_if: WhatIf) -> list[str]:
    if _is_stuck(question, what_if):
        words = question.words
        return [
            f"no count of {words} carries this load any better: what limits is behind the {words}, in box or device"
        ]
    best = _best(question, what_if)
    return [] if best is None else [f"smallest count within 2 % of the best: {_many(question, best)}"]


def _best(question: Question, what_if: WhatIf) -> int | None:
    """The best count; None if it can't carry the load, or if today's count waits and none above is known or better.

    Without larger counts in the query, today's count would always look best.
    """
    best = what_if.of(what_if.best)
    if not (best.stable and best.identifiable) or _is_stuck(question, what_if):
        return None
    if best.aliases == question.current and not best.is_clear():
        beyond = _beyond(question, what_if)
        if not (beyond and all(p.identifiable for p in beyond)):
            return None
    return best.aliases


def _beyond(question: Question, what_if: WhatIf) -> list[Prediction]:
    return [p for p in what_if.predictions if question.current is not None and p.aliases > question.current]


def _is_stuck(question: Question, what_if: WhatIf) -> bool:
    """True if I/Os wait, and keep waiting with every count above today's."""
    now = next((p for p in what_if.predictions if p.aliases == question.current), None)
    beyond = _beyond(question, what_if)
    if now is None or not beyond or now.is_clear():
        return False
    return all(p.wait_ms.low >= now.wait_ms.value * (1 - 1e-6) for p in beyond)


def _many(question: Question, count: int) -> str:
    return plural(count, question.words.removesuffix("es"), question.words)


def _refused(question: Question, what_if: WhatIf) -> list[str]:
    """The smallest count that can carry the load, in words; empty if every count can."""
    if what_if.predictions[0].stable:
        return []
    least = next((p.aliases for p in what_if.predictions if p.stable), None)
    if least is None:
        return [f"no count up to {_many(question, what_if.predictions[-1].aliases)} is sure to carry the load"]
    few = f"without {question.words}" if least == 1 else f"with fewer than {_many(question, least)}"
    return [f"{few}, more may arrive than can be served"]


def _falls(question: Question, what_if: WhatIf) -> list[str]:
    """The count from which the rate falls, measured or predicted, in words; empty if it never falls."""
    known = [p for p in what_if.predictions if p.identifiable]  # bounds have no likely rate
    best: Iterable[Prediction] = accumulate(known, lambda one, other: max(one, other, key=lambda p: p.rate.value))
    drops = [p for before, p in zip(best, known, strict=True) if _is_sure_to_fall(before, p)]
    if not drops:
        return []
    least = f"from {_many(question, drops[0].aliases)} on the rate"
    if drops[0].is_measured:
        return [f"{least} was measured to fall: this box takes longer for an I/O then"]
    return [f"{least} is predicted to fall: by its curve this box takes longer for an I/O with aliases at work"]


def _is_sure_to_fall(before: Prediction, p: Prediction) -> bool:
    """True if the rate falls by more than a best count may lack, and by more than the prediction error."""
    ends = (p.rate.value, before.rate.value) if p.is_measured else (p.rate.high, before.rate.low)
    return p.rate.value < FALLEN * before.rate.value and ends[0] < ends[1]


def _clears(question: Question, what_if: WhatIf) -> str:
    now = "" if question.current is None else f"; {question.current} now"
    if what_if.fewest is None:
        return f"no count up to {_many(question, what_if.predictions[-1].aliases)} clears the wait{now}"
    if not what_if.fewest and what_if.fewest == what_if.most:
        return f"{question.subject} needs no {question.words}: without them its I/Os hardly wait{now}"
    verb = "clears" if (what_if.most or what_if.fewest) == 1 else "clear"
    gain = _small_gain(question, what_if)
    return f"{_enough(question, what_if)} {verb} the wait of {question.subject}{_likely(what_if)}{now}{gain}"


def _small_gain(question: Question, what_if: WhatIf) -> str:
    """Remark that clearing the wait hardly shortens the response; empty if it does. Same rule as in advice."""
    counts: dict[int | None, Prediction] = {p.aliases: p for p in what_if.predictions}
    cleared = what_if.fewest if what_if.most is None else what_if.most
    now, clear = counts.get(question.current), counts.get(cleared)
    if now is None or clear is None or clear.aliases <= now.aliases or not clear.identifiable:
        return ""
    before, after = now.response_ms.value, clear.response_ms.value
    gain = small_gain(before, after)
    return f"; {gain}: {human_number(before)} ms now, then {human_number(after)} ms" if gain else ""


def _enough(question: Question, what_if: WhatIf) -> str:
    """The count that clears the wait, in words: its bounds, as in advice."""
    low, high = what_if.fewest or 0, what_if.most
    if high is None:
        return f"at least {_many(question, low)}"
    if low == high or high == 1:
        return f"{'' if low == high else 'at most '}{_many(question, high)}"
    return f"{low} to {high} {question.words}"


def _likely(what_if: WhatIf) -> str:
    low, high = what_if.fewest, what_if.most
    # mere bounds have no likely count
    middle = what_if.clears_wait if what_if.identifiable else None
    if low == high or (middle is None and high is not None):
        return ""
    words = ["at best" if middle is None else f"the middle of what is likely: {middle}"]
    return f" ({'; '.join([*words, 'no count is certain to'] if high is None else words)})"


def _moves(what_if: WhatIf) -> str:
    """Where the wait goes, in words; empty if unknown."""
    limit = "" if what_if.limit == NO_STATIONS else what_if.limit
    if what_if.wait_moves:
        known = f", {limit}" if limit else ""
        return f"the wait only moves into the box{known}; more aliases will not shorten the response"
    return f"fullest station {limit}" if "%" in limit else limit


def _title(question: Question, what_if: WhatIf) -> str:
    if what_if.wait_moves and what_if.identifiable:
        return f"{question.subject}: clearing the wait only moves it into the box"
    if what_if.fewest is None:
        return f"{question.subject}: no count of {question.words} shown clears the wait"
    count = what_if.fewest
    if count == question.current:
        does = "may be" if count != what_if.most else "is" if count == 1 else "are"
        return f"{question.subject}: {_many(question, count)}, as now, {does} enough"
    after = what_if.of(count).response_ms
    ends = [after.value] if what_if.identifiable else [after.low, after.high]
    about = " to ".join(map(human_number, ends))
    verb = "clears" if (what_if.most or what_if.fewest) == 1 else "clear"
    return f"{question.subject}: {_enough(question, what_if)} {verb} the wait, response from {about} ms on"


def _draw(question: Question, what_if: WhatIf, rows: Sequence[NewRow]) -> Picture:
    every = alt.Scale(domain=[row[question.counted] for row in rows])
    x = alt.X(f"{question.counted}:O", title=question.words, axis=alt.Axis(labelAngle=0), scale=every)
    stable = [row for row in rows if row["stable"]]
    times = _times(question, stable, x)
    rates = {round(row[end], 6) for row in rows for end in ("io_rate_low", "io_rate_high")}
    panels = [times] if len(rates) == 1 else [times, _rates(rows, x)]
    notes = [f"calibrated on {what_if.calibrated_on}"]
    if what_if.settle:
        notes.append(what_if.settle)
    if len(stable) < len(rows):
        notes.append("counts with neither bar nor line can't carry the load")
    return finished(alt.vconcat(*panels), _title(question, what_if), *notes)


def _times(question: Question, rows: Sequence[NewRow], x: Any) -> Any:
    parts = (("wait_ms", WAIT_LABEL, 1), ("service_ms", "service", 0))
    long = [
        {question.counted: row[question.counted], "part": label, "order": order, "ms": row[name]}
        for row in plain_rows(rows)
        for name, label, order in parts
        if row["wait_ms"] is not None and row["service_ms"] is not None  # rows with bounds only get no bar
    ]
    colour = alt.Color("part:N", title=None, scale=alt.Scale(domain=["service", WAIT_LABEL], range=[SERVICE, WAIT]))
    bars = (
        alt.Chart(alt.InlineData(values=long))
        .mark_bar(width=alt.RelativeBandSize(0.6))
        .encode(x=x, y=alt.Y("ms:Q", title="response time (ms per I/O)"), color=colour, order="order:Q")
    )
    spread = (
        alt.Chart(alt.InlineData(values=plain_rows(rows)))
        .mark_rule(color=INK, strokeWidth=1.5)
        .encode(x=x, y=alt.Y("response_low_ms:Q", title="response time (ms per I/O)"), y2="response_high_ms:Q")
    )
    return alt.layer(bars, spread).properties(width=WIDTH, height=HEIGHT)


def _rates(rows: Sequence[NewRow], x: Any) -> Any:
    data = alt.InlineData(values=plain_rows(rows))
    known = alt.InlineData(values=plain_rows([row for row in rows if row["identifiable"] or row["now"]]))
    title = "rate (I/Os per s)"
    line = alt.Chart(known).mark_line(point=True, color=SERVICE).encode(x=x, y=alt.Y("io_rate:Q", title=title))
    band = (
        alt.Chart(data)
        .mark_area(opacity=0.2, color=SERVICE)
        .encode(x=x, y=alt.Y("io_rate_low:Q", title=title), y2="io_rate_high:Q")
    )
    return alt.layer(band, line).properties(width=WIDTH, height=HEIGHT)
