"""The data source: `spark.read.format("smf").option("table", "smf74_1_device_data").load(path)`.

Options:
    path: a file, folder or glob that the driver and all executors see under this name.
    table: a raw table, `lake_files`, `lake_records` or `lake_issues`, or `tables`, which lists them.
    splitBytes: an unpacked SMF dump larger than this is read by several tasks; 128 MiB.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from iosq.toolkit.errors import RequestError
from iosq.toolkit.spark.tasks import SPLIT_BYTES, Task, plan, read, schema_of
from iosq.toolkit.spark.types import of_arrow


class Source(DataSource):
    """Dumps and listings as tables."""

    @classmethod
    def name(cls) -> str:
        """The name for `format`."""
        return "smf"

    def schema(self) -> str:
        """The columns of the requested table, as a Spark schema."""
        fields = schema_of(self.options.get("table", ""))
        return ", ".join(f"`{f.name}` {of_arrow(f.type)}" for f in fields)

    def reader(self, schema: object) -> Reader:
        """The planner and reader."""
        del schema
        return Reader(dict(self.options))


class Reader(DataSourceReader):
    """Plans on the driver, reads on executors."""

    def __init__(self, options: Mapping[str, str]) -> None:
        known = {name.lower(): value for name, value in options.items()}
        self._table, self._path = known.get("table", ""), known.get("path", "")
        self._split_bytes = _number(known.get("splitbytes", str(SPLIT_BYTES)))

    def partitions(self) -> list[InputPartition]:
        """One for each task."""
        return [InputPartition(task) for task in plan([self._path], self._table, self._split_bytes)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of one task."""
        task: Task = partition.value
        return read(task, self._table)


def _number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise RequestError(f"is {text!r}, not a number of bytes", place="option splitBytes", remedy="give 134217728")
    return int(text)
