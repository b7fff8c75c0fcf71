"""Views by subject: those of `groups.csv`, then all others."""

from iosq.toolkit.rows import csv_rows
from iosq.toolkit.sql.catalog import views

REST = "Intermediate views (may change)"


def groups() -> dict[str, dict[str, str]]:
    """Titles of views by name, by group in the order of the file."""
    titles = {view.name: view.title for view in views() if not view.is_part}
    made: dict[str, dict[str, str]] = {}
    for row in csv_rows(__package__, "groups.csv"):
        made.setdefault(row["group"], {})[row["view"]] = titles.pop(row["view"])
    return made | {REST: dict(sorted(titles.items()))}
