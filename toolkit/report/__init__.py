"""The page: findings first, then charts, then tables; one self-contained HTML file, or a workbook."""

from iosq.toolkit.report.chart import Chart, charts, render
from iosq.toolkit.report.page import write
from iosq.toolkit.report.workbook import write_workbook

__all__ = ["Chart", "charts", "render", "write", "write_workbook"]
