"""Heading words that change: a number never stands in another column for it, and what is lost has an issue."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import rmf_support as support
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.rmf.bind import vocabulary
from iosq.parsers.rmf.heading import is_heading
from iosq.parsers.rmf.knowledge import reports

FILES = sorted(support.GOLDEN.glob("*.txt"))
KNOWN = [vocabulary(section.fields) for report in reports() for section in report.sections]
CHANGES = {
    "case": str.lower,
    "unknown": lambda word: "X" * len(word),
    "missing": lambda word: " " * len(word),
    "first letter": lambda word: "Q" + word[1:],
    "doubled": lambda word: f"{word} {word}",
}


@cache
def whole(path: Path) -> tuple[list[str], list[int], support.Result]:
    """Lines, the numbers of those that are headings, and what is read."""
    lines = path.read_text("latin-1").split("\n")
    headings = [n for n, line in enumerate(lines) if any(is_heading(line, known) for known in KNOWN)]
    return lines, headings, support.read(path.read_bytes())


def changed(lines: list[str], number: int, word: re.Match[str], change: str) -> bytes:
    line = lines[number]
    new = line[: word.start()] + CHANGES[change](word.group()) + line[word.end() :]
    return "\n".join([*lines[:number], new, *lines[number + 1 :]]).encode("latin-1")


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_changed_heading_word_moves_no_number_and_loses_none_silently(data: st.DataObject) -> None:
    lines, headings, before = whole(data.draw(st.sampled_from(FILES)))
    number = data.draw(st.sampled_from(headings))
    word = data.draw(st.sampled_from([*re.finditer(r"[A-Za-z0-9%/]+", lines[number])]))
    change = data.draw(
        st.sampled_from([*CHANGES]) if word.end() == len(lines[number]) else st.sampled_from([*CHANGES][:4])
    )
    after = support.read(changed(lines, number, word, change))
    lost = False
    for table, rows in before.rows.items():
        found = {(row["line"], row.get("kind")): row for row in after.rows.get(table, [])}
        for row in rows:
            new = found.get((row["line"], row.get("kind")), {})
            for name, value in row.items():
                lost |= isinstance(value, float) and new.get(name) is None
                if isinstance(new.get(name), int | float) and not isinstance(new[name], bool):
                    assert new[name] == value, (table, row["line"], name)
    assert not lost or len(after.lost()) > len(before.lost())
