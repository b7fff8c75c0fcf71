"""Synthetic SMF dumps: a day of a small sysplex with planted problems, and the truth about it."""

from iosq.toolkit.sample.writer import write

__all__ = ["write"]
