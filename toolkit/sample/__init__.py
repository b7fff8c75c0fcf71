"""Synthetic SMF dumps: a day of a small sysplex with planted problems, and a description of these (the truth)."""

from iosq.toolkit.sample.writer import write

__all__ = ["write"]
