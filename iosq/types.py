"""What answers are made of, for annotations."""

from iosq.toolkit.advise.finding import Effect, Finding, Number
from iosq.toolkit.anonymize import Outcome as Anonymized
from iosq.toolkit.compare import Change, Comparison, Judged, Prediction
from iosq.toolkit.compare.engine import RELEVANT
from iosq.toolkit.lake import Outcome
from iosq.toolkit.lake.doctor import Ailment
from iosq.toolkit.lake.repair import Repaired
from iosq.toolkit.predict import Answer
from iosq.toolkit.sql.describe import Description
from iosq.toolkit.trend import Limits, Trend

__all__ = [
    "RELEVANT",
    "Ailment",
    "Anonymized",
    "Answer",
    "Change",
    "Comparison",
    "Description",
    "Effect",
    "Finding",
    "Judged",
    "Limits",
    "Number",
    "Outcome",
    "Prediction",
    "Repaired",
    "Trend",
]
