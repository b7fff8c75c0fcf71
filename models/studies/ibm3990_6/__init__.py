"""IBM 3990-6 with 64 3390-3: the published end points against the cached-subsystem and NVS models."""

from iosq.models.studies.ibm3990_6.calibrate import fit, is_calibration, shares, stress
from iosq.models.studies.ibm3990_6.checks import checks
from iosq.models.studies.ibm3990_6.published import TITLE, Row, rows
from iosq.models.studies.ibm3990_6.stress import rate_over_time

__all__ = ["TITLE", "Row", "checks", "fit", "is_calibration", "rate_over_time", "rows", "shares", "stress"]
