"""What an expert would say about a situation, and whether it was found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.situations_independent.phases import Written
from tests.situations_independent.shop import Shop

if TYPE_CHECKING:
    from iosq.types import Finding

# asks for aliases; "no more aliases" and "do not add aliases" don't
MORE = re.compile(r"(?<!not )(?<!no )(?<!don't )\b(define|add|configure|give|more)\b[^.;:]{0,30}\balias", re.IGNORECASE)
WORDS = ("low", "medium", "high")


@dataclass(frozen=True)
class Say:
    """A statement. `about`: names of its subject; `words`: all of them are in it; `lacking`: this is not in it.

    `more_aliases`: it asks for aliases. `verdict`, `severity`: as stated. `at_least`: confidence of a forbidden
    statement from which on it is wrong; `at_most`: confidence a demanded one may have at most. `figure`: a number,
    "effect now", "effect then" or the group of a pattern in the text, and its lowest and highest right value.
    """

    why: str
    about: str
    words: tuple[str, ...] = ()
    lacking: str = ""
    more_aliases: bool = False
    verdict: str = ""
    severity: str = ""
    at_least: str = "low"
    at_most: str = "high"
    figure: tuple[str, float, float] | None = None

    def is_stated_by(self, f: Finding, *, anywhere: bool = False) -> bool:
        """Whether a finding says this; `anywhere`: names may stand in its text too."""
        text = f"{f.whole_text} {f.advice}"
        place = " ".join([str(f.subject), *f.subject.names, *([text] if anywhere else [])])
        return (
            bool(re.search(self.about, place))
            and all(re.search(w, f"{f.code} {text}", re.IGNORECASE) for w in self.words)
            and not (self.lacking and re.search(self.lacking, text, re.IGNORECASE))
            and (not self.more_aliases or asks_for_aliases(f))
            and (not self.verdict or bool(f.aliases and f.aliases.verdict == self.verdict))
            and (not self.severity or f.severity == self.severity)
            and (not self.figure or any(self.figure[1] <= x <= self.figure[2] for x in figures(f, self.figure[0])))
            and WORDS.index(f.confidence) >= WORDS.index(self.at_least)
        )


def figures(f: Finding, name: str) -> list[float]:
    """Numbers of a finding: of its effect, or those a pattern finds in its text and its numbers."""
    if name.startswith("effect"):
        values = [f.effect.now if name == "effect now" else f.effect.value] if f.effect else []
        return [x for x in values if x is not None]
    numbers = "; ".join(f"{n.name}: {n.value} {n.unit}" for n in f.numbers)
    return [float(x.replace(",", "")) for x in re.findall(name, f"{f.whole_text} {f.advice}; {numbers}") if x]


def asks_for_aliases(f: Finding) -> bool:
    """By its verdict if it has one, else by its words."""
    if f.aliases and f.aliases.verdict:
        return f.aliases.verdict == "add"
    return bool(MORE.search(f.advice))


@dataclass(frozen=True)
class Situation:
    """A story with what has to be found and what must not be. `damage`: see `dumps.write`.

    `later`: what the story implies and was not foreseen before the first answers were read: what must not be
    stated. It is kept apart, because only the rest was fixed beforehand. `pav_first`: what advice about aliases
    begins with. `order`: of two statements, the first is more urgent. `once`: exactly one finding makes it.
    """

    name: str
    story: str
    shop: Shop | Written
    must: tuple[Say, ...] = ()
    must_not: tuple[Say, ...] = ()
    later: tuple[Say, ...] = ()
    damage: dict[str, int] = field(default_factory=dict)
    pav_first: Say | None = None
    order: tuple[tuple[Say, Say], ...] = ()
    once: tuple[Say, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What was found about a situation: demands nothing fulfils, forbidden findings, demands stated too surely.

    `misplaced`: statements in the wrong order, or made more than once.
    """

    unsaid: list[Say]
    forbidden: list[tuple[Say, Finding]]
    too_sure: list[tuple[Say, Finding]]
    stated: list[tuple[Say, Finding]]
    misplaced: list[Say] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        """Whether an expert would sign it."""
        return not (self.unsaid or self.forbidden or self.too_sure or self.misplaced)


def judged(s: Situation, given: Iterable[Finding], pav: Iterable[Finding] = ()) -> Outcome:
    """Compare the output, of everything and of aliases alone, with what is expected."""
    findings, about_aliases = list(given), list(pav)
    found = [*findings, *about_aliases]
    first = [
        say for say in [s.pav_first] if say and not any(say.is_stated_by(f, anywhere=True) for f in about_aliases[:1])
    ]
    stated = [(say, f) for say in s.must for f in found if say.is_stated_by(f, anywhere=True)]
    heard = {id(say) for say, _ in stated}
    return Outcome(
        [*(say for say in s.must if id(say) not in heard), *first],
        [(say, f) for say in (*s.must_not, *s.later) for f in found if say.is_stated_by(f)],
        [(say, f) for say, f in stated if WORDS.index(f.confidence) > WORDS.index(say.at_most)],
        stated,
        [*_unordered(s, findings), *_repeated(s, findings)],
    )


def _unordered(s: Situation, findings: list[Finding]) -> list[Say]:
    """What comes later than something less urgent."""

    def place(say: Say) -> int:
        return next((i for i, f in enumerate(findings) if say.is_stated_by(f, anywhere=True)), len(findings))

    return [first for first, second in s.order if place(first) >= place(second)]


def _repeated(s: Situation, findings: list[Finding]) -> list[Say]:
    """What is not in exactly one finding."""
    return [say for say in s.once if sum(say.is_stated_by(f) for f in findings) != 1]


Maker = Callable[[], Situation]
MAKERS: dict[str, Maker] = {}


def situation(maker: Maker) -> Maker:
    """Keep a situation by the name of what makes it."""
    MAKERS[maker.__name__] = maker
    return maker
