"""A report about a part of a lake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from iosq.toolkit.advise import Finding


@dataclass(frozen=True, slots=True)
class Narrowed:
    """By what filter a connection shows a part of its lake only, in words, and what all of its span says about it.

    A part is too little to find anything in: volumes of a box are solved together (`iosq.toolkit.advise.part`). Without
    findings it is a part of the time alone, which rules read themselves.
    """

    words: str
    findings: Sequence[Finding] | None = None
