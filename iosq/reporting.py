"""Write reports of a lake: HTML page, workbook, JSON document."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from iosq.lake import Lake
from iosq.toolkit.advise import run
from iosq.toolkit.advise.catalog import question_texts
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.part import findings_of_part
from iosq.toolkit.errors import RequestError
from iosq.toolkit.report import page, quality
from iosq.toolkit.report.write import write as write_report
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.filter import Instant
from iosq.toolkit.sql.guard import query

_WEEK = timedelta(days=7)
_END = "SELECT max(local_end) AS local_end FROM measured_interval"


def write(lake: Lake, path: Path, form: str, found: Sequence[Finding] | None) -> list[str]:
    """Write the report; arguments, result and errors as of `Lake.report`."""
    texts = [*page.texts(), _END]
    of_all = question_texts() if lake.where.named() else texts
    with lake.whole_and_part(of_all, texts) as (con, asked):
        accuracy = (lambda: lake.simulate.alias_accuracy) if found is None else (lambda: None)
        if found is None and lake.where.named():
            quality.require(asked)
            found = findings_of_part(run(con, lake.thresholds), asked, lake.thresholds)
        with nullcontext() if form in ("xlsx", "json") else _week_before(lake, asked) as before:
            return write_report(
                asked, path, form, lake.thresholds, narrowed=lake.narrowed(), findings=found, accuracy=accuracy,
                utc=lake.utc, before=before,
            )  # fmt: skip


@contextmanager
def _week_before(lake: Lake, asked: Connection) -> Iterator[Connection | None]:
    """The same part of the lake a week earlier; None if it is empty, the report has no start, or Spark is used."""
    since, until = lake.where.since, lake.where.until
    if since is None or lake.spark is not None:
        yield None
        return
    if until is None:
        until = Instant(query(asked, _END).to_pylist()[0]["local_end"])
    since, until = (replace(instant, at=instant.at - _WEEK) for instant in (since, until))
    where = replace(lake.where, since=since, until=until)
    try:
        con = lake.connection(where=where, made=" ".join(page.weekly_texts()), steady=True, utc=lake.utc)
    except RequestError:  # no data a week earlier
        yield None
        return
    with con:
        yield con
