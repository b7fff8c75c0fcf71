"""Fujitsu SE700 with one 8 Gbit/s Fibre Channel: published cells compared with the channel model."""

from iosq.models.studies.se700.checks import checks
from iosq.models.studies.se700.published import Row, rows

TITLE = "Fujitsu, BS2000/OSD: Performance of one 8-Gbit channel (SE700)"

__all__ = ["TITLE", "Row", "checks", "rows"]
