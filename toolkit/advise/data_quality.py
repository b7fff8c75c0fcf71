"""Doubts about the measurements of a lake as a whole: notices with the findings and in the report."""

from collections.abc import Iterable, Iterator
from functools import cache

from iosq.toolkit.advise.finding import Topic
from iosq.toolkit.advise.templates import rendered
from iosq.toolkit.predict.thresholds import one_line
from iosq.toolkit.rows import Row, toml
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import Question, ask, load

_NOTICES = f"{__package__}.notices"
# the one that depends on the topic
MISSING = "missing_records"


@cache
def _texts() -> Row:
    return toml(_NOTICES, "notices.toml")


def question(name: str) -> Question:
    """The query of a notice."""
    return load(_NOTICES, f"{name}.sql")


def questions() -> list[str]:
    """The SQL of all notices."""
    return [question(name).sql for name in _texts()]


def warnings_about(con: Connection) -> str:
    """Sentences about listings without rows or a clock, contradictions, duplicates and wrapped counts; or nothing."""
    return " ".join(filter(None, (notice(con, name) for name in _texts() if name != MISSING)))


def missing_records(con: Connection, topic: Topic) -> str:
    """Sentences about missing record types that a topic needs, then `warnings_about`; may be empty."""
    return " ".join(filter(None, (notice(con, MISSING, topic), warnings_about(con))))


def notice(con: Connection, name: str, topic: Topic = "all") -> str:
    """A sentence or two for each row of a query; empty where nothing is wrong."""
    return " ".join(_sentences(ask(con, question(name)).to_pylist(), name, topic))


def _sentences(rows: Iterable[Row], name: str, topic: Topic) -> Iterator[str]:
    for row in rows:
        entry = _texts()[name].get(row.get("kind"), _texts()[name])
        if topic in entry.get("topics", (topic,)):
            yield rendered(one_line(entry["text"]), row, f"notices.toml, [{name}]")
