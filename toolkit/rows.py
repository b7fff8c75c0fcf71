"""Rows with columns defined by a query, a file or a record layout, so that their types are dynamic.

If the columns are known, a dataclass replaces such a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]
"""A row by column, or a table of a TOML file by key, to be read."""

NewRow: TypeAlias = dict[str, Any]
"""The same, being made."""
