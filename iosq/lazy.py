"""Views as polars LazyFrames: only the columns and rows that a query uses are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from iosq.toolkit.late import duckdb, pl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from iosq.lake import Lake


class View:
    """Descriptor: a view as an attribute of a lake."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        from iosq.toolkit.sql.catalog import views

        view = next(view for view in views() if view.name == self._name)
        return f"{view.title}.\n\n{view.grain[0].upper()}{view.grain[1:]}."

    @overload
    def __get__(self, lake: None, owner: type) -> View: ...

    @overload
    def __get__(self, lake: Lake, owner: type) -> pl.LazyFrame: ...

    def __get__(self, lake: Lake | None, owner: type) -> View | pl.LazyFrame:
        return self if lake is None else lazy_view(lake.connection(self._name), self._name)


def lazy_view(con: duckdb.DuckDBPyConnection, name: str) -> pl.LazyFrame:
    """One view of a connection to a lake as a LazyFrame."""
    from polars.io.plugins import register_io_source

    from iosq.toolkit.sql.guard import query, stream
    from iosq.toolkit.sql.raw import quoted

    schema = pl.DataFrame(query(con, f"SELECT * FROM {quoted(name)} LIMIT 0")).schema

    def batches(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, _size: int | None
    ) -> Iterator[pl.DataFrame]:
        wanted = ", ".join(map(quoted, columns)) if columns else "*"
        # polars passes a row limit along with a predicate only if the limit applies before the predicate
        limit = "" if rows is None else f" LIMIT {rows}"
        with stream(con, f"SELECT {wanted} FROM {quoted(name)}{limit}") as reader:
            for batch in reader:
                frame = pl.DataFrame(batch)
                yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(batches, schema=schema)
