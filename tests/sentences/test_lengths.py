"""Headlines of findings have at most 20 words, their other sentences 25; half of all headlines have at most 14."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.text import change
from tests.sentences.test_sentences import COUNTS, _another, _found, _rows

FINDINGS = Path(__file__).parents[1] / "toolkit" / "advise" / "golden" / "findings.txt"
HEADLINE, SENTENCE, MIDDLE = 20, 25, 14
# what aliases do or don't, and what is unknown
_NO_ACTION = re.compile(r"^(more |neither )?aliases|^unknown|aliases (will not|don't|do not)", re.IGNORECASE)
_HEADLINE = re.compile(r"^\d+\. [A-Z]+  (.*?)\n   Do: .*?\n   Rule: +(\w+)", re.MULTILINE | re.DOTALL)


@cache
def _of_rules() -> dict[str, list[Finding]]:
    """What each rule finds in rows as measured, in twice as many, and with each count none, one and many."""
    return {rule.code: [f for rows in _varied(rule.code) for f in _found(rule, rows)] for rule in all_rules()}


def _varied(code: str) -> Iterator[list[dict[str, object]]]:
    for rows in _rows().get(code, []):
        yield rows
        yield [*rows, *map(_another, rows)]
        for name in rows[0]:
            if all(type(row.get(name)) is int for row in rows):
                yield from ([row | {name: count} for row in rows] for count in COUNTS)


def _planted() -> list[tuple[str, str]]:
    """Rule and headline of each finding of the planted days."""
    return [(code, text) for text, code in _HEADLINE.findall(FINDINGS.read_text("utf-8"))]


def _sentences(f: Finding) -> Iterator[str]:
    effect = (change(f.effect), f.effect.basis) if f.effect else ()
    for text in (f.details, f.advice, *effect):
        yield from _split(text)


def _split(text: str) -> Iterator[str]:
    yield from re.split(r"\. (?=[A-Z0-9])", text)


def _is_long(text: str, most: int) -> bool:
    return len(text.split()) > most


def test_a_headline_has_at_most_20_words() -> None:
    headlines = [(code, f.text) for code, found in _of_rules().items() for f in found] + _planted()
    assert {code: text for code, text in headlines if _is_long(text, HEADLINE)} == {}


def test_a_sentence_has_at_most_25_words() -> None:
    each = [(code, s) for code, found in _of_rules().items() for f in found for s in _sentences(f)]
    assert {code: sentence for code, sentence in each if _is_long(sentence, SENTENCE)} == {}


def test_advice_begins_with_what_to_do() -> None:
    """The short form shows this sentence alone."""
    first = [(code, next(_split(f.advice))) for code, found in _of_rules().items() for f in found]
    assert {code: sentence for code, sentence in first if _NO_ACTION.search(sentence)} == {}


def test_half_of_the_headlines_have_at_most_14_words() -> None:
    assert median(len(text.split()) for _, text in _planted()) <= MIDDLE
