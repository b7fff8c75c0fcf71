"""One file per kind of record: `maker(day, system)` returns a function from interval to records as (kind, bytes)."""

from collections.abc import Callable

from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.records import (
    cache,
    channel,
    dataset,
    device,
    director,
    job,
    other,
    paging,
    queuing,
    storage,
    storage_class,
    work,
)

# in the order RMF and SMF would write them at the end of an interval
MAKERS: tuple[Callable[[Day, int], Records], ...] = (
    other.maker, work.maker, channel.maker, device.maker, cache.maker, director.maker, storage.maker, queuing.maker,
    paging.maker, storage_class.maker, dataset.maker, job.maker,
)  # fmt: skip
