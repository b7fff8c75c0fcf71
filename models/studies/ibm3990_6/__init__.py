"""IBM 3990-6 with 64 3390-3: published end points compared with the cached-subsystem and NVS models."""

from iosq.models.studies.ibm3990_6.checks import checks
from iosq.models.studies.ibm3990_6.published import TITLE, Row, rows

__all__ = ["TITLE", "Row", "checks", "rows"]
