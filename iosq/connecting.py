"""A connection to a lake for one question: the views that it names, over the files that it needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.toolkit.errors import ChangedError
from iosq.window import Needed, Parts, Pieces, busiest_day, is_large, largest, needed_files, needed_pieces

if TYPE_CHECKING:
    import duckdb

    from iosq.parsers.api import Table
    from iosq.toolkit.lake.lake import Lake as Store
    from iosq.toolkit.sql.catalog import View
    from iosq.toolkit.sql.filter import Filter
    from iosq.toolkit.sql.window import Asked


@dataclass(frozen=True)
class Question:
    """What will be asked: see `iosq.lake.Lake.connection`."""

    statement: str | None
    where: Filter
    made: str = ""
    copied: bool = False
    utc: bool = False
    exact: bool = False
    of_all: bool = False  # read every file, needed or not
    is_bare: bool = False  # nothing is asked of the connection: its views are made anew elsewhere

    @cached_property
    def about(self) -> tuple[View, ...]:
        """The views that it is about."""
        return about(self.statement, self.made)[0]

    @cached_property
    def words(self) -> set[str]:
        """What its statement is made of."""
        return set(re.findall(r"\w+", (self.statement or "").lower()))

    @cached_property
    def asked(self) -> Asked:
        """What its statement asks of each view, where nothing else will be asked."""
        from iosq.toolkit.sql.window import Asked, Window, of_statement

        if not (self.exact and self.statement and self.about):
            return Asked(Window())
        return of_statement(self.statement.rstrip("; \n"), self.about)

    def names_raw(self, known: Mapping[str, Table]) -> bool:
        """Whether the statement reads raw tables."""
        return bool(self.words & known.keys())

    def read(self, known: Mapping[str, Table]) -> list[View] | None:
        """The views to make; None for all."""
        from iosq.toolkit.sql.catalog import needed, views

        _, text = about(self.statement, self.made)
        whole = tuple(views()) if self.utc and not text else ()
        read = () if self.names_raw(known) and not self.about else whole or needed(text)
        return [replace(v, utc=self.utc) for v in read] if text or whole else None

    @cached_property
    def reads_nothing(self) -> bool:
        """Whether its statement asks for no table at all: `SELECT 1`."""
        from iosq.toolkit.sql.catalog import needed

        return self.exact and not self.where and bool(self.statement) and not needed(self.statement or "")

    @property
    def is_alone(self) -> bool:
        """Whether nothing is asked of but what its statement names."""
        return self.exact and not self.where and not self.utc and not self.tells_of_lake

    @property
    def tells_of_lake(self) -> bool:
        """Whether the lake's tables about itself may be asked for, by name or among all that there are."""
        asked = (self.statement or "").lower()
        return not (self.exact and asked) or re.search("lake_|show|desc|summarize|schema|duckdb_", asked) is not None

    def is_commented(self, known: Mapping[str, Table]) -> bool:
        """Whether the statement may ask for the lake's words about itself, or for tables that it does not name."""
        from iosq.toolkit.sql.catalog import needed

        if self.statement is None or re.search("comment|lake_", self.statement.lower()):
            return self.statement is not None
        return not (self.about or self.names_raw(known)) and bool(needed(self.statement))


def about(statement: str | None, made: str) -> tuple[tuple[View, ...], str]:
    """The views that a question is about, and the text that names all to be made for it; empty for all there are."""
    from iosq.toolkit.sql.catalog import named, views
    from iosq.toolkit.sql.refusal import first_of

    asked = named(statement) if statement else tuple(v for v in views() if v.layer == "promised")
    return asked, statement or (f"{made} {' '.join(v.name for v in first_of(asked))}" if made else "")


def connected(path: Path, question: Question) -> tuple[duckdb.DuckDBPyConnection, bool]:
    """A connection for a question, and whether there are files that it does not read.

    Raises:
        LakeError: there is no lake, or it can't be read.
    """
    try:
        return _opened(path, question)
    except ChangedError:
        return _opened(path, question)  # another command has merged or dropped files: the new state


def _opened(path: Path, question: Question) -> tuple[duckdb.DuckDBPyConnection, bool]:
    from iosq.toolkit.lake.lake import Lake as Store
    from iosq.toolkit.show import stages

    stages.tell("lake")
    store = Store(path.absolute())
    listed = store.listed()
    pieces = _prepared(store, listed, question)
    is_plain = question.exact and not question.where and is_large(listed)
    if is_plain and (few := _first_rows(store, listed, question, pieces)):
        return few, True
    return _connected(store, listed, question, pieces)


def _prepared(store: Store, listed: Parts, question: Question) -> Pieces:
    from iosq.parsers.registry import tables
    from iosq.toolkit.sql.definitions import definitions

    if question.reads_nothing:
        return {}
    only = question.read(tables())
    return store.prepared(listed, definitions, None if only is None else [v.name for v in only])


def _connected(
    store: Store, listed: Parts, question: Question, pieces: Pieces
) -> tuple[duckdb.DuckDBPyConnection, bool]:
    from iosq.parsers.registry import tables
    from iosq.toolkit.sql.connect import connect
    from iosq.toolkit.sql.definitions import definitions
    from iosq.toolkit.sql.kept import use

    known = {} if question.reads_nothing else tables()  # finding out what they are takes longer than some answers
    only, commented = question.read(known), question.is_commented(known)
    raw = question.words.union(*(view.reads for view in only or ()))
    if only and pieces and question.about and question.is_alone:  # those below were read when it was prepared
        named = {v.name for v in question.about}
        only = [v for v in only if v.name in named]
        raw = question.words
    needed = _pieces(pieces, listed, question, only or ()) if pieces else _needed(store, listed, question, only or ())
    prepared = {view: store.places(found) for view, found in needed.pieces.items()}
    made = known
    if question.statement and not commented and not question.where:
        # others take longer to make known than most questions take
        made = {name: table for name, table in known.items() if name in raw}
    files = {name: found for name, found in needed.files.items() if name in made}
    if question.is_bare and not question.where and only is not None:
        only = [v for v in only if v.name in prepared]
    about_lake = store.about() if commented or question.tells_of_lake else {}
    con = connect(
        made.values(), {**store.whole(files), **prepared}, about_lake, root=store.path, only=only,
        where=question.where, idle=known.keys() - listed.keys(), commented=commented, copied=question.copied,
    )  # fmt: skip
    if pieces and question.is_bare and not question.where:
        use(con, store.answers(listed, definitions, utc=question.utc))
    return con, needed.is_cut


def _pieces(pieces: Pieces, listed: Parts, question: Question, read: Sequence[View]) -> Needed:
    """What is prepared of the days that a question is about."""
    from iosq.toolkit.sql.connect import WHOLE, follows_boxes
    from iosq.toolkit.sql.window import of_filter

    of_any_time = question.of_all or WHOLE in question.words
    if of_any_time or (question.where and follows_boxes(read, question.where)):
        return Needed(listed, pieces=pieces)
    return needed_pieces(listed, pieces, of_filter(question.where).within(question.asked.window))


def _needed(store: Store, listed: Parts, question: Question, read: Sequence[View]) -> Needed:
    from iosq.parsers.registry import tables
    from iosq.toolkit.sql.connect import WHOLE, follows_boxes
    from iosq.toolkit.sql.window import both, of_filter

    if (
        question.of_all
        or question.reads_nothing
        or not is_large(listed)
        or question.names_raw(tables())
        or WHOLE in question.words
    ):
        return Needed(listed)
    if question.where and follows_boxes(read, question.where):  # they are those of any time
        return Needed(listed)
    window = of_filter(question.where).within(question.asked.window)
    asked = question.about if question.statement else read
    systems = both(frozenset(question.where.systems) or None, question.asked.systems)
    return needed_files(store, listed, window, systems, read, [v.name for v in asked])


def _first_rows(store: Store, listed: Parts, question: Question, pieces: Pieces) -> duckdb.DuckDBPyConnection | None:
    """A connection to one day of the lake, where that has as many rows as are asked for, and any will do."""
    rows, day = question.asked.any_rows, busiest_day(listed)
    if rows is None or question.asked.window or day is None or not any(v.is_near for v in question.about):
        return None
    if pieces:
        con, is_cut = _connected(store, listed, question, largest(pieces))[0], True
    else:
        con, is_cut = _connected(store, listed, replace(question, where=day, exact=False), pieces)
    if is_cut:
        statement = (question.statement or "").rstrip("; \n")
        ((found,),) = con.execute(f"SELECT count(*) FROM ({statement}) AS asked").fetchall()
        if found >= rows:
            return con
    con.close()
    return None
