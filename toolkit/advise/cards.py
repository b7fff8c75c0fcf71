"""Findings as HTML cards, for notebooks."""

from collections.abc import Iterator, Sequence
from html import escape

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.text import WORDS, expectation

# severity by the strength of the line, not by colour alone
_CARD = "border-left:{width}px solid currentColor;padding:.2em .8em;margin:.6em 0"
_WIDTHS = {"act": 6, "watch": 3, "note": 1}


def as_html(found: Sequence[Finding], heading: str = "") -> str:
    """One card per finding: headline, action, effect, confidence; the evidence unfolds. Names are shown as text."""
    cards = "".join(_card(number, f) for number, f in enumerate(found, 1))
    return f"<p>{escape(heading)}</p>{cards or '<p>no findings</p>'}"


def _card(number: int, f: Finding) -> str:
    lines = "".join(f"<div><b>{name}</b> {escape(text)}</div>" for name, text in _lines(f))
    evidence = f"<p>{escape(f.details)}</p><p>Rule {escape(f.code)}</p><pre>{escape(f.sql)}</pre>"
    head = f"<div><b>{number}. {WORDS[f.severity]}</b> {escape(f.text)}</div>"
    style = _CARD.format(width=_WIDTHS[f.severity])
    return f'<div style="{style}">{head}{lines}<details><summary>Evidence</summary>{evidence}</details></div>'


def _lines(f: Finding) -> Iterator[tuple[str, str]]:
    yield "Do:", f.advice
    if words := expectation(f):
        yield "Expect:", words
    yield "Confidence:", f.confidence
