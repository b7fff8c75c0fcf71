"""Public statements about ESCON and FICON, each with its source, compared with the channel and tape job models."""

from iosq.models.studies.channels.checks import TITLE, checks

__all__ = ["TITLE", "checks"]
