"""The tests to run for a change: those that reach it, in the order in which an answer is likely to come soonest."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.figures.changes import Change
from tests.figures.nearest import UNCHANGED, names, nearest, texts
from tests.figures.reached import MODULE, Reach, function_at, kept, load, settle_hypothesis
from tests.figures.sql_reach import above

CHEAP_S = 8.0  # a file that takes no longer is run to its end: caches hide from its later tests what the first reached
MOST_S = 60.0  # of processor time for one change
AT_ONCE_S = 15.0  # of tests in one process
UNCHANGED_S = 20.0  # of what holds all answers


@dataclass(frozen=True, slots=True)
class Chosen:
    """Tests of one file, in order; whether one is about the change by its name; what they will take."""

    file: Path
    tests: tuple[str, ...]
    direct: bool
    seconds: float


@cache
def _words(text: str) -> dict[str, frozenset[str]]:
    """The words of each test function."""
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    parts = {n.name: ast.get_source_segment(text, n) or "" for n in functions if n.name.startswith("test_")}
    return {name: frozenset(re.findall(r"\w+", part)) for name, part in parts.items()}


def reported(test: str, text: str) -> frozenset[str]:
    """The words of a test by its node id: of its function and of its parameters."""
    name, _, parameters = test.rpartition("::")[2].partition("[")
    return _words(text).get(name, frozenset()) | frozenset(re.findall(r"\w+", parameters))


def chosen(path: Path, change: Change, root: Path) -> Iterator[list[Chosen]]:
    """Tests for a change of a file, this many at once as one process takes in a moment; the soonest first.

    What holds all answers comes first, then files whose reach is known, then near ones whose reach is not, each alone
    and with no tests named.
    """
    for tests in (tests for place, held in UNCHANGED.items() if path.is_relative_to(place) for tests in held):
        yield [Chosen(Path(tests[0].partition("::")[0]), tests, True, UNCHANGED_S)]
    text = (root / path).read_text("utf-8")
    place = function_at(text, text.count("\n", 0, change.start) + 1) if path.suffix == ".py" else ""
    near = [p.relative_to(root) for p in nearest(path, root)]
    others = [t for p in texts(root) if (t := p.relative_to(root)) not in near]
    known = [(t, reach) for t in (*near, *others) if (reach := load(kept(t, root)))]
    found = [picked for test, reach in known if (picked := _of(test, reach, path, place, root))]
    found.sort(key=lambda c: c.seconds / (4 if c.direct else 1))
    now, spent = list[Chosen](), 0.0
    for one in found:
        if spent and spent + one.seconds > MOST_S:
            continue
        spent += one.seconds
        now.append(one)
        if sum(c.seconds for c in now) > AT_ONCE_S:
            yield now
            now = []
    if now:
        yield now
    yield from ([Chosen(t, (), True, 0.0)] for t in near if t not in dict(known))


def _of(test: Path, reach: Reach, path: Path, place: str, root: Path) -> Chosen | None:
    text = texts(root)[root / test]
    reaching, direct = _reaching(reach, path, place, text)
    if not reaching:
        return None
    order = sorted(reaching, key=lambda t: (t not in direct, reach.seconds.get(t, 0.0)))
    if reach.overhead_s + sum(reach.seconds.values()) < CHEAP_S:
        order += sorted(reach.reached.keys() - reaching, key=lambda t: reach.seconds.get(t, 0.0))
    took = reach.overhead_s + sum(reach.seconds.get(t, 0.0) for t in order)
    return Chosen(test, tuple(order), bool(direct), took)


def _reaching(reach: Reach, path: Path, place: str, text: str) -> tuple[set[str], set[str]]:
    """Tests that reach a place, and those that are about it by its name."""
    own = frozenset(names(path))
    if path.suffix == ".py":
        return _of_function(reach, path, place), {t for t in reach.reached if reported(t, text) & own}
    if path.is_relative_to("toolkit"):
        part = above(path)
        named = {t for t in reach.reached if reported(t, text) & part.names}
        return named | {t for t, r in reach.reached.items() if r & part.questions}, {
            t for t in reach.reached if reported(t, text) & part.own
        }
    return set(reach.reached), {t for t in reach.reached if reported(t, text) & own}


def _of_function(reach: Reach, path: Path, place: str) -> set[str]:
    prefix, name = f"{path.as_posix()}:", f"{path.as_posix()}:{place}"
    if place != MODULE:
        return set(reach.reached) if name in reach.imported else {t for t, r in reach.reached.items() if name in r}
    using = {t for t, r in reach.reached.items() if any(n.startswith(prefix) and not n.endswith(MODULE) for n in r)}
    return using or (set(reach.reached) if prefix + MODULE in reach.imported else set())


class Only:
    """A plugin of pytest: these tests, in this order."""

    def __init__(self, tests: list[str]) -> None:
        self.order = {test: n for n, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """What fails is not made smaller."""
        settle_hypothesis()
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda i: self.order[i.nodeid])
