"""A page as tests look at it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb


@dataclass(frozen=True)
class Page:
    path: Path
    findings: list[str]
    con: duckdb.DuckDBPyConnection
    copy: duckdb.DuckDBPyConnection
    """Every view of the lake as a table: questions are asked by the dozen."""

    @property
    def html(self) -> str:
        return self.path.read_text("utf-8")
