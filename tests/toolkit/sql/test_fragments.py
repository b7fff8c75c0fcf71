"""Fragments: named by a comment, nested, indented; what no fragment says is refused with its place."""

from __future__ import annotations

import re

import pytest

from iosq.toolkit.errors import LakeError
from iosq.toolkit.sql import fragments
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.fragments import parse, shipped, whole
from iosq.toolkit.sql.questions import shipped as questions

MEAN = "SELECT sum(r.io_rate * a.ms) / nullif(sum(CASE WHEN a.ms IS NOT NULL THEN r.io_rate END), 0) AS ms"


def test_words_of_the_comment_stand_in_the_braces() -> None:
    assert whole("SELECT /* mean of a.ms by r.io_rate */ AS ms", "one.sql") == MEAN


def test_a_fragment_may_name_another_and_keeps_the_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    outer = parse("-- fragment: outer {one}, {two}\n-- why\nSELECT {two}\nFROM (/* inner {one} */)", "outer.sql")
    inner = parse("-- fragment: inner {all}\nSELECT {all}\nFROM t", "inner.sql")
    monkeypatch.setattr(fragments, "shipped", lambda: (outer, inner))
    assert whole("WITH a AS (\n    /* outer x, y, z */\n)", "one.sql") == (
        "WITH a AS (\n    SELECT z\n    FROM (SELECT x, y\n    FROM t)\n)"
    )


def test_what_no_fragment_says_is_refused() -> None:
    with pytest.raises(LakeError, match=r"one\.sql: no fragment is named by the comment /\* worst run by nobody \*/"):
        whole("SELECT 1 /* worst run by nobody */", "one.sql")
    with pytest.raises(LakeError, match="the first line is not '-- fragment: '"):
        parse("SELECT 1", "one.sql")


def test_what_would_never_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LakeError, match=r"one\.sql: a comment /\* has no end"):
        whole("SELECT 1 /* mean of a by b", "one.sql")
    monkeypatch.setattr(fragments, "shipped", lambda: (parse("-- fragment: again {a}\n/* again {a} */", "again.sql"),))
    with pytest.raises(LakeError, match="in a circle"):
        whole("SELECT /* again x */", "one.sql")


def test_no_two_fragments_are_named_alike_and_each_is_used() -> None:
    shapes = [re.sub(r"\{\w+\}", "{}", f.sentence) for f in shipped()]
    assert len(set(shapes)) == len(shapes)
    texts = [source.sql for view in views() for source in view.sources] + [q.sql for q in questions()]
    assert all("/*" not in text for text in texts)
    for fragment in shipped():
        # its longest line without braces stands in a view or a question
        plain = max(
            (line.strip() for line in fragment.sql.splitlines() if "{" not in line), key=len, default="nullif(sum("
        )
        assert any(plain in text for text in texts), fragment.sentence
