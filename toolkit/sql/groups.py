"""Views by subject: those of `groups.csv`, then all others."""

from __future__ import annotations

import csv
from importlib.resources import files

from iosq.toolkit.sql.catalog import views

REST = "Intermediate views (may change)"


def groups() -> dict[str, dict[str, str]]:
    """Titles of views by name, by group in the order of the file."""
    titles = {view.name: view.title for view in views() if not view.is_part}
    made: dict[str, dict[str, str]] = {}
    for row in csv.DictReader(files(__package__).joinpath("groups.csv").read_text("utf-8").splitlines()):
        made.setdefault(row["group"], {})[row["view"]] = titles.pop(row["view"])
    return made | {REST: dict(sorted(titles.items()))}
