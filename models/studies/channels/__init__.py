"""ESCON and FICON: single public statements, each with its own source, against the channel and tape job models."""

from iosq.models.studies.channels.checks import TITLE, checks

__all__ = ["TITLE", "checks"]
