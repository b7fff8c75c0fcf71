"""One Delta table: its parts, and a commit that synchronises it with the lake.

A part is the rows of one input, or the rows of one day of a view. A commit records the parts it writes as application
transactions (`iosq:` and the part) whose version is the digest of the part's stored rows. So the table itself records
its content, and if two exports commit the same part at once, one fails: no row is written twice.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict

import pyarrow as pa

from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.lake.part import FILE_ID

if TYPE_CHECKING:
    from deltalake import CommitProperties, WriterProperties

MISSING = "Delta tables are written by the package deltalake, which is not installed"
ANEW = "export into a new folder"
REACH = "is the store there, and are its credentials in the environment?"
HOW_TO_INSTALL = "pip install 'iosq[delta]'"


class _WriteOptions(TypedDict, total=False):
    """Write options of all tables; ZSTD because every reader of Delta supports it."""

    name: str
    description: str
    writer_properties: "WriterProperties"
    commit_properties: "CommitProperties"


@contextmanager
def delta_errors(place: str) -> Iterator[None]:
    """Convert errors of the package or the store to a one-line error about `place`."""
    try:
        from deltalake.exceptions import CommitFailedError, DeltaError
    except ImportError as error:
        raise RequestError(MISSING, remedy=HOW_TO_INSTALL) from error
    try:
        yield
    except CommitFailedError as error:
        what = "another program wrote to the table during this export; nothing of this export is in it"
        raise LakeError(what, place=place, remedy="export again") from error
    except Exception as error:
        if not (isinstance(error, (DeltaError, OSError)) or type(error) is Exception):  # the package's own
            raise
        remedy = REACH if "://" in place else ANEW
        line = str(error).strip().split("\n", 1)[0].rstrip(".")
        what = f"can't be read or written as a Delta table ({line})"
        raise LakeError(what, place=place, remedy=remedy) from error


class Table:
    """A Delta table that may not exist yet.

    Args:
        title, schema: title and schema of the table; the metadata `comment` of a field has the column's meaning.
        key: the column with the part of a row.
    """

    def __init__(self, place: str, title: str, schema: pa.Schema, key: str = FILE_ID) -> None:
        self.place, self.title, self.schema, self._key = place, title, schema, key
        with delta_errors(place):
            from deltalake import DeltaTable

            self._table: DeltaTable | None = DeltaTable(place) if DeltaTable.is_deltatable(place) else None

    @property
    def is_there(self) -> bool:
        return self._table is not None

    def parts(self) -> frozenset[str]:
        """The parts that have rows in the table; LakeError if it can't be read, or another program wrote it."""
        if self._table is not None and self._key not in (field.name for field in self._table.schema().fields):
            what = f"is no table that iosq wrote: it has no column {self._key}"
            raise LakeError(what, place=self.place, remedy=ANEW)
        return frozenset(self._query(f"SELECT DISTINCT {self._key} FROM own").column(0).to_pylist())

    def changes(self, stored: Mapping[str, int]) -> tuple[dict[str, int], frozenset[str]]:
        """The parts to write and to remove, so that the table has exactly the parts with these digests."""
        held = self.parts()
        fresh = {part: digest for part, digest in stored.items() if part not in held or self._digest(part) != digest}
        return fresh, held - (stored.keys() - fresh.keys())

    def _digest(self, part: str) -> int | None:
        """The digest recorded by the last write of a part; None if there was none."""
        if self._table is None:
            return None
        with delta_errors(self.place):
            return self._table.transaction_version(_transaction(part))

    def holds(self, rows: pa.Table) -> bool:
        """True if the table exists and has exactly these rows, in any order."""
        known = self._query("SELECT * FROM own")
        if self._table is None or known.column_names != rows.column_names:
            return False
        order = [(name, "ascending") for name in rows.column_names]
        return bool(known.cast(rows.schema).sort_by(order).equals(rows.sort_by(order)))

    def _query(self, sql: str) -> pa.Table:
        """The result of a query on the table, named `own` in the SQL; no rows if it does not exist."""
        if self._table is None:
            return self.schema.empty_table()
        with delta_errors(self.place):
            from deltalake import QueryBuilder

            return pa.table(QueryBuilder().register("own", self._table).execute(sql).read_all())

    def bring(self, rows: pa.RecordBatchReader, fresh: Mapping[str, int], former: Collection[str]) -> int:
        """Write the rows of fresh parts and remove those of former parts, in one commit; returns the number written.

        `former`: the parts whose rows to remove, fresh or not. LakeError if the table can't be written, or another
        program has written to it since this object was created.
        """
        self._check()
        parts = ", ".join(f"'{part}'" for part in sorted({*former, *fresh})) if former else ""
        counts: list[int] = []

        def batches() -> Iterator[pa.RecordBatch]:
            for batch in rows:
                counts.append(batch.num_rows)
                yield pa.record_batch(batch.columns, schema=self.schema)

        cast = pa.RecordBatchReader.from_batches(self.schema, batches())
        self._write(cast, fresh, f"{self._key} IN ({parts})" if parts else None)
        return sum(counts)

    def _check(self) -> None:
        """LakeError if a column has another type, because the package silently writes numbers to text columns."""
        if self._table is None:
            return
        known = pa.schema(self._table.schema())
        for field in self.schema:
            found = known.field(field.name).type if field.name in known.names else field.type
            if found != field.type:
                what = f"its column {field.name} is {found}, that of the lake {field.type}"
                raise LakeError(what, place=self.place, remedy=ANEW)

    def replace(self, rows: pa.Table) -> None:
        with delta_errors(self.place):
            from deltalake import write_deltalake

            place = self._table or self.place
            write_deltalake(place, rows.cast(self.schema), mode="overwrite", schema_mode="overwrite", **self._manner())

    def _write(self, rows: pa.RecordBatchReader, fresh: Mapping[str, int], over: str | None) -> None:
        """Add rows, and remove those for which the predicate `over` is true."""
        with delta_errors(self.place):
            from deltalake import write_deltalake

            place, options = self._table or self.place, self._manner()
            options["commit_properties"] = _properties(fresh)
            if over:
                write_deltalake(place, rows, mode="overwrite", predicate=over, schema_mode="merge", **options)
            else:
                write_deltalake(place, rows, mode="append", schema_mode="merge", **options)

    def _manner(self) -> _WriteOptions:
        from deltalake import WriterProperties

        name = self.place.rsplit("/", 1)[-1]
        return {"name": name, "description": self.title, "writer_properties": WriterProperties(compression="ZSTD")}


def _properties(fresh: Mapping[str, int]) -> "CommitProperties":
    from deltalake import CommitProperties, Transaction

    return CommitProperties(
        app_transactions=[Transaction(_transaction(part), digest) for part, digest in fresh.items()]
    )


def _transaction(part: str) -> str:
    return f"iosq:{part}"
