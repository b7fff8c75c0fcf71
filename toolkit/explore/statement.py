"""The SQL panel: one SELECT through the guarded connection, the dictionary, and results as files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import iosq
from iosq.toolkit.late import pl
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.sql.questions import load

FIRST = load(__package__, "first.sql").sql.strip()
SHOWN = 5000
FORMS = {"CSV": "csv", "Excel": "xlsx", "Parquet": "parquet"}


def rows(lake: iosq.Lake, text: str) -> tuple[pl.DataFrame, str]:
    """The first rows of the result, and the number of rows in words; RequestError as of `Lake.sql`."""
    found = lake.sql(text)
    counted = plural(found.height, "row")
    return found.head(SHOWN), f"The first {SHOWN:,} of {counted}; files have all." if found.height > SHOWN else counted


def written(lake: iosq.Lake, text: str, form: str) -> Callable[[], bytes]:
    """A function that writes the whole result as a file when called."""

    def made() -> bytes:
        with tempfile.TemporaryDirectory(prefix="iosq-") as folder:
            target = Path(folder) / f"result.{form}"
            lake.export(text, target, form=form)
            return target.read_bytes()

    return made


def dictionary(view: str) -> list[NewRow]:
    """The columns of a view: type, unit and meaning."""
    entries = iosq.describe(view).entries
    return [{"column": e.column, "type": e.type, "unit": e.unit, "meaning": e.meaning} for e in entries]
