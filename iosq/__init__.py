"""Mainframe disk and tape I/O measurements: to Parquet, SQL, findings, reports and predictions.

    import iosq

    iosq.ingest("lake", ["smf.dump.gz"])
    lake = iosq.open("lake", since="2025-11-18", system="SYSA")
    lake.sql("SELECT volume, max(wait_ms) AS wait_ms FROM volume_interval GROUP BY volume")
    lake.findings()

Heavy libraries are loaded on first use. In a checkout, symbolic links next to this file lead to the other folders of
the import path, so that tools find every module under its name; an installed package has folders there.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iosq import simulate as simulate
    from iosq.answers import Findings as Findings
    from iosq.answers import Trends as Trends
    from iosq.answers import Verdicts as Verdicts
    from iosq.lake import Lake as Lake
    from iosq.opening import open as open
    from iosq.toolkit.compare import judge as judge
    from iosq.toolkit.errors import InputError as InputError
    from iosq.toolkit.errors import IosqError as IosqError
    from iosq.toolkit.errors import LakeError as LakeError
    from iosq.toolkit.errors import RequestError as RequestError
    from iosq.toolkit.predict.machines import machine as machine
    from iosq.toolkit.predict.machines import machines as machines
    from iosq.toolkit.sql.docs import view_groups as view_groups
    from iosq.toolkit.sql.limits import limit as limit
    from iosq.tools import *  # noqa: F403
    from iosq.types import *  # noqa: F403

    __version__: str

# the module of each name, imported when the name is first used
_EXPORTS = {
    "iosq.answers": ("Findings", "Trends", "Verdicts"),
    "iosq.lake": ("Lake",),
    "iosq.opening": ("open",),
    "iosq.toolkit.compare": ("judge",),
    "iosq.toolkit.predict.machines": ("machine", "machines"),
    "iosq.toolkit.sql.docs": ("view_groups",),
    "iosq.toolkit.sql.limits": ("limit",),
    "iosq.tools": (
        "anonymize", "charts", "compact", "compare", "describe", "doctor", "export_delta", "export_duckdb", "ingest",
        "predictions", "prune", "repair", "sample", "validate", "views",
    ),
    "iosq.types": (
        "Ailment", "Anonymized", "Answer", "Change", "Compacted", "Comparison", "Description", "Effect", "Exported",
        "Finding", "Judged", "Limits", "Number", "Outcome", "Prediction", "Pruned", "Repaired", "Trend",
    ),
    "iosq.toolkit.errors": ("InputError", "IosqError", "LakeError", "RequestError"),
}  # fmt: skip
_MODULES = {name: module for module, names in _EXPORTS.items() for name in names}

__all__ = sorted(("__version__", "simulate", *_MODULES))


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("iosq")
    if name == "simulate":
        return importlib.import_module("iosq.simulate")
    if name not in _MODULES:
        from iosq.toolkit.errors import nearest

        near = "" if name.startswith("_") else nearest(name, __all__)
        raise AttributeError(f"module 'iosq' has no attribute {name!r}{near and f'; {near}'}")
    value = globals()[name] = getattr(importlib.import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
