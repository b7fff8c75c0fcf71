"""Tables of what advice and reports ask: of all of a lake, and of the part of it that is asked about.

What is found in all of it is told about the part, so both are wanted; each view is computed once, and the part is cut
out of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING

from iosq.toolkit.errors import RequestError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from iosq.lake import Lake
    from iosq.toolkit.sql.engine import Connection
    from iosq.toolkit.sql.filter import Filter


def as_tables(lake: Lake, texts: Sequence[str], where: Filter | None = None) -> AbstractContextManager[Connection]:
    """What some texts ask for, each view computed once, on the clock that advice tells."""
    from iosq.toolkit.sql.materialise import materialised

    made = lake._opened(made=" ".join(texts), where=where, copied=True, utc=lake.utc)
    return materialised(made, texts, utc=lake.utc)


@contextmanager
def whole_and_part(
    lake: Lake, of_all: Sequence[str], of_part: Sequence[str]
) -> Iterator[tuple[Connection, Connection]]:
    """Tables of all of the span that a lake was opened for, and of the part: the same where no name narrows it.

    Args:
        lake: says what part.
        of_all: what will be run on the whole.
        of_part: what will be run on the part.

    Raises:
        RequestError: nothing is left of what was asked for.
    """
    where, span = lake.where, lake.where.span()
    with ExitStack() as held:
        if lake.spark is not None or not where.named():
            part = held.enter_context(as_tables(lake, of_part)) if where.named() else None
            con = held.enter_context(as_tables(lake, of_all, span))
            yield con, part or con
            return
        yield held.enter_context(_cut(lake, of_all, of_part))


@contextmanager
def _cut(lake: Lake, of_all: Sequence[str], of_part: Sequence[str]) -> Iterator[tuple[Connection, Connection]]:
    from iosq.toolkit.sql.connect import OF_BOXES
    from iosq.toolkit.sql.materialise import Cut, cut_from, materialised
    from iosq.toolkit.sql.settle import reads_little

    texts = [*of_all, *OF_BOXES, *cut_from(of_part)]
    con = _span(lake, [*texts, *of_part], of_part)
    if not reads_little(con):  # a name that is nowhere is told before all the others are looked at
        _refuse(lake, of_part)
    with materialised(con, texts, utc=lake.utc) as whole:
        cut = Cut(whole, lake.where, _asked(lake, whole))
        with materialised(con, of_part, utc=lake.utc, cut=cut) as part:
            _insist(lake, part, of_part)
            yield whole, part


def _span(lake: Lake, texts: Sequence[str], of_part: Sequence[str]) -> duckdb.DuckDBPyConnection:
    try:
        return lake.connection(made=" ".join(texts), where=lake.where.span(), copied=True, utc=lake.utc)
    except RequestError:  # of the part more can be told
        _refuse(lake, of_part)
        raise


def _asked(lake: Lake, whole: duckdb.DuckDBPyConnection) -> pa.Table | None:
    """Which boxes the names asked for are in, where that matters: at any time, whatever the span."""
    from iosq.toolkit.sql.catalog import views
    from iosq.toolkit.sql.connect import asked_rows, follows_boxes
    from iosq.toolkit.sql.filter import Filter
    from iosq.toolkit.sql.guard import query

    if not follows_boxes(views(), lake.where):
        return None
    text = asked_rows(lake.where, "")
    return query(lake.connection(text, Filter(), exact=True) if lake.where.span() else whole, text)


def _insist(lake: Lake, part: duckdb.DuckDBPyConnection, of_part: Sequence[str]) -> None:
    """Refuse a part without measurements, and one of names that are nowhere."""
    from iosq.toolkit.sql.catalog import views
    from iosq.toolkit.sql.materialise import named_in
    from iosq.toolkit.sql.refusal import insist

    made = named_in(" ".join(of_part))
    try:
        insist(part, [v for v in views() if v.layer == "promised" and v.name in made], lake.where, whole="")
    except RequestError:  # it may be told of a view that was not made, or of another time
        _refuse(lake, of_part)


def _refuse(lake: Lake, of_part: Sequence[str]) -> None:
    """Say what nothing is left of, and what there is instead, as whoever asks the part alone is told."""
    lake.connection(made=" ".join(of_part), copied=True, utc=lake.utc).close()
