"""Heading words that change: no value stands in another column for it, and what is lost has an issue."""

import re
from functools import cache
from pathlib import Path

import rmf_support as support
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.rmf.bind import vocabulary
from iosq.parsers.rmf.heading import is_heading
from iosq.parsers.rmf.knowledge import reports

WORD = re.compile(r"[A-Za-z0-9%/]+")
FILES = sorted(support.GOLDEN.glob("*.txt"))
KNOWN = [vocabulary(section.fields) for report in reports() for section in report.sections]
CHANGES = {
    "case": str.lower,
    "unknown": lambda word: "X" * len(word),
    "missing": lambda word: " " * len(word),
    "first letter": lambda word: "Q" + word[1:],
    "doubled": lambda word: f"{word} {word}",
}


def heads(line: str) -> bool:
    """Whether a line is one of headings; a dash by itself is between a label and its value."""
    return " - " not in line and any(is_heading(line, known) for known in KNOWN)


@cache
def whole(path: Path) -> tuple[list[str], list[int], support.Result]:
    """Lines, the numbers of those that are headings, and what is read."""
    lines = path.read_text("latin-1").split("\n")
    headings = [n for n, line in enumerate(lines) if heads(line)]
    return lines, headings, support.read(path.read_bytes())


def put(line: str, word: re.Match[str], other: str) -> str:
    """A line with another word in place of one, if there is room before the next one: headings keep their places."""
    more, behind = len(other) - len(word.group()), line[word.end() :]
    if behind.strip() and more > 0 and behind[: more + 1].strip():
        return line
    return line[: word.start()] + other.ljust(len(word.group())) + behind[max(more, 0) :]


def exchanged(lines: list[str], number: int, word: re.Match[str]) -> list[str]:
    """The lines with a word and the one below it exchanged, if there is one; titles between dashes keep theirs."""
    below = [m for m in WORD.finditer(lines[number + 1]) if m.start() < word.end() and word.start() < m.end()]
    if not below or "--" in lines[number] or not heads(lines[number + 1]):
        return lines
    top, low = put(lines[number], word, below[0].group()), put(lines[number + 1], below[0], word.group())
    return [*lines[:number], top, low, *lines[number + 2 :]]


def changed(lines: list[str], number: int, word: re.Match[str], change: str) -> bytes:
    if change == "order":
        lines = exchanged(lines, number, word)
    else:
        lines = [*lines[:number], put(lines[number], word, CHANGES[change](word.group())), *lines[number + 1 :]]
    return "\n".join(lines).encode("latin-1")


def is_part(new: object, old: object) -> bool:
    """Whether a value is what it was, or a text that lost some of its words."""
    if not isinstance(new, str) or not isinstance(old, str):
        return new == old
    rest = iter(old.split())
    return all(word in rest for word in new.split())


def check(before: support.Result, after: support.Result) -> None:
    """No value is another one; where one is missing there is an issue for it."""
    lost = False
    for table, rows in before.rows.items():
        found = {(row["line"], row.get("kind")): row for row in after.rows.get(table, [])}
        for row in rows:
            new = found.get((row["line"], row.get("kind")), {})
            for name, value in row.items():
                if isinstance(value, bool):
                    continue
                lost |= value is not None and new.get(name) != value
                now = new.get(name)
                # a text in place of numbers may begin with words that have no heading any more: an issue quotes it
                quoted = is_part(value, now) and any(str(now) in i.message for i in after.issues)
                assert now is None or is_part(now, value) or quoted, (table, row["line"], name)
    assert not lost or len(after.lost()) > len(before.lost())


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_changed_heading_word_moves_no_value_and_loses_none_silently(data: st.DataObject) -> None:
    lines, headings, before = whole(data.draw(st.sampled_from(FILES)))
    number = data.draw(st.sampled_from(headings))
    word = data.draw(st.sampled_from([*WORD.finditer(lines[number])]))
    change = data.draw(st.sampled_from([*CHANGES, "order"]))
    check(before, support.read(changed(lines, number, word, change)))


def test_no_title_has_a_digit() -> None:
    """By one a line is known to be no title of a section."""
    titles = [title for report in reports() for title in report.titled]
    assert len(titles) > 10
    assert not [title for title in titles if any(c.isdigit() for c in "".join(title))]
