"""What long commands are made of, for the time left: stages in order with the seconds they take of each other."""

from __future__ import annotations

from collections.abc import Mapping

from iosq.toolkit.show import stages

# measured on the sample and on 28 days of it; only their proportions count
_READING: Mapping[str, float] = {"views": 6.0, "rules": 5.0}
_PAGE: Mapping[str, float] = {**_READING, "pages": 1.0, "tables": 1.0, "charts": 1.0}
_MADE: Mapping[str, float] = {"sample dumps": 6.0, "ingest": 3.0}
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "advise": _READING,
    "anonymize": {"names": 1.0, "copy": 4.0, "proof": 3.0},
    "demo": {**_MADE, **_PAGE},
    "prepare": {"views": 6.0, "files": 1.0},
    "report": _PAGE,
}


def ingest_progress(done: int, total: int, records: int) -> None:
    """What an ingest tells: bytes done and in all; how many records these were says nothing about the time left."""
    del records
    stages.tell("ingest", done, total)
