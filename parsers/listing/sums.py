"""Rows summed up by a printed line, according to reports and their documentation.

Only additive values: rates and counts, never times, which are means.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow.compute as pc

ONE = "*ALL"  # of ranks and cached devices the line that sums all of them


@dataclass(frozen=True)
class Sum:
    """Lines of a table that sum up rows of the same interval.

    Attributes:
        whole: table of the totals, `lines` which of its rows they are, `by` which rows each is about.
        parts: table of the rows, `rows` which of them, `of` the columns that stand for those of `by`.
        member: columns that identify the rows of one total; a copy of a page adds nothing.
        columns: summed columns.
        names: what a total is of, and what its rows are: one, several.
        counts: which of the two views go by.
        text: column with the words that a row may have in place of numbers.
        loss: whether rows that are missing are a loss, or the report may have been asked for without them.
    """

    whole: str
    lines: pc.Expression
    by: tuple[str, ...]
    parts: str
    rows: pc.Expression
    of: tuple[str, ...]
    member: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, str, str]
    counts: str
    text: str | None = None
    loss: bool = True


def _devices(total: str, column: str) -> Sum:
    return Sum(
        "rmf_dasd_total", pc.field("total") == total, ("id",), "rmf_dasd_device", pc.field(column).is_valid(),
        (column,), ("device",), ("activity_rate",), (total, "device", "devices"), "the rows count", "message",
    )  # fmt: skip


_QUEUE, _STAR = "rmf_ioq_lcu", pc.field("path") == "*"


def _paths(scope: str, column: str) -> Sum:
    within = (pc.field("scope") == scope) & pc.field(column).is_valid()
    return Sum(
        _QUEUE, within & _STAR, (column,), _QUEUE, within & ~_STAR, (column,), ("path", "cu"), ("taken_rate",),
        (scope, "path", "paths"), "the total counts", "status",
    )  # fmt: skip


def _of_group() -> Sum:
    lcus = (pc.field("scope") == "LCU") & pc.field("amg").is_valid()
    return Sum(
        _QUEUE, (pc.field("scope") == "AMG") & _STAR, ("amg",), _QUEUE, lcus & _STAR, ("amg",), ("lcu",),
        ("taken_rate",), ("AMG", "LCU", "LCUs"), "both are kept", "status", loss=False,
    )  # fmt: skip


_CACHED = (
    "io_rate",
    "read_hit_rate_device",
    "dfw_hit_rate",
    "stage_rate",
    "nvs_delay_rate_device",
    "async_rate_device",
)
_ALL_KINDS = pc.field("kind") == "TOTAL"
_REQUESTS = ("read_count", "write_count", "read_rate", "write_rate", "read_hit_count", "write_hit_count", "fast_count")
_DEVICE = pc.field("device").is_valid()
SUMS = (
    _devices("LCU", "lcu"),
    _devices("STORAGE GROUP", "storage_group"),
    _paths("LCU", "lcu"),
    _paths("AMG", "amg"),
    _of_group(),
    Sum(
        "rmf_ioq_iop", pc.field("iop") == "SYS", (), "rmf_ioq_iop", pc.field("iop") != "SYS", (), ("iop",),
        ("queue_activity_rate", "start_rate", "interrupt_rate"), ("SYS", "processor", "processors"), "both are kept",
    ),
    Sum(
        "rmf_cache_device", (pc.field("volser") == ONE) & (pc.field("list") == "OVERVIEW"), ("subsystem",),
        "rmf_cache_device", pc.field("device").is_valid() & (pc.field("list") == "OVERVIEW"), ("subsystem",),
        ("device",), _CACHED, ("subsystem", "device", "devices"), "the rows count",
    ),
    Sum(
        "rmf_cache_overview", _ALL_KINDS, ("subsystem", "device"), "rmf_cache_overview", ~_ALL_KINDS,
        ("subsystem", "device"), ("kind",), _REQUESTS, ("subsystem", "kind", "kinds"), "the total counts",
    ),
    Sum(
        "rmf_cache_rank", pc.field("rank") == ONE, ("subsystem",), "rmf_cache_rank", pc.field("rank") != ONE,
        ("subsystem",), ("rank",), ("read_rate_rank", "write_rate_rank"), ("ranks of subsystem", "rank", "ranks"),
        "the rows count",
    ),
    Sum(
        "rmf_sync_device", pc.field("lcu").is_valid() & ~_DEVICE, ("lcu",), "rmf_sync_device", _DEVICE, ("lcu",),
        ("device",), ("sync_read_rate", "sync_write_rate", "async_rate"), ("LCU", "device", "devices"),
        "the rows count",
    ),
)  # fmt: skip
