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
    from iosq.toolkit.errors import InputError as InputError
    from iosq.toolkit.errors import IosqError as IosqError
    from iosq.toolkit.errors import LakeError as LakeError
    from iosq.toolkit.errors import RequestError as RequestError
    from iosq.toolkit.sql.limits import limit as limit
    from iosq.tools import anonymize as anonymize
    from iosq.tools import charts as charts
    from iosq.tools import compact as compact
    from iosq.tools import compare as compare
    from iosq.tools import describe as describe
    from iosq.tools import doctor as doctor
    from iosq.tools import export_delta as export_delta
    from iosq.tools import export_duckdb as export_duckdb
    from iosq.tools import ingest as ingest
    from iosq.tools import judge as judge
    from iosq.tools import machine as machine
    from iosq.tools import machines as machines
    from iosq.tools import predictions as predictions
    from iosq.tools import prune as prune
    from iosq.tools import repair as repair
    from iosq.tools import sample as sample
    from iosq.tools import validate as validate
    from iosq.tools import view_groups as view_groups
    from iosq.tools import views as views
    from iosq.types import Ailment as Ailment
    from iosq.types import Anonymized as Anonymized
    from iosq.types import Answer as Answer
    from iosq.types import Change as Change
    from iosq.types import Compacted as Compacted
    from iosq.types import Comparison as Comparison
    from iosq.types import Description as Description
    from iosq.types import Effect as Effect
    from iosq.types import Exported as Exported
    from iosq.types import Finding as Finding
    from iosq.types import Judged as Judged
    from iosq.types import Limits as Limits
    from iosq.types import Number as Number
    from iosq.types import Outcome as Outcome
    from iosq.types import Prediction as Prediction
    from iosq.types import Pruned as Pruned
    from iosq.types import Repaired as Repaired
    from iosq.types import Trend as Trend

    __version__: str

# the module of each name, imported when the name is first used
_EXPORTS = {
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
