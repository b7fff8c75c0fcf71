"""A volume waits in the host because it has too few exposures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.toolkit.advise import changed
from iosq.toolkit.advise.asked import Evidence
from iosq.toolkit.advise.cases import Case, always, decided
from iosq.toolkit.advise.finding import Finding, Known
from iosq.toolkit.advise.path import held, is_bottleneck, on_the_way
from iosq.toolkit.advise.rules.pav_add_alias import words
from iosq.toolkit.advise.rules.pav_add_alias.volume import Volume, volume
from iosq.toolkit.rows import Row

# volumes whose need is also worked out hour by hour: those that lose most; each hour is a model of its own
WITH_HOURS = 20


def judge(rows: list[Row], limits: Mapping[str, float], known: Known, evidence: Evidence) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    volumes = groupby(rows, key=lambda r: (r["platform"], r["system"], r["volume"]))
    for place, (_, intervals) in enumerate(volumes):
        v = volume(list(intervals), limits, known, evidence, with_hours=place < WITH_HOURS)
        # closed_load reports what is settled of a closed workload
        if (v.is_settled and v.row["is_closed"]) or (v.row["verdict"] == "enough" and not v.is_settled):
            continue
        yield decided(CASES, v)


def _is_elsewhere(v: Volume) -> bool:
    return changed.is_elsewhere(v.row, v.limits["queue_length"])


def _is_held_up(v: Volume) -> bool:
    return is_bottleneck(held(v.row), v.limits)


def _is_unseen(v: Volume) -> bool:
    return changed.is_unseen(v.row, v.limits["queue_length"])


CASES: Sequence[Case[Volume]] = (
    Case("it got exposures since, and as many I/Os came", "note or watch", "nothing, if they wait less",
         lambda v: v.is_settled, lambda v: changed.settled(v.row, v.row["lost_s"])),
    # closed_load covers it, but where another of its box has the hour's worst interval
    Case("its requesters wait for each answer", "watch", "ask a what-if",
         lambda v: v.row["is_closed"], lambda v: words.waits(v.row)),
    Case("it is in another box since", "note or watch", "see what came there",
         _is_elsewhere, lambda v: changed.elsewhere(v.row, words.waits(v.row))),
    Case("no record of the last day names it", "note", "see where its data is",
         lambda v: words.is_gone(v.row), lambda v: words.gone(v.row)),
    Case("path or control unit holds I/Os up", "act", "look there first",
         _is_held_up, lambda v: on_the_way(words.counted(v), held(v.row))),
    Case("it has more exposures since, and such work was not seen", "watch", "measure it", _is_unseen, words.unseen),
    Case("it waits", "act", "add aliases", always, words.counted),
)  # fmt: skip
