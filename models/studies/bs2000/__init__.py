"""Fujitsu SU700 with one, two and four 8 Gbit/s channels: published cells compared with the channel model."""

from iosq.models.studies.bs2000.checks import TITLE, Cell, cells, checks

__all__ = ["TITLE", "Cell", "cells", "checks"]
