"""Stand-alone dump: the directions its performance report states, against the dump model."""

from tests.studies.sadump.checks import TITLE, checks

__all__ = ["TITLE", "checks"]
