"""Growth over weeks, and the date at which a limit is reached, if the data support one."""

from iosq.toolkit.trend.engine import Limits, Trend, trends
from iosq.toolkit.trend.slope import Slope, slope

__all__ = ["Limits", "Slope", "Trend", "slope", "trends"]
