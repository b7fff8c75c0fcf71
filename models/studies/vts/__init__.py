"""IBM Virtual Tape Server: ratios and limits in its FICON paper compared with the tape model."""

from iosq.models.studies.vts.checks import TITLE, checks

__all__ = ["TITLE", "checks"]
