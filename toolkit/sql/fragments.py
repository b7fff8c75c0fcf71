"""Fragments: SQL that several views or questions need, written once.

A fragment is a file of `fragments/` that begins with the comment it stands for; other files name it with their words in
the place of its braces, `/* worst run of bad by system, volume */`, and read its SQL there:

    -- fragment: worst run of {relation} by {keys}
    -- What comes out, and what it wants.
    SELECT {keys}, max(lost) FROM {relation} GROUP BY {keys}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from iosq.toolkit.errors import LakeError

_SENTENCE = "-- fragment: "
# fragments within fragments, and comments that stand one behind the other in a line; a circle would never end
_DEEPEST = 30
_BRACES = re.compile(r"\\\{(\w+)\\\}")
_COMMENT = re.compile(r"^(?P<before>.*?)/\*(?P<words>[^*]*)\*/", re.MULTILINE)
# a name, names with a comma between them, or a text in quotes
_WORD = r"(?P<\1>[\\w.]+(?:, [\\w.]+)*|'[^']*')"


@dataclass(frozen=True, slots=True)
class Fragment:
    """One fragment: how it is named and the SQL that stands there, both with the same braces."""

    sentence: str
    sql: str

    def named_by(self, words: str) -> str | None:
        """Its SQL with the words of a comment in the place of the braces; None where the comment names another."""
        same = re.fullmatch(_BRACES.sub(_WORD, re.escape(self.sentence)), words)
        return self.sql.format(**same.groupdict()) if same else None


def parse(text: str, place: str) -> Fragment:
    """The fragment in a file's text.

    Raises:
        LakeError: its first line does not say how it is named.
    """
    head, *rest = text.splitlines()
    if not head.startswith(_SENTENCE):
        raise LakeError(f"the first line is not {_SENTENCE!r} and the comment it is named by", place=place)
    return Fragment(head.removeprefix(_SENTENCE), "\n".join(line for line in rest if not line.startswith("--")))


@cache
def shipped() -> tuple[Fragment, ...]:
    """Every fragment of the toolkit."""
    folder = files("iosq.toolkit.sql").joinpath("fragments")
    return tuple(_read(file) for file in sorted(folder.iterdir(), key=lambda f: f.name) if file.name.endswith(".sql"))


def _read(file: Traversable) -> Fragment:
    return parse(file.read_text("utf-8"), file.name)


def whole(sql: str, place: str) -> str:
    """SQL with the text of each fragment it names, and of those they name; further lines are indented like the first.

    Raises:
        LakeError: no fragment is named by a comment, a comment has no end, or fragments name one another in a circle.
    """
    for _ in range(_DEEPEST):
        if "/*" not in sql:
            return sql
        sql = _COMMENT.sub(lambda m: m["before"] + _inserted(m["words"].strip(), _margin(m["before"]), place), sql)
    raise LakeError("a comment /* has no end, or fragments name one another in a circle", place=place)


def _margin(before: str) -> str:
    return before[: len(before) - len(before.lstrip())]


def _inserted(words: str, margin: str, place: str) -> str:
    for fragment in shipped():
        sql = fragment.named_by(words)
        if sql is not None:
            return sql.replace("\n", f"\n{margin}")
    raise LakeError(f"no fragment is named by the comment /* {words} */", place=place)
