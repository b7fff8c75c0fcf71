"""The page: findings first, then charts, then tables; one self-contained HTML file."""

from iosq.toolkit.report.chart import Chart, charts, render
from iosq.toolkit.report.page import write

__all__ = ["Chart", "charts", "render", "write"]
