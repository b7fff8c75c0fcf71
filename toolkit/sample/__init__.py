"""Synthetic SMF dumps: a day of a small sysplex with planted troubles, and what is true about it."""

from iosq.toolkit.sample.writer import write

__all__ = ["write"]
