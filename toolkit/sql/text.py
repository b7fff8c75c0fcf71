"""The SELECT of a view, independent of the engine."""

from collections.abc import Callable, Collection

from iosq.toolkit.sql.catalog import Source, View
from iosq.toolkit.sql.possible import DAMAGED, believed, impossible, is_damaged
from iosq.toolkit.sql.raw import quoted


def select(view: View, given: Callable[[Source], Collection[str]]) -> str:
    """The header's columns of its SELECT, or of all its sources' brought to the header's types; then local time.

    `given`: the columns that a source gives.
    """
    names = ", ".join(quoted(c.name) for c in view.own_columns)
    own = _merged(view, given) if view.merged else f"SELECT {names} FROM (\n{view.sources[0].sql}\n) AS made"
    local = [f"{sql} AS {name}" for name, sql in view.local_time.items()]
    return f"SELECT *, {', '.join(local)} FROM (\n{own}\n) AS timed" if local else own


def _merged(view: View, given: Callable[[Source], Collection[str]]) -> str:
    nothing = ", ".join(f"CAST(NULL AS {c.sql_type}) AS {quoted(c.name)}" for c in view.own_columns)
    return "\nUNION ALL\n".join(_cast(view, s, given(s)) for s in view.sources) or f"SELECT {nothing} WHERE FALSE"


def _cast(view: View, source: Source, given: Collection[str]) -> str:
    if source.checks:
        return impossible(source.checks, source, given)
    checked: Collection[str] | None = None if view.is_sound and not source.is_stored else given
    made = {c.name: f"CAST({source.otherwise(c.name)} AS {c.sql_type})" for c in view.own_columns}
    made |= {c.name: believed(c, checked) for c in view.own_columns if c.name in given}
    made |= {c.name: f"({is_damaged(view, given)})" for c in view.own_columns if c is DAMAGED}
    picked = [f"{sql} AS {quoted(name)}" for name, sql in made.items()]
    return f"SELECT {', '.join(picked)} FROM ({source.sql}) AS source"
