"""Definitions of each report from `reports/*.toml`: heading words, units, meanings, confidence.

A file in this folder defines one report. Positions are never part of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import groupby, pairwise, product

from iosq.parsers.api import Column, ColumnType, Confidence, Table
from iosq.parsers.listing.heading import Heading
from iosq.toolkit.rows import toml

MOST_WORDS = 4  # most words of a heading
MOST_SHIFTED = 6  # most adjacent headings with shifted words
_PUNCTUATION = re.compile(r"[^A-Z0-9%+]")

START = {
    "device": r"[0-9A-F]{4,5}(?=\s)",
    "range": r"[0-9A-F]{4,5}(?=[\s>-])",
    "time": r"\d\d:\d\d:\d\d(?=\s)",
    "channel": r"[0-9A-F]{2}(?=\s)",
    "cache": r"\S{1,4} {1,3}[0-9A-F]{4,5}(?=\s)",
}

COMMON = (
    Column("system", "varchar", "", "system id of the page heading; NULL on screen forms"),
    Column(
        "interval_start", "timestamp", "UTC", "start of the interval: local time as printed, less the offset if known"
    ),
    Column("utc_offset_s", "integer", "s", "local time minus UTC; NULL: listings do not say"),
    Column("interval_s", "double", "s", "length of the interval"),
    Column("line", "bigint", "", "line number in the listing, from 1"),
)


@dataclass(frozen=True, slots=True)
class Known:
    """One column with a known heading; `view` names the view columns it feeds.

    A text is one word unless `several`.
    """

    name: str
    headings: frozenset[str]
    wording: tuple[str, ...]
    meaning: str
    confidence: Confidence
    type: ColumnType = "double"
    unit: str = ""
    view: str = ""
    several: bool = False

    @property
    def numeric(self) -> bool:
        """True if its cells are numbers, right-justified under the heading."""
        return self.type == "double"


@dataclass(frozen=True)
class Report:
    """One report: the start of its rows, the column that every row must have (`key`), and all known columns."""

    name: str
    title: str
    source: str
    rows: tuple[str, ...]
    key: str
    columns: tuple[Known, ...]

    @cached_property
    def table(self) -> Table:
        own = (Column(k.name, k.type, k.unit, k.meaning, self.source, k.confidence) for k in self.columns)
        return Table(self.name, self.title, (*COMMON, *own), ("system", self.key, "interval_start"), self.source)

    @cached_property
    def row(self) -> re.Pattern[str]:
        """The pattern of a data row of this report; rows marked `>>` are not data rows."""
        starts = "|".join(START[kind] for kind in self.rows if kind in START)
        # the From, To and For lines of the page heading may look like a row
        return re.compile(rf" *(?!(?:From|To|For)\s)(?:{starts})" if starts else r"(?!)")

    def match(self, headings: Sequence[Heading]) -> list[Known | None]:
        """The column of each heading; None if unknown. A repeated heading is the next column with this heading."""
        found: list[Known | None] = []
        for heading in headings:
            words = normalise(heading.name)
            found.append(next((k for k in self.columns if words in k.headings and k not in found), None))
        return found

    def realigned(self, headings: Sequence[Heading]) -> tuple[Heading, ...]:
        """Repair headings with shifted upper lines: runs of unknown headings with the words of known ones.

        The lowest words, which determine the positions, stay in place.
        """
        found = list[Heading]()
        for is_known, pairs in groupby(
            zip(self.match(headings), headings, strict=True), key=lambda pair: bool(pair[0])
        ):
            run = [heading for _, heading in pairs]
            wordings = () if is_known else self._reassigned(run)
            found += [replace(h, words=w) for h, w in zip(run, wordings, strict=True)] if wordings else run
        return tuple(found)

    def _reassigned(self, run: Sequence[Heading]) -> tuple[str, ...]:
        """Known headings with the same lowest words as `run` and, in total, the same words; () if there are none."""
        lowest = [normalise(h.words.split()[-1]) for h in run]
        every = [text for k in self.columns for text in k.wording]
        fitting = [[text for text in every if normalise(text.split()[-1]) == low] for low in lowest]
        wanted = _sorted_words(" ".join(h.name for h in run))
        picks = product(*fitting) if 1 < len(run) <= MOST_SHIFTED else ()
        return next((pick for pick in picks if _sorted_words(" ".join(pick)) == wanted), ())

    def joined(self, headings: Sequence[Heading]) -> tuple[Heading, ...]:
        """Join headings one blank apart if none of them is known but all their words together are, in any order."""
        known, found, at = self.match(headings), list[Heading](), 0
        while at < len(headings):
            ends = range(min(at + MOST_WORDS, len(headings)), at + 1, -1)
            end = next((n for n in ends if not any(known[at:n]) and self._wording(headings[at:n])), at + 1)
            words = self._wording(headings[at:end]) or headings[at].words
            found.append(replace(headings[at], words=words, end=headings[end - 1].end))
            at = end
        return tuple(found)

    def _wording(self, run: Sequence[Heading]) -> str:
        """The known heading that consists of the words of `run`; '' if there is none."""
        touching = len(run) > 1 and all(b.start - a.end == 1 for a, b in pairwise(run))
        return self._wordings.get(_sorted_words(" ".join(h.name for h in run)), "") if touching else ""

    @cached_property
    def _wordings(self) -> dict[tuple[str, ...], str]:
        return {_sorted_words(text): text for k in self.columns for text in k.wording}


def _sorted_words(text: str) -> tuple[str, ...]:
    return tuple(sorted(map(normalise, text.split())))


@lru_cache(4096)  # labels repeat on every page of a report
def normalise(words: str) -> str:
    """Heading words in capitals without blanks and punctuation, which differ between releases."""
    return _PUNCTUATION.sub("", words.upper())


@cache
def _load(name: str) -> Report:
    data = toml(__package__, "reports", f"{name}.toml")
    shared = _load(data["columns_of"]).columns if "columns_of" in data else ()
    own = tuple(
        Known(**item | {"headings": frozenset(map(normalise, item["headings"])), "wording": tuple(item["headings"])})
        for item in data.get("column", ())
    )
    return Report(name, data["title"], data["source"], tuple(data["rows"]), data["key"], shared + own)


@cache
def reports() -> dict[str, Report]:
    """All reports with a definition file, by name (`fcx108`)."""
    names = sorted(f.name[:-5] for f in (files(__package__) / "reports").iterdir() if f.name.startswith("fcx"))
    return {name: _load(name) for name in names}


@cache
def not_taken() -> dict[str, str]:
    """Titles of reports known by name only."""
    return toml(__package__, "reports", "not_taken.toml")


def _shared() -> Iterator[Table]:
    """The tables shared by all reports, from `tables.toml`."""
    for name, data in toml(__package__, "tables.toml").items():
        own = (Column(*column) for column in data["columns"])
        yield Table(name, data["title"], (*COMMON, *own), source=data["source"])


PAGE, SUMMARY, EXTENT, OTHER = _shared()
