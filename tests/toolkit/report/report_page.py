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

    @property
    def html(self) -> str:
        return self.path.read_text("utf-8")
