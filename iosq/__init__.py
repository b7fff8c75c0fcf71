"""Mainframe disk and tape I/O measurements: to Parquet, SQL, findings, reports and predictions.

    import iosq

    iosq.ingest("lake", ["smf.dump.gz"])
    lake = iosq.open("lake", since="2025-11-18", system="SYSA")
    lake.sql("SELECT volume, max(wait_ms) AS wait_ms FROM volume_interval GROUP BY volume")
    lake.findings()

Heavy libraries are loaded on first use. Below this file, links lead to the folders of the import path, so that
tools which read a checkout find every module under its name; an installed package holds folders there.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iosq import simulate
    from iosq.answers import Findings, Trends, Verdicts
    from iosq.lake import Lake
    from iosq.opening import open
    from iosq.toolkit.errors import InputError, IosqError, LakeError, RequestError
    from iosq.toolkit.sql.limits import limit
    from iosq.tools import (
        anonymize,
        charts,
        compact,
        compare,
        describe,
        doctor,
        export_delta,
        export_duckdb,
        ingest,
        judge,
        machine,
        machines,
        predictions,
        prune,
        repair,
        sample,
        validate,
        view_groups,
        views,
    )
    from iosq.types import (
        Ailment,
        Anonymized,
        Answer,
        Change,
        Compacted,
        Comparison,
        Description,
        Effect,
        Exported,
        Finding,
        Judged,
        Limits,
        Number,
        Outcome,
        Prediction,
        Pruned,
        Repaired,
        Trend,
    )

    __version__: str

# where each name comes from: a module is imported when its name is first used
_HOMES = {
    "iosq.answers": ("Findings", "Trends", "Verdicts"),
    "iosq.lake": ("Lake",),
    "iosq.opening": ("open",),
    "iosq.toolkit.sql.limits": ("limit",),
    "iosq.tools": (
        "anonymize", "charts", "compact", "compare", "describe", "doctor", "export_delta", "export_duckdb", "ingest",
        "judge", "machine", "machines", "predictions", "prune", "repair", "sample", "validate", "view_groups", "views",
    ),
    "iosq.types": (
        "Ailment", "Anonymized", "Answer", "Change", "Compacted", "Comparison", "Description", "Effect", "Exported",
        "Finding", "Judged", "Limits", "Number", "Outcome", "Prediction", "Pruned", "Repaired", "Trend",
    ),
    "iosq.toolkit.errors": ("InputError", "IosqError", "LakeError", "RequestError"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Ailment",
    "Anonymized",
    "Answer",
    "Change",
    "Compacted",
    "Comparison",
    "Description",
    "Effect",
    "Exported",
    "Finding",
    "Findings",
    "InputError",
    "IosqError",
    "Judged",
    "Lake",
    "LakeError",
    "Limits",
    "Number",
    "Outcome",
    "Prediction",
    "Pruned",
    "Repaired",
    "RequestError",
    "Trend",
    "Trends",
    "Verdicts",
    "__version__",
    "anonymize",
    "charts",
    "compact",
    "compare",
    "describe",
    "doctor",
    "export_delta",
    "export_duckdb",
    "ingest",
    "judge",
    "limit",
    "machine",
    "machines",
    "open",
    "predictions",
    "prune",
    "repair",
    "sample",
    "simulate",
    "validate",
    "view_groups",
    "views",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("iosq")
    if name == "simulate":
        return importlib.import_module("iosq.simulate")
    if name not in _HOME:
        raise AttributeError(f"module 'iosq' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
