"""Stages of long commands, for the remaining time: in order, with their relative duration."""

from collections.abc import Mapping

from iosq.toolkit.show import stages

# measured on the sample and on 28 days of it; only their proportions count
_READING: Mapping[str, float] = {"lake": 1.0, "views": 6.0, "rules": 3.0}
_PAGE: Mapping[str, float] = {**_READING, "pages": 1.0, "tables": 1.0, "charts": 1.0}
_ASKED: Mapping[str, float] = {"lake": 2.0, "views": 6.0}
_MADE: Mapping[str, float] = {"sample dumps": 6.0, "ingest": 3.0}
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "advise": _READING,
    "advise migrate": {"lake": 1.0, "views": 6.0, "busiest interval": 5.0, "machines": 2.0},
    "anonymize": {"names": 1.0, "copy": 4.0, "proof": 3.0},
    "chart": {"lake": 2.0, "question": 2.0, "picture": 1.0},
    "compare": {"lake": 1.0, "intervals": 5.0, "changes": 1.0},
    "demo": {**_MADE, **_PAGE},
    "fit": {**_ASKED, "intervals": 5.0, "machine": 1.0},
    "migrate": {**_ASKED, "busiest interval": 5.0, "number of boxes": 1.0, "boxes": 1.0},
    "nvs": _ASKED,
    "pav": {**_ASKED, "longest queue": 5.0, "counts": 1.0},
    "prepare": {"lake": 1.0, "views": 6.0, "files": 1.0, "rules": 1.0, "pages": 0.5, "tables": 0.5, "charts": 0.5},
    "report": _PAGE,
    "trend": {"lake": 1.0, "days": 9.0},
}


def ingest_progress(done: int, total: int, records: int) -> None:
    """The progress of an ingest: bytes done and in all; the number of records does not predict the time left."""
    del records
    stages.progress("ingest", done, total)
