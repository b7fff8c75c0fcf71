"""Limits for the page of a large lake, and for the findings at its top.

The page has to open from a mail: 3 MB at most. As text the drawing library takes 0.9 MB; a volume over time takes up to
3 kB, so that 300 of them take 0.9 MB, and so does an LCU: 400 take 1.2 MB; a row of the table of volumes takes 0.2 kB,
so that 20,000 take 4 MB. LCUs and boxes all have their pages, 5 kB each. What is large is packed (`embed`), to a fifth
and less, and the library to half. The limits are our choice.
"""

from collections import Counter
from collections.abc import Sequence

from iosq.toolkit.advise import Finding
from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.rows import Row

SERIES_PER_PLACE = 20
SERIES_MOST = 300
LCU_SERIES_MOST = 400
ROWS_MOST = 20_000
FINDINGS_SHOWN = 5


def choose(rows: Sequence[Row], named: Sequence[str] = ()) -> list[Row]:
    """Select the volumes that get charts over time: those with findings first, followed by those with most lost time.

    `rows` have `place`, most lost time first. `named`: ids of volumes (and other pages) that findings are about.
    """
    wanted = set(named)
    chosen = [r for r in rows if volume_id(r) in wanted][:SERIES_MOST]
    taken = {id(r) for r in chosen}
    per_place = Counter(r["place"] for r in chosen)
    for row in rows:
        if len(chosen) >= SERIES_MOST:
            break
        if id(row) not in taken and per_place[row["place"]] < SERIES_PER_PLACE:
            per_place[row["place"]] += 1
            chosen.append(row)
    return chosen


def pick(findings: Sequence[Finding], count: int = FINDINGS_SHOWN) -> list[Finding]:
    """At most `count` findings: the first of every rule before the second of any; in the given order."""
    seen: dict[str, int] = {}
    ranked = []
    for place, finding in enumerate(findings):
        nth_of_rule = seen[finding.code] = seen.get(finding.code, -1) + 1
        ranked.append((nth_of_rule, place))
    return [findings[place] for place in sorted(place for _, place in sorted(ranked)[:count])]
