"""Finds columns by their heading lines; no table has their positions."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

WORD = re.compile(r"\S+")
GROUP = re.compile(r"<[^<>]*>")
RULE = re.compile(r"[\s._=-]*")


@dataclass(frozen=True, slots=True)
class Heading:
    """One column: its words from top to bottom, its group (`Rate/s` for `<-Rate/s->`), its extent on the line.

    `start` and `end` (exclusive) are those of the lowest word; numbers end at `end`, text starts at `start`.
    """

    words: str
    group: str
    start: int
    end: int
    group_end: int = 0

    @property
    def name(self) -> str:
        """`group.words`, or the words alone outside any group."""
        return f"{self.group}.{self.words}" if self.group else self.words


@dataclass(slots=True)
class _Stack:
    """A column being built from below: `start` and `end` of its lowest word, `left` and `right` of all its words."""

    words: str
    start: int
    end: int
    left: int
    right: int

    def overlap(self, start: int, end: int) -> int:
        return min(self.right, end) - max(self.left, start)

    def put(self, text: str, start: int, end: int) -> None:
        self.words = text[:-1] + self.words if text.endswith("-") and len(text) > 1 else f"{text} {self.words}"
        self.left, self.right = min(self.left, start), max(self.right, end)


def headings(lines: Sequence[str]) -> tuple[Heading, ...]:
    """The columns of a block of heading lines, left to right; rules made of dots, dashes and underscores are ignored.

    A word belongs to the word below it that it overlaps most. A word that covers several words one blank apart joins
    them (`Interval` over `End Time`). A word with nothing below is a separate column. A word that ends in a hyphen is
    joined without it.
    """
    stacks: list[_Stack] = []
    groups: list[tuple[int, int, str]] = []
    for line in reversed([line for line in lines if not RULE.fullmatch(line)]):
        groups += [(m.start(), m.end(), m.group().strip("<>-_= ")) for m in GROUP.finditer(line)]
        plain = GROUP.sub(lambda m: " " * len(m.group()), line)
        for word in WORD.finditer(plain):
            _place(stacks, word.start(), word.end(), word.group())
        stacks.sort(key=lambda s: s.start)
    return tuple(_heading(stack, groups) for stack in stacks)


def _place(stacks: list[_Stack], start: int, end: int, text: str) -> None:
    under = [s for s in stacks if s.overlap(start, end) > 0]
    if not under:
        stacks.append(_Stack(text, start, end, start, end))
    elif _covers(start, end, under):
        stacks[:] = [s for s in stacks if s not in under[1:]]
        first, last = under[0], under[-1]
        first.words, first.end, first.right = " ".join(s.words for s in under), last.end, last.right
        first.put(text, start, end)
    else:
        max(under, key=lambda s: s.overlap(start, end)).put(text, start, end)


def _covers(start: int, end: int, under: list[_Stack]) -> bool:
    touching = all(b.start - a.end == 1 for a, b in itertools.pairwise(under))
    return len(under) > 1 and touching and start <= under[0].start + 1 and end >= under[-1].end - 1


def _heading(stack: _Stack, groups: list[tuple[int, int, str]]) -> Heading:
    inside = [g for g in groups if 2 * (min(stack.end, g[1]) - max(stack.start, g[0])) >= stack.end - stack.start]
    group_end = max((g[1] for g in inside), default=0)
    # groups were collected from the lowest line up; names go from the outermost to the innermost
    return Heading(stack.words, ".".join(g[2] for g in reversed(inside)), stack.start, stack.end, group_end)
