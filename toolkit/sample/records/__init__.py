"""One file per kind of record: `maker(day, system)` returns a function from interval to records as (kind, bytes)."""

from collections.abc import Callable
from importlib import import_module

from iosq.toolkit.sample.day import Day, Records

# in the order RMF and SMF would write them at the end of an interval
_KINDS = (
    "other", "work", "channel", "device", "cache", "director", "storage", "queuing", "paging", "storage_class",
    "dataset", "job",
)  # fmt: skip
MAKERS: list[Callable[[Day, int], Records]] = [import_module(f"{__name__}.{kind}").maker for kind in _KINDS]
