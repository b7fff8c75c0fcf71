"""A HyperPAV pool runs out of aliases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from iosq.toolkit.advise.asked import Evidence
from iosq.toolkit.advise.cases import Case, always, decided
from iosq.toolkit.advise.finding import Aliases, Finding, Known
from iosq.toolkit.advise.path import is_bottleneck, on_the_way
from iosq.toolkit.advise.pools import moved, now, settled, since
from iosq.toolkit.advise.reserved import advice, is_reserved
from iosq.toolkit.advise.rules.alias_pool_dry import words
from iosq.toolkit.advise.rules.alias_pool_dry.pool import Pool, pool
from iosq.toolkit.rows import Row

# pools whose need is also worked out hour by hour: those that deny most. An hour is a model of its own, a tenth of a
# second; a volume's takes a fifth of that
WITH_HOURS = 5


def judge(rows: list[Row], limits: Mapping[str, float], known: Known, evidence: Evidence) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    pools = groupby(rows, key=lambda r: (r["platform"], r["system"], r["pool"]))
    for place, (_, hours) in enumerate(pools):
        yield decided(CASES, pool(list(hours), limits, known, evidence, with_hours=place < WITH_HOURS))


def _moved(p: Pool) -> Finding:
    return moved(p.row, _bare(p), p.queue, p.work)


def _settled(p: Pool) -> Finding:
    assert p.work
    return settled(p.row, _bare(p), p.queue, p.work)


def _held_up(p: Pool) -> Finding:
    return on_the_way(_bare(p), p.path if is_bottleneck(p.path, p.limits) else p.path_then)


def _reserved(p: Pool) -> Finding:
    return replace(_bare(p), advice=advice(p.members, now(p.row)), aliases=Aliases("cant_tell", now(p.row)))


def _bare(p: Pool, advice: str = "") -> Finding:
    """The wait without a count of aliases."""
    return words.wait(p, None, advice or words.advice(p, ""))


def _counted(p: Pool, advice: str) -> Finding:
    """The wait with what aliases do for it."""
    n = p.need
    counts = (p.seen and now(p.row) + 1, p.seen) if n is None else (n.fewest, n.most, n.likely)
    size = None if p.row["aliases"] is None else now(p.row)
    return replace(
        words.wait(p, n, advice),
        effect=n.effect if n else None,
        curve=n.curve if n else None,
        hours=p.hours,
        aliases=Aliases("add", size, *counts),
    )


def _hardly(p: Pool) -> Finding:
    found = _counted(p, words.enough(p))
    return replace(found, severity="watch", aliases=found.aliases and replace(found.aliases, verdict="enough"))


def _enlarged(p: Pool) -> Finding:
    return since(_counted(p, ""), p.row, p.need.most if p.need else None)


CASES: Sequence[Case[Pool]] = (
    Case("it is in another box since", "note or watch", "see what came there", lambda p: p.has_moved, _moved),
    Case("as many I/Os came with another size", "note or watch", "nothing, if they wait less",
         lambda p: p.is_settled, _settled),
    Case("path or control unit holds I/Os up", "act", "look there first", lambda p: p.is_held_up, _held_up),
    Case("other systems hold its volumes", "act", "end these reserves",
         lambda p: is_reserved(p.members, p.limits), _reserved),
    Case("it has more aliases since", "note or watch", "nothing, if they are enough",
         lambda p: now(p.row) > (p.row["aliases"] or 0), _enlarged),
    Case("refusals cost nothing", "watch", "leave it", lambda p: p.has_hardly_waited, _hardly),
    Case("the LCU has no address left", "act", "move volumes, or let it borrow",
         lambda p: p.no_room, lambda p: _counted(p, words.full(p, p.no_room))),
    Case("it runs dry", "act", "define aliases", always, lambda p: _counted(p, words.advice(p, words.measured(p)))),
)  # fmt: skip
