"""The published studies by their name in `iosq validate`, except PAV (its protocols are in `validate`)."""

from collections.abc import Callable
from dataclasses import dataclass

from iosq.models.studies import bs2000, channels, ibm3990_6, sadump, se700, vts
from iosq.models.studies.check import Check


@dataclass(frozen=True)
class Study:
    """A published source: its name and the function that checks the models against it."""

    name: str
    title: str
    checks: Callable[[], list[Check]]


def studies() -> dict[str, Study]:
    """All studies, in print order."""
    found = (
        Study("3990-6", ibm3990_6.TITLE, ibm3990_6.checks),
        Study("se700", se700.TITLE, se700.checks),
        Study("bs2000", bs2000.TITLE, bs2000.checks),
        Study("vts", vts.TITLE, vts.checks),
        Study("dump", sadump.TITLE, sadump.checks),
        Study("channels", channels.TITLE, channels.checks),
    )
    return {study.name: study for study in found}
