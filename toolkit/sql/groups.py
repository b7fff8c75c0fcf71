"""Views by subject: those of `groups.csv`, then all others."""

from iosq.toolkit.rows import csv_rows
from iosq.toolkit.sql.catalog import views

REST = "Intermediate views (may change)"


def view_groups() -> dict[str, dict[str, str]]:
    """Views by subject, the most important first: title by name. Views of the last group may change."""
    titles = {view.name: view.title for view in views() if not view.is_part}
    made: dict[str, dict[str, str]] = {}
    for row in csv_rows(__package__, "groups.csv"):
        made.setdefault(row["group"], {})[row["view"]] = titles.pop(row["view"])
    return made | {REST: dict(sorted(titles.items()))}
