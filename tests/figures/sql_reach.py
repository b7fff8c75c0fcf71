"""What a change of a file with SQL, words or limits reaches: views above it, questions that read them, their names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.questions import Question
from iosq.toolkit.sql.questions import shipped as questions
from tests.figures.kept import ROOT


@dataclass(frozen=True, slots=True)
class Above:
    """What a file is part of: names a test would use itself, those of what is above, and files of questions."""

    own: frozenset[str]
    names: frozenset[str]
    questions: frozenset[str]


@cache
def _texts() -> dict[Path, str]:
    return {p.relative_to(ROOT): p.read_text("utf-8") for p in sorted((ROOT / "toolkit").rglob("*.sql"))}


@cache
def _questions() -> dict[Path, tuple[str, frozenset[str]]]:
    """Every question by its file: its name, and the words of its SQL with all macros in it."""
    return {_file_of(q): (q.name, frozenset(re.findall(r"\w+", q.sql))) for q in questions()}


def _file_of(question: Question) -> Path:
    return next(p for p in _texts() if p.as_posix().endswith(f"/{question.file}"))


def above(path: Path) -> Above:
    """What stands above a file of `toolkit`: a view, a macro, a question, limits of a rule."""
    own = set(_of_macro(path)) if path.parent.name == "macros" else {name_of(path)}
    reached = {v.name for v in _over(own)} | own
    asked = {p: name for p, (name, words) in _questions().items() if name_of(p) in own or words & reached}
    return Above(
        frozenset(own), frozenset(reached | {name_of(p) for p in asked}), frozenset(f"?{q}" for q in asked.values())
    )


def name_of(path: Path) -> str:
    """A view by its file or its folder, a rule by its folder, another question by its file."""
    folder = path.parent.parent.name in ("views", "rules")
    return path.parent.name if folder else path.stem


def _over(names: Iterable[str]) -> list[View]:
    """The views that read these, directly or not, and the views of these names."""
    found = set(names)
    for view in views():  # each after those it reads
        if view.reads & found:
            found.add(view.name)
    return [v for v in views() if v.name in found]


def _of_macro(path: Path) -> Iterable[str]:
    """The names of views, rules and questions that call a macro, or one that calls it."""
    call = re.compile(rf"{{[{{%] (call )?{path.stem}\(")
    for other, text in _texts().items():
        if call.search(text):
            yield from _of_macro(other) if other.parent.name == "macros" else [name_of(other)]
