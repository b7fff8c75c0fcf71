"""Stand-alone dump: directions in its performance report compared with the dump model."""

from iosq.models.studies.sadump.checks import TITLE, checks

__all__ = ["TITLE", "checks"]
