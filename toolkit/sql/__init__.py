"""DuckDB over the lake: raw views, derived and promised views, guarded queries, the dictionary and exports."""

from iosq.toolkit.sql.catalog import Source, View, ViewColumn, needed, views
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.describe import Description, describe
from iosq.toolkit.sql.docs import markdown
from iosq.toolkit.sql.export import FORMATS, export
from iosq.toolkit.sql.filter import Filter, Instant, instant, span
from iosq.toolkit.sql.guard import query, stream
from iosq.toolkit.sql.questions import Question, ask, load

__all__ = [
    "FORMATS",
    "Description",
    "Filter",
    "Instant",
    "Question",
    "Source",
    "View",
    "ViewColumn",
    "ask",
    "connect",
    "describe",
    "export",
    "instant",
    "load",
    "markdown",
    "needed",
    "query",
    "span",
    "stream",
    "views",
]
