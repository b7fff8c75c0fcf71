"""IBM Virtual Tape Server: the ratios and limits its FICON paper states, against the tape model."""

from iosq.models.studies.vts.checks import TITLE, checks

__all__ = ["TITLE", "checks"]
