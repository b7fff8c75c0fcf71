"""Evidence about the subjects of a rule: the results of the `questions` of its `rule.toml`.

A query in the rule's own folder takes precedence over one in the shared folder `evidence`. Columns of those under
`[joined]` become columns of the rule's rows, NULL in rows without evidence.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from iosq.toolkit.predict import evidence
from iosq.toolkit.predict.thresholds import insist
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import Question, load

SHARED = evidence.__name__


def questions(names: Sequence[str], package: str, place: str) -> Mapping[str, Question]:
    """The queries of these names.

    Args:
        names: files without their ending.
        package: the rule's folder.
        place: its name in errors.

    Raises:
        LakeError: there is no such file.
    """
    own = {f.name.removesuffix(".sql") for f in files(package).iterdir()}
    shared = {f.name.removesuffix(".sql") for f in files(SHARED).iterdir()}
    insist(set(names) - own - shared, "knows no question", place)
    return {name: load(package if name in own else SHARED, f"{name}.sql") for name in names}


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a query: its columns and rows."""

    columns: Sequence[str]
    rows: Sequence[Row]


NONE = Answer((), ())


class Evidence:
    """Answers by the name of their question."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers
        self._by = cache(self._grouped)

    def joined(self, rows: Sequence[Row], keys: Mapping[str, Sequence[str]]) -> list[Row]:
        """Rows with the columns of the first row of evidence with the same keys, by the name of the question."""
        for name, by in keys.items():
            unknown = dict.fromkeys(self._answers[name].columns)
            rows = [{**unknown, **self.row(name, **{key: r[key] for key in by}), **r} for r in rows]
        return list(rows)

    def rows(self, name: str, **of: Hashable) -> Sequence[Row]:
        """The rows of an answer that have these values, in order."""
        return self._by(name, tuple(of)).get(tuple(of.values()), ())

    def row(self, name: str, **of: Hashable) -> Row:
        """The first of them; empty where there is none."""
        return next(iter(self.rows(name, **of)), {})

    def _grouped(self, name: str, columns: Sequence[str]) -> Mapping[tuple[Hashable, ...], list[Row]]:
        found: dict[tuple[Hashable, ...], list[Row]] = {}
        for r in self._answers[name].rows:
            found.setdefault(tuple(r[column] for column in columns), []).append(r)
        return found
