"""A report about a part of a lake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iosq.toolkit.advise import Finding, run
from iosq.toolkit.advise.engine import Settings
from iosq.toolkit.report import quality

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection


@dataclass(frozen=True, slots=True)
class Narrowed:
    """By what filter a connection shows a part of its lake only, in words, and what all of its span says about it.

    A part is too little to find anything in: volumes of a box are solved together (`iosq.toolkit.advise.part`). Without
    findings it is a part of the time alone, which rules read themselves.
    """

    words: str
    findings: Sequence[Finding] | None = None


def findings(con: Connection, settings: Settings | None, part: Narrowed | None) -> list[Finding]:
    """What a report says is wrong: found in what it shows, but where that is too little to find anything in.

    Raises:
        RequestError: there is nothing to report on.
    """
    quality.require(con, part.words if part else "")
    return run(con, settings) if part is None or part.findings is None else list(part.findings)
