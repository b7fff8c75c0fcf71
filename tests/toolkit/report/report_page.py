"""A page as tests look at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import duckdb

from iosq.toolkit.advise import Finding, run


@dataclass(frozen=True)
class Page:
    path: Path
    findings: list[str]
    con: duckdb.DuckDBPyConnection
    copy: duckdb.DuckDBPyConnection
    """Every view of the lake as a table: questions are asked by the dozen."""

    @cached_property
    def found(self) -> list[Finding]:
        """What the rules find in it: each question is planned once."""
        return run(self.copy)

    @property
    def html(self) -> str:
        return self.path.read_text("utf-8")
