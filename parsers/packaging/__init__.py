"""Removes packaging around a dump or listing: gzip, ZIP, bzip2, xz, zstd, TERSE and XMIT, also nested.

`unpack` yields the streams inside a file. See docs/explanation/packaging.md.
"""

from iosq.parsers.packaging.members import unpack
from iosq.parsers.packaging.stream import Member

__all__ = ["Member", "unpack"]
