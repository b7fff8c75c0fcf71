"""A page as tests look at it."""

import base64
import gzip
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from iosq.toolkit.advise import Finding, run


@dataclass(frozen=True)
class Page:
    path: Path
    findings: list[str]
    con: duckdb.DuckDBPyConnection

    @cached_property
    def found(self) -> list[Finding]:
        """What the rules find in it: each question is planned once."""
        return run(self.con)

    @property
    def html(self) -> str:
        return self.path.read_text("utf-8")


def carried(html: str, name: str) -> Any:
    """What a page carries for its script under a name, packed or not."""
    found = re.search(rf'<script type="application/(json|gzip)" id="{name}">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found[2])) if found[1] == "gzip" else found[2])
