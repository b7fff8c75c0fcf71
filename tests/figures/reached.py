"""Which functions of ours and which questions each test reaches, recorded once per test file and kept until it changes.

Kept next to the caches of other tools (`.reached/`, never in the repository), by the content of the test file. What a
fixture reaches belongs to every test that uses it. Functions are counted, not lines: it costs a tenth of the time.
"""

import ast
import hashlib
import importlib
import json
import sys
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import pytest

from tests.figures.kept import ROOT

KEPT = ROOT / ".reached"
PRODUCT = ("parsers/", "models/", "toolkit/", "iosq/")
MODULE = "<module>"  # what runs on import


@dataclass(frozen=True, slots=True)
class Reach:
    """What the tests of a file reach: `file:function` and `?question`, and seconds, by node id."""

    whole: bool
    overhead_s: float
    seconds: dict[str, float]
    reached: dict[str, frozenset[str]]
    imported: frozenset[str]


def kept(test: Path, root: Path) -> Path:
    """Where the record of a test file is kept (it may not exist)."""
    digest = hashlib.sha256((root / test).read_bytes()).hexdigest()[:16]
    return KEPT / f"{test.as_posix().replace('/', '.')}.{digest}.json"


def load(path: Path) -> Reach | None:
    """A record, if there is one."""
    if not path.exists():
        return None
    reported = json.loads(path.read_text("utf-8"))
    reached = {name: frozenset(reported["names"][n] for n in numbers) for name, numbers in reported["reached"].items()}
    imported = frozenset(reported["names"][n] for n in reported["imported"])
    return Reach(reported["whole"], reported["overhead_s"], reported["seconds"], reached, imported)


class Recorder:
    """A plugin of pytest: begun before anything of ours is imported, it writes the record when the tests end."""

    def __init__(self, root: Path, out: Path, most_s: float) -> None:
        self.root, self.out, self.most_s = str(root.resolve()) + "/", out, most_s
        self.began = self.written = self.testing = 0.0
        self.now: set[str] = set()
        self.imported = self.now
        self.fixtures: dict[tuple[str, str], set[str]] = {}
        self.tests: dict[str, set[str]] = {}
        self.seconds: dict[str, float] = {}
        self.uses: dict[str, list[str]] = {}
        self.whole = False

    def begin(self) -> None:
        """Look at every call from now on, in this process."""
        self.began = self.written = time.process_time()
        threading.settrace(self._called)
        sys.settrace(self._called)
        questions = importlib.import_module("iosq.toolkit.sql.questions")
        ask = questions.ask

        def recorded(con: object, question: object, /, **parameters: object) -> object:
            self.now.add("?" + question.name)  # type: ignore[attr-defined]
            return ask(con, question, **parameters)

        questions.ask = recorded  # type: ignore[attr-defined]

    def _called(self, frame: FrameType, *_: object) -> None:
        code = frame.f_code
        if (file := code.co_filename).startswith(self.root):
            place = file[len(self.root) :].removeprefix("iosq/")
            if place.startswith(PRODUCT):
                self.now.add(f"{place}:{code.co_qualname.partition('.<locals>')[0]}")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """What a fixture reaches is known by its name and where it stands."""
        before, self.now = self.now, self.fixtures.setdefault((fixturedef.baseid, fixturedef.argname), set())
        try:
            return (yield)
        finally:
            self.now = before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """A test from set-up to the end."""
        before, self.now = self.now, self.tests.setdefault(item.nodeid, set())
        self.uses[item.nodeid] = list(getattr(item, "fixturenames", ()))
        sys.settrace(self._called)
        try:
            return (yield)
        finally:
            self.now = before
            if time.process_time() - self.written > 2:
                self.write()
            if time.process_time() - self.began > self.most_s:
                pytest.exit("long enough", 0)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """The test alone, without its fixtures."""
        began = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = took = time.process_time() - began
            self.testing += took

    def pytest_sessionfinish(self) -> None:
        """All tests have run."""
        self.whole = time.process_time() - self.began <= self.most_s
        self.write()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self) -> None:
        """What fails is not made smaller."""
        settle_hypothesis()

    def write(self) -> None:
        """Keep what is known by now."""
        self.written = time.process_time()
        by_name: dict[str, set[str]] = {}
        for (_, name), found in self.fixtures.items():
            by_name.setdefault(name, set()).update(found)
        reached = {
            test: found.union(*(by_name.get(n, ()) for n in self.uses[test])) for test, found in self.tests.items()
        }
        numbers = {name: n for n, name in enumerate(sorted(self.imported.union(*reached.values())))}
        reported = {
            "whole": self.whole, "overhead_s": round(self.written - self.began - self.testing, 2),
            "names": list(numbers), "seconds": {k: round(v, 4) for k, v in self.seconds.items()},
            "reached": {k: sorted(numbers[n] for n in v) for k, v in reached.items()},
            "imported": sorted(numbers[n] for n in self.imported),
        }  # fmt: skip
        self.out.parent.mkdir(exist_ok=True)
        self.out.write_text(json.dumps(reported), "utf-8")


def settle_hypothesis() -> None:
    """What fails is not made smaller, and nothing is remembered."""
    from hypothesis import Phase, settings

    settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], database=None)
    settings.load_profile("mutants")


def function_at(text: str, line: int) -> str:
    """The outermost function that a line stands in, as its code object calls it; what runs on import else."""
    found, inside = MODULE, ast.parse(text).body
    for name in _path(inside, line):
        found = name
    return found


def _path(body: list[ast.stmt], line: int) -> list[str]:
    for node in body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        if not first <= line <= (node.end_lineno or line):
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return [node.name]
        if isinstance(node, ast.ClassDef):
            below = _path(node.body, line)
            return [f"{node.name}.{below[0]}"] if below else [node.name]
    return []
