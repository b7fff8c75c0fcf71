"""The words of many lines at once are those of each line by itself."""

from __future__ import annotations

import math
import re

from hypothesis import example, given
from hypothesis import strategies as st

from iosq.parsers.listing.tokens import LONGEST, tokens

PLAIN = re.compile(r"\d+\.?\d*|\.\d+")
LINES = st.lists(st.text(st.sampled_from("0123456789..  \t\x1cAK-*"), max_size=40), max_size=8)


@given(LINES)
@example(["", " 1 ", "5. .5 . 1.2.3 12K ---- 007", "9" * 31, "9" * 300])
def test_words_and_plain_numbers_are_those_of_single_lines(lines: list[str]) -> None:
    found = tokens(lines)
    wanted = [(n, m.start(), m.end(), m.group()) for n, line in enumerate(lines) for m in re.finditer(r"\S+", line)]
    given_words = zip(found.line, found.start, found.end, found.texts.to_pylist(), strict=True)
    assert [tuple(word) for word in given_words] == wanted
    for (*_, text), number in zip(wanted, found.numbers.tolist(), strict=True):
        plain = len(text) <= LONGEST and PLAIN.fullmatch(text)
        assert number == float(text) if plain else math.isnan(number)
