"""Stand-alone dump: the directions its performance report states, against the dump model."""

from iosq.models.studies.sadump.checks import TITLE, checks

__all__ = ["TITLE", "checks"]
