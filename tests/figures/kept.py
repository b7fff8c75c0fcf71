"""Results of long runs as lines of JSON: what a run has done is kept at once, and the next run goes on from there."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_name("kept.jsonl")
"""The results that the page shows."""

Line = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Kept:
    """Lines of a file, each with the name of its figure."""

    path: Path

    def lines(self, figure: str) -> list[Line]:
        """What was kept of one figure, oldest first."""
        if not self.path.exists():
            return []
        found = map(json.loads, self.path.read_text("utf-8").splitlines())
        return [line for line in found if line["figure"] == figure]

    def add(self, figure: str, line: Line) -> None:
        """Keep one more line."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"figure": figure, **line}, ensure_ascii=False) + "\n")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: how it is got, and the table that is made from what was kept of it.

    `run` is given what was kept and a count (None: its own), and yields lines as soon as they are true; `table` gives
    a heading and rows from all lines; `failures` says in one line each what is against the promise. Where
    a part of a figure can be run, it has `kinds`, and its `run` takes those wanted (none: all) as `kinds`.
    """

    name: str
    title: str
    promise: str
    run: Callable[..., Iterator[Line]]
    table: Callable[[list[Line]], list[tuple[str, ...]]]
    failures: Callable[[list[Line]], list[str]]
    kinds: tuple[str, ...] = ()


def number(line: Line, name: str) -> float:
    """A number of a line, 0 where it has none."""
    value = line.get(name, 0)
    assert isinstance(value, int | float)
    return value


def failures(kept: Iterable[Line]) -> list[str]:
    """What lines say is against the promise, each with what it was."""
    return [f"{n['what']}: {text}" for n in kept for text in n["wrong"]]  # type: ignore[attr-defined]
