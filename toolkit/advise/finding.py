"""A rule and its findings."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from iosq.models.pav.answers import Interval
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.thresholds import Threshold, in_force
from iosq.toolkit.show.numbers import small_gain
from iosq.toolkit.show.terms import in_cp_terms
from iosq.toolkit.sql.questions import Question
from iosq.toolkit.units import human_number

Severity = Literal["act", "watch", "note"]
Topic = Literal["all", "pav", "nvs", "migrate"]
Verdict = Literal["add", "no_address", "cant_tell", "wont_help", "too_many", "enough"]
# what the subjects of most rules do as a consequence of another finding
DOES = "queue in the host"
_ORDER: Mapping[Severity, int] = {"act": 0, "watch": 1, "note": 2}
# what the user knows and the lake does not hold
Known = Given


@dataclass(frozen=True, slots=True)
class Number:
    """A value a finding rests on, with its unit (see `iosq.toolkit.units`)."""

    name: str
    value: float | int | str | None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """Effect of following the advice: `what` from `now` to `value`, between `low` and `high`, all in `unit`.

    `basis` names the data behind the prediction, or why it is unknown and which measurement would show it.
    """

    what: str
    unit: str
    now: float
    value: float
    low: float
    high: float
    basis: str
    identifiable: bool = True

    @property
    def is_as_now(self) -> bool:
        """True if nothing would change by it in the figures that are shown."""
        return len({human_number(end) for end in (self.now, self.value, self.low, self.high)}) == 1

    @property
    def most_ms(self) -> float:
        """Milliseconds that it may save at best; infinite where that is unknown, or it is about no time."""
        is_known = self.unit == "ms" and all(map(math.isfinite, (self.now, self.value, self.low)))
        return self.now - min(self.value, self.low) if is_known else math.inf

    @property
    def is_without_gain(self) -> bool:
        """True if nothing would change by it that a reader could see."""
        hardly = self.unit == "ms" and small_gain(self.now, self.value) == "no gain"
        return self.is_as_now or (self.identifiable and hardly)


@dataclass(frozen=True, slots=True)
class Step:
    """Effect of one alias count on the I/Os of the peak interval: ms per I/O, I/Os per s."""

    count: int
    wait_ms: Interval
    response_ms: Interval
    io_rate: Interval


@dataclass(frozen=True, slots=True)
class Curve:
    """Wait and response by number of aliases, rising counts; `now` is today's count.

    `is_now_known` is false if no source reports the count: `now` is then the lower bound. `counted` names the unit
    (`aliases` of a volume, `aliases in the pool`), `basis` the data behind the curve.
    """

    counted: str
    now: int
    steps: tuple[Step, ...]
    basis: str
    identifiable: bool = True
    is_now_known: bool = True


@dataclass(frozen=True, slots=True)
class Aliases:
    """A finding's alias counts: today's and the recommended total; None if it names no count.

    `fewest` clears the wait at best, `most` at worst (None: no count is sure to), `likely` in the middle of what is
    likely. `lender`: the LCU whose unused aliases the advice suggests to share.
    """

    verdict: Verdict
    now: int | None = None
    fewest: int | None = None
    most: int | None = None
    likely: int | None = None
    lender: str = ""


@dataclass(frozen=True, slots=True)
class Hour:
    """The worst interval of one hour of the day: local start and end, queue, and what it would take.

    `fewest`, `likely` and `most` are the aliases that clear its wait at best, likely and at worst (None: no count tried
    does).
    """

    start: dt.datetime
    end: dt.datetime
    queue_length: float
    wait_ms: float
    fewest: int | None
    most: int | None
    likely: int | None = None


def windows(hours: Sequence[Hour], same: Callable[[Hour], object] = lambda _: None) -> list[list[Hour]]:
    """Hours of the day in order, of those that follow each other with the same words one list."""
    runs: list[list[Hour]] = []
    for h in hours:
        last = runs[-1][-1] if runs else None
        if last and h.start.hour == last.start.hour + 1 and same(h) == same(last):
            runs[-1].append(h)
        else:
            runs.append([h])
    return runs


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth knowing. `subject` is what it is about.

    `text` is the headline: subject, what and when, in at most 20 words. `details` are the supporting sentences.
    `lost_s` is what ranks findings: seconds of I/O time a day of the measured span loses to this cause, summed over all
    I/Os; of less than a day, all that it lost in `lost_in_s` seconds (else None). `covers` names findings (rule and
    subject) that are only a symptom of this one, left out. `hours` are those of the day with a queue, in order of time:
    the peak decides how many aliases it takes, a mean hides it. `aliases` is the answer in short, for its subject and
    all that `covers` names under `pav_add_alias`. `code` is the rule's name, filled in by whoever asked the rule.
    `about`: the LCUs or boxes whose I/Os it is about, where the subject is on their way. `when`: the time that it is
    about; None where it is all of it. `parts`: the like findings that this one stands for, each about its own subject
    and with its own curve (see `iosq.toolkit.advise.grouped`). `form`: its words without names and numbers, which like
    findings share; empty: it stands for itself. `who`: the sentence of `details` that names who did most of it.
    `capacity`: how many times the capacity that is left there was before (of a loss), or would do (of what is full).
    `explains`: rules that it explains besides those of its rule. `part_of`: rules whose findings are about the same
    event, if they begin and end with it. `does`, `adds_time`: as of its rule.
    """

    severity: Severity
    subject: Subject
    text: str
    advice: str
    numbers: tuple[Number, ...]
    sql: str
    lost_s: float
    confidence: str = "high"
    effect: Effect | None = None
    covers: frozenset[tuple[str, Subject]] = frozenset()
    curve: Curve | None = None
    hours: tuple[Hour, ...] = ()
    aliases: Aliases | None = None
    code: str = ""
    about: frozenset[Subject] = frozenset()
    when: Episode | None = None
    details: str = ""
    parts: tuple[Finding, ...] = ()
    form: str = ""
    who: str = ""
    capacity: float | None = None
    explains: frozenset[str] = frozenset()
    part_of: frozenset[str] = frozenset()
    does: str = DOES
    adds_time: bool = True
    lost_in_s: float | None = None

    @property
    def urgency(self) -> tuple[int, float, bool, str, str]:
        """The key of the order: most urgent first."""
        everything = self.subject.kind == "all"
        return _ORDER[self.severity], -self.lost_s, not everything, self.code, str(self.subject)

    @property
    def whole_text(self) -> str:
        """The headline and the sentences behind it."""
        return f"{self.text}. {self.details}" if self.details else self.text

    @property
    def places(self) -> frozenset[Subject]:
        """The subjects whose I/Os it is about."""
        return self.about or frozenset({self.subject})

    @property
    def stands_for(self) -> frozenset[tuple[str, Subject]]:
        """The findings (rule and subject) that it is: as a whole, and of each name on each of its systems."""
        return frozenset((self.code, s) for s in (self.subject, *self.subject.each))

    def also(self, sentence: str) -> Finding:
        """The same with one more sentence behind the headline."""
        return replace(self, details=f"{self.details}. {sentence}" if self.details else sentence)

    def advised(self, advice: str) -> Finding:
        """The same with other advice, whose kind is what it says before the first colon."""
        return replace(self, advice=advice, form=f"{self.form} {advice.partition(':')[0]}")

    def after(self, first: str, when: str) -> Finding:
        """The same with advice that comes before its own; `when` says on what condition that follows."""
        own = self.advice[0].lower() + self.advice[1:] if self.advice[1:2].islower() else self.advice
        return self.advised(f"{first}. {when}: {own}")

    def in_cp_terms(self) -> Finding:
        """The same in the words of z/VM."""
        numbers = tuple(replace(n, name=in_cp_terms(n.name)) for n in self.numbers)
        effect = self.effect and replace(
            self.effect, what=in_cp_terms(self.effect.what), basis=in_cp_terms(self.effect.basis)
        )
        text, details, advice, who = (in_cp_terms(words) for words in (self.text, self.details, self.advice, self.who))
        return replace(self, text=text, details=details, advice=advice, who=who, numbers=numbers, effect=effect)


# input: rows, limits, values from the user, evidence about the rows' subjects; output: findings
Judge = Callable[..., Iterator[Finding]]
# condition, severity and advice of each line of a decision table
Outcomes = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its documentation; every parameter of its question is one of its thresholds.

    `asked` is the question with the outcome of each row, where the rule has a decision table.

    `judge` is pure: rows of the answer, the limits and what the user knows in, findings out; their `lost_s` is of the
    whole span, made that of a day by who asks. `general`: it speaks about everything at once, and is right on any day.
    `queue`: its findings are about waiting in the host's queue. `work`: what it is asked who does most of. `ends`: it
    is about a fault, which ends when it is repaired. `explains`: rules whose findings are consequences of this one's;
    `covers`: rules whose findings some of its outcomes replace or explain; `part_of`: as of a finding. `does`: what
    its subjects do as a consequence of another finding; `adds_time`: the time lost is none that the other one counts.
    `paging`: its advice about volumes of page data sets alone, see `paging.KINDS`.
    `same`: thresholds that another rule defines, as (rule, name). `outcomes`: condition, severity and advice of each,
    in order; `common`: the condition of all of them. `was`: its codes in the version before. `questions`: what is asked
    about the subjects of its rows, if there are any; the judge takes the answers too. `joined`: those whose
    columns are added to the rows, with the columns that both have.
    """

    code: str
    title: str
    matters: str
    evidence: str
    wrong_when: str
    do: str
    question: Question
    asked: Question
    judge: Judge
    thresholds: Mapping[str, Threshold]
    topic: Topic = "all"
    general: bool = False
    queue: bool = False
    work: str = ""
    ends: bool = False
    explains: frozenset[str] = frozenset()
    does: str = DOES
    adds_time: bool = True
    paging: str = ""
    covers: frozenset[str] = frozenset()
    part_of: frozenset[str] = frozenset()
    same: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    outcomes: Outcomes = ()
    common: str = ""
    questions: Mapping[str, Question] = field(default_factory=dict)
    joined: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    was: tuple[str, ...] = ()

    @property
    def sql(self) -> str:
        """All of its SQL as one text."""
        return " ".join(question.sql for question in (self.asked, *self.questions.values()))

    def limits(self, settings: Mapping[str, float] | None = None) -> dict[str, float]:
        """The limits in force: the rule's own, or the site's from `[thresholds.CODE]` of iosq.toml."""
        return in_force(self.thresholds, settings)
