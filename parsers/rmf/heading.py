"""Finds the columns of an RMF report by its heading lines, and assigns the values of rows to them.

Words of a heading are stacked (`AVG` / `RESP` / `TIME`), groups between dashes span several columns
(`---READ I/O REQUESTS---`). Numbers end below their heading's end, text starts below its start, within a few
characters, so a value belongs to the nearest heading and not to a fixed zone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from iosq.parsers.rmf.bind import bind, known_end, vocabulary
from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.place import NOWHERE, Cuts, Place, cuts_of
from iosq.parsers.rmf.words import Words, words

GROUP = re.compile(r"(?:(?<=\s)|^)-+ ?[A-Z%/](?:[^-]|-(?=[A-Z]))*?-+(?=\s|$)")
TOKEN = re.compile(r"\S+")
SHAPE = {n: "x" for n in range(256) if not chr(n).isspace()}  # reduces a line to blanks and non-blanks
MOST_SHAPES = 4096
MOST_HEADINGS = 12  # lines; RMF has three
LONGEST = 512  # characters of a line whose cuts are cached; a report has 133
LIKELY = 0.6  # share of known words that makes a line a heading


@dataclass(slots=True)
class Stack:
    """A column: its words from top to bottom, the words of its groups, and the extent of its own words.

    `spans` are the words that are above no other column, with their positions.
    """

    start: int
    end: int
    words: Words
    group: Words = ()
    lowest: bool = False
    spans: tuple[tuple[int, int, Words], ...] = ()

    def named(self, target: Field) -> tuple[int, int]:
        """Extent of the words of a known heading; a title over several columns may be above them."""
        known = {word for heading in target.headings for word in heading}
        own = [(start, end) for start, end, named in self.spans if known.issuperset(named)]
        return (min(s for s, _ in own), max(e for _, e in own)) if own else (self.start, self.end)


@dataclass(slots=True)
class Columns:
    """The columns of one block of heading lines. `unknown` are headings that are not understood."""

    places: tuple[Place, ...]
    unknown: tuple[str, ...]
    _seen: dict[tuple[int, int], Place] = field(default_factory=dict)
    _cuts: dict[str, Cuts] = field(default_factory=dict)

    def cut(self, line: str) -> Cuts:
        """The values of a line, each with its column; cached for lines with blanks at the same places."""
        shape = line.translate(SHAPE)
        cuts = self._cuts.get(shape)
        if cuts is None:
            if len(self._cuts) > MOST_SHAPES or len(line) > LONGEST:
                self._cuts.clear()
            cuts = self._cuts[shape] = cuts_of(
                [(*m.span(), self.find(m.span())) for m in TOKEN.finditer(line)], self.places
            )
        return cuts

    def find(self, span: tuple[int, int]) -> Place:
        """The column of a value at `span` (start, end exclusive)."""
        place = self._seen.get(span)
        if place is None:
            start, end = span
            over = [p for p in self.places if p.start < end and start < p.end]
            place = min(over or self.places, key=lambda p: (p.distance(start, end), p.start))
            place = place if place.reaches(start, end) else NOWHERE
            if end <= LONGEST:
                self._seen[span] = place
        return place


@lru_cache(4096)  # headings repeat on every page
def is_heading(line: str, known: frozenset[str]) -> bool:
    """True if a line is a heading: most of its words are known, none is a number."""
    found = words(line)
    return bool(found) and not any(w.isdigit() for w in found) and sum(w in known for w in found) >= LIKELY * len(found)


@lru_cache(256)
def columns(
    lines: tuple[str, ...], fields: tuple[Field, ...], prefix: Words = (), groups: tuple[str, ...] = ()
) -> Columns:
    """The columns under a block of heading lines; `prefix` is the block's own title, `groups` are known group titles.

    A heading that is not understood keeps its place: its values are reported and go to no column. One of known words
    that does not reach the lowest line may be a word that drifted from its column; it is reported if it has values.
    """
    columns = _joined(stacks(lines, groups), fields, prefix)
    bound = bind([prefix + s.group + s.words for s in columns], fields)
    known = vocabulary(fields)
    places: list[Place] = []
    unknown: list[str] = []
    for stack, target in zip(columns, bound, strict=True):
        while target and places and _is_part(places[-1], stack, target):
            last = places.pop()  # `HIGHEST` of `HIGHEST UTILIZED` above `VOLUMES`
            stack.start, stack.spans = last.start, (*stack.spans, (last.start, last.end, last.words))
            stack.words = _merged_words(last.words, stack.words)
        drifted = target is None and not stack.lowest and all(w in known for w in stack.words)
        places.append(_place(stack, target, drifted=drifted))
        if target is None and not drifted:
            unknown.append(_numbered(" ".join(stack.group + stack.words), unknown))
    return Columns(tuple(places), tuple(unknown))


def _is_part(last: Place, stack: Stack, target: Field) -> bool:
    """True if a drifted word belongs to the column one blank after it: a heading has both, in this order."""
    near = last.drifted and stack.start - last.end == 1
    both = _merged_words(last.words, stack.words)
    return near and any(heading[-len(both) :] == both for heading in target.headings)


def _numbered(text: str, earlier: Sequence[str]) -> str:
    """The heading, numbered if earlier columns have the same words."""
    same = sum(text == other.partition(" #")[0] for other in earlier)
    return f"{text} #{same + 1}" if same else text


def _place(stack: Stack, target: Field | None, *, drifted: bool) -> Place:
    if target is None:
        return Place(stack.start, stack.end, None, stack.words, drifted=drifted)
    return Place(*stack.named(target), target, stack.words, target.name, target.numeric, target.simple)


def _joined(columns: list[Stack], fields: tuple[Field, ...], prefix: Words) -> list[Stack]:
    """Join stacks one blank apart (`DEL NVS`) if one of them alone is unknown and a known heading has both."""
    joined: list[Stack] = []
    for stack in columns:
        last = joined[-1] if joined else None
        if last and stack.start - last.end == 1:
            alone = [known_end(prefix + s.group + s.words, fields) for s in (last, stack)]
            both = _merged_words(last.words, stack.words)
            if known_end(prefix + last.group + both, fields) > alone[1] and not all(alone):
                joined[-1] = Stack(last.start, stack.end, both, last.group, stack.lowest, last.spans + stack.spans)
                continue
        joined.append(stack)
    return joined


def _merged_words(left: Words, right: Words) -> Words:
    """The words of two stacks; words above both (`NUMBER` above `OF CYL`) are taken once."""
    same = 0
    while same < min(len(left), len(right)) and left[same] == right[same]:
        same += 1
    return left + right[same:]


def stacks(lines: Sequence[str], groups: Sequence[str] = ()) -> list[Stack]:
    """Stack the words of heading lines into columns, left to right.

    A title between dashes covers the columns below it. A title without dashes, one of the known `groups`, covers the
    columns nearest to it.
    """
    columns: list[Stack] = []
    for above, line in enumerate(reversed(lines)):
        below = list(columns)
        line = _group(line, columns, groups)
        for token in reversed(list(TOKEN.finditer(line))):
            start, end = token.span()
            _put(columns, [s for s in below if s.start < end and start < s.end], start, end, words(token.group()))
        columns.sort(key=lambda s: s.start)
        if above == 0:
            for stack in columns:
                stack.lowest = True
    return columns


def _group(line: str, columns: list[Stack], groups: Sequence[str]) -> str:
    """Add group titles in a line to the columns below them; return the line without the titles.

    A title without dashes does not apply to a column that has its own word or dashed title in the line.
    """
    below = list(columns)
    for title in GROUP.finditer(line):
        inside = [s for s in below if s.start < title.end() and title.start() < s.end]
        for stack in inside:
            stack.group = words(title.group()) + stack.group
        if not inside:
            columns.append(Stack(title.start(), title.end(), words(title.group())))
    taken = [m.span() for m in GROUP.finditer(line)]
    line = GROUP.sub(lambda m: " " * len(m.group()), line)
    titles = _titles(line, groups)
    for match in titles:
        line = line[: match.start()] + " " * len(match.group()) + line[match.end() :]
    taken += [m.span() for m in TOKEN.finditer(line)]
    for stack in below if titles else ():
        if not any(start < stack.end and stack.start < end for start, end in taken):
            nearest = min(titles, key=lambda m: max(m.start() - stack.end, stack.start - m.end()))
            stack.group = words(nearest.group()) + stack.group
    return line


def _titles(line: str, groups: Sequence[str]) -> list[re.Match[str]]:
    """Positions of known titles in a line; parts of longer titles are excluded."""
    found = [m for g in groups for m in re.finditer(re.escape(g), line, re.IGNORECASE)]
    return [m for m in found if not any(o.start() <= m.start() and m.end() <= o.end() for o in found if o is not m)]


def _put(columns: list[Stack], under: list[Stack], start: int, end: int, text: Words) -> None:
    if not text:
        return
    if not under:
        columns.append(Stack(start, end, text, spans=((start, end, text),)))
    for stack in under:
        stack.words = text + stack.words
    if len(under) == 1:
        under[0].start, under[0].end = min(start, under[0].start), max(end, under[0].end)
        under[0].spans += ((start, end, text),)
