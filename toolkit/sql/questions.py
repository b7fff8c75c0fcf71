"""Questions: named queries over views, each a `.sql` file next to the module that runs it.

A question has a header like a view's, and its SQL takes parameters by name:

    -- title: Volumes busier than a limit
    -- grain: one row per system, volume
    -- parameter $io_rate DOUBLE [per second]: Least rate that counts
    -- column system VARCHAR []: System id
    -- column volume VARCHAR []: Volume serial
    SELECT DISTINCT system, volume FROM volume_interval WHERE io_rate >= $io_rate

In the folder of a rule, a parameter without a line in the header is a threshold of `rule.toml`, which documents it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from iosq.toolkit.errors import LakeError
from iosq.toolkit.late import pa
from iosq.toolkit.sql.catalog import ViewColumn, needs, read, typed
from iosq.toolkit.sql.engine import Connection, Elsewhere
from iosq.toolkit.sql.guard import queries, query
from iosq.toolkit.sql.raw import literal

_NAMED = re.compile(r"\$(\w+)")
_COMMENT = re.compile("--.*")  # no literal of a question has dashes
_COMMENT_LINE = re.compile(r"^\s*--.*\n", re.MULTILINE)
_RULE, _QUERY = "rule.toml", "query"
_OTHERS = ("views", "tables")  # folders of SQL with headers of other kinds


@dataclass(frozen=True, slots=True)
class Question:
    """One query: its parameters and the columns of its result, in the order of the header.

    Names of `parameters` are without their `$`. `file` is its folder and file.
    """

    title: str
    grain: str
    parameters: tuple[ViewColumn, ...]
    columns: tuple[ViewColumn, ...]
    notes: tuple[str, ...]
    sql: str
    file: str

    @property
    def name(self) -> str:
        """Its folder and file as one word; that of the folder for a rule's `query.sql`."""
        return self.file.removesuffix(".sql").removesuffix(f"/{_QUERY}").replace("/", "_")

    @property
    def needs(self) -> frozenset[str]:
        """The tables and views without whose rows it has none."""
        return needs(self.file)

    @property
    def asked_with(self) -> frozenset[str]:
        """The names of its parameters."""
        return frozenset(p.name for p in self.parameters)

    def spelled(self, **parameters: str | float) -> str:
        """The statement on one line with its values written in, for a user to run; values it does not take are left.

        KeyError if a parameter has no value.
        """
        values = {n: literal(v) if isinstance(v, str) else f"{v:.15g}" for n, v in parameters.items()}
        return _NAMED.sub(lambda named: values[named[1]], " ".join(_COMMENT.sub("", self.sql).split()))


@cache
def load(package: str, file: str) -> Question:
    """The question in a file of a package: `load(__package__, "query.sql")`.

    LakeError about the file if its header is not understood, or its parameters are not those of the SQL.
    """
    folder = files(package)
    has_thresholds = folder.joinpath(_RULE).is_file()
    return parse(folder.joinpath(file), f"{package.rpartition('.')[2]}/{file}", has_thresholds=has_thresholds)


def parse(file: Traversable, place: str = "", *, has_thresholds: bool = False) -> Question:
    """The question in a file; `place` is what errors call it. Errors as `load`.

    `has_thresholds`: parameters that the header lacks are thresholds of a rule.
    """
    place = place or file.name
    header, text = read(file, place)
    sql = _COMMENT_LINE.sub("", text)
    header.insist(place)
    parameters = tuple(typed((head.removeprefix("$"), unit, text), place) for head, unit, text in header.parameters)
    columns = tuple(typed(c, place) for c in header.columns)
    documented, used = {p.name for p in parameters}, dict.fromkeys(_NAMED.findall(sql)).keys()
    if has_thresholds:
        limits = [name for name in used if name not in documented]
        parameters += tuple(ViewColumn(name, "DOUBLE", "", "threshold of the rule") for name in limits)
        documented.update(limits)
    for names, what in ((used - documented, "is not in the header"), (documented - used, "is not in the SQL")):
        for name in sorted(names):
            raise LakeError(f"parameter ${name} {what}", place=place)
    title, grain = header.single["title"], header.single["grain"]
    return Question(title, grain, parameters, columns, tuple(header.notes), sql, place)


def ask(con: Connection, question: Question, /, **parameters: Any) -> "pa.Table":
    """The whole answer as a `pyarrow.Table`; `parameters`: a value for each, in the unit its header names.

    TypeError if a parameter is missing, or there is none of that name; RequestError if it does not run on this lake.
    """
    _agreeing(question, parameters)
    return query(con, question.sql, parameters)


def ask_all(
    con: Connection, asked: Mapping[str, tuple[Question, Mapping[str, object]]], done: Callable[[int], object]
) -> "dict[str, pa.Table]":
    """The answers to several questions, each with its parameters, by name; errors as `ask`.

    `con`: from `iosq.toolkit.sql.materialise`: several are asked at once, each in one thread. `done` is called with the
    number of finished queries.
    """
    if isinstance(con, Elsewhere):
        answers = {}
        for number, (name, (question, given)) in enumerate(asked.items(), 1):
            answers[name] = ask(con, question, **given)
            done(number)
        return answers
    for question, given in asked.values():
        _agreeing(question, given)
    return queries(con, {name: (question.sql, dict(given)) for name, (question, given) in asked.items()}, done)


def _agreeing(question: Question, parameters: Mapping[str, object]) -> None:
    wrong = sorted(question.asked_with ^ parameters.keys())
    if wrong:
        known = ", ".join(sorted(question.asked_with)) or "none"
        raise TypeError(f"question {question.name} takes {known}; missing or not known: {', '.join(wrong)}")


def shipped(root: Traversable | None = None) -> Iterator[Question]:
    """Every question of the toolkit, or below a folder."""
    folder = root or files("iosq.toolkit")
    found = sorted(folder.iterdir(), key=lambda f: f.name)
    has_thresholds = any(file.name == _RULE for file in found)
    for file in found:
        if file.is_dir() and file.name not in _OTHERS:
            yield from shipped(file)
        elif file.name.endswith(".sql") and file.read_text("utf-8").startswith("-- title:"):
            yield parse(file, f"{folder.name}/{file.name}", has_thresholds=has_thresholds)
