"""Types of results, for annotations."""

from iosq.toolkit.advise.finding import Effect, Finding, Number
from iosq.toolkit.anonymize import Outcome as Anonymized
from iosq.toolkit.compare import Change, Comparison, Judged, Prediction
from iosq.toolkit.delta import Exported
from iosq.toolkit.lake.compact import Compacted
from iosq.toolkit.lake.doctor import Ailment
from iosq.toolkit.lake.ingest import Outcome
from iosq.toolkit.lake.prune import Pruned
from iosq.toolkit.lake.repair import Repaired
from iosq.toolkit.predict import Answer
from iosq.toolkit.sql.describe import Description
from iosq.toolkit.sql.dictionary import Entry
from iosq.toolkit.trend import Limits, Trend

__all__ = [
    "Ailment", "Anonymized", "Answer", "Change", "Compacted", "Comparison", "Description", "Effect", "Entry",
    "Exported", "Finding", "Judged", "Limits", "Number", "Outcome", "Prediction", "Pruned", "Repaired", "Trend",
]  # fmt: skip
