"""Paging volumes of CP are slow: one finding for all of a system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Known, Number, percent
from iosq.toolkit.advise.subject import listed, queues, volumes
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.sql.raw import literal

SHOWN = (
    "SELECT interval_start, device, volser, area, used_ratio, page_read_rate, page_write_rate, block_pages, mload_ms "
    "FROM paging_volume_interval"
)
SPACE = (
    "Add page space: more paging volumes of the same size, with nothing else on them. With half of the space free CP "
    "moves large blocks. Aliases, which CP uses for paging from z/VM 6.4 on, come after that"
)
VOLUMES = (
    "Add paging volumes, or aliases for these: CP uses them for paging from z/VM 6.4 on. Nothing shows too little "
    "space or small blocks"
)

UNKNOWN = (
    "Look at page space and block size first: FCX109 shows neither here. Half of the space should be free. Then add "
    "paging volumes, or aliases for these: CP uses them for paging from z/VM 6.4 on"
)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows)


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    names = listed(r["volumes"])
    return Finding(
        severity="act",
        subject=volumes(names, [r["system"]]),
        text=_text(r, len(names)),
        advice=_advice(r, limits),
        numbers=(
            Number("paging volumes", r["paging_volumes"]),
            Number("queue of all, worst interval", r["queue_length"], "I/Os"),
            Number("pages read and written", r["page_rate"], "per s"),
            percent("page space in use", r["used_ratio"]),
            Number("block size", r["block_pages"], "pages"),
            Number("MLOAD response", r["mload_ms"], "ms"),
            Number("intervals with such a queue", r["bad_intervals"]),
        ),
        sql=f"{SHOWN} WHERE system = {literal(r['system'])} ORDER BY interval_start",
        when=episode(r),
        lost_s=r["lost_s"],
        confidence="medium",
        covers=queues((name, r["system"]) for name in names),
    )


def _advice(r: Row, limits: Mapping[str, float]) -> str:
    """Space comes before the number of volumes, and both before aliases."""
    used, block = r["used_ratio"], r["block_pages"]
    if used is None and block is None:
        return UNKNOWN
    is_full = used is not None and used >= limits["used"]
    return SPACE if is_full or (block is not None and block < limits["block"]) else VOLUMES


def _text(r: Row, many: int) -> str:
    are = "is" if many == 1 else "are"
    return (
        f"{plural(many, 'paging volume')} of {r['system']} {are} slow ({period(r)}): an I/O is "
        f"queued for {r['wait_ms']:.1f} ms before {r['service_ms']:.1f} ms of service{_space(r)}"
    )


def _space(r: Row) -> str:
    used, block = r["used_ratio"], r["block_pages"]
    known = (
        "" if used is None else f"page space is {share(used)} in use",
        "" if block is None else f"the block size is {block:.0f} pages",
    )
    texts = [text for text in known if text]
    return f". {' and '.join(texts)[:1].upper()}{' and '.join(texts)[1:]}" if texts else ""
