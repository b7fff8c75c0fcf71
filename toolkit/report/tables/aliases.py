"""Table of every volume and alias pool: verdict, aliases needed and their effect."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.verdicts import NOUNS, POOLS, VOLUMES, WORDS, causes, verdicts
from iosq.toolkit.report.table import Rows, Table
from iosq.toolkit.show.numbers import listed, plural
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

# subjects that the verdicts leave out
SUBJECTS = load("iosq.toolkit.report", "alias_subjects.sql")


def _rows(con: Connection, found: Sequence[Finding]) -> Rows:
    known = {Subject(r.pop("kind"), (r.pop("name"),), (r["system"],)): r for r in ask(con, SUBJECTS).to_pylist()}
    nothing = dict.fromkeys(("system", "lcu", "wait_ms", "wait_p95_ms"))
    titles = {r.code: r.title for r in all_rules()}
    return [
        {**nothing, **known.get(Subject(r["kind"], r["names"], r["systems"]), {}), **r, "verdict": WORDS[r["verdict"]],
         "why": titles.get(r["why"], r["why"])}
        for r in verdicts(con, found)
    ]  # fmt: skip


def _counted(rows: Rows) -> str:
    """The number of rows by verdict, and of those not listed on the page, in words."""
    counts = Counter(r["verdict"] for r in rows if not r["cause"])
    verdicts_found = ", ".join(f"{word} {counts[word]}" for word in WORDS.values() if counts[word])
    unlisted = Counter((r["verdict"], r["kind"]) for r in rows if not (r["cause"] or _wanted(r)))
    explained = [f"{plural(len(own), 'volume')} explained by {cause}" for (cause, _), own in causes(rows).items()]
    rest = [f"{plural(count, *NOUNS[kind])} with {word}" for (word, kind), count in sorted(unlisted.items())]
    parts = [f"By verdict: {verdicts_found}." if verdicts_found else ""]
    parts += [f"Not listed: {listed([*rest, *explained])}." if rest or explained else ""]
    return " ".join(filter(None, parts))


def _wanted(row: Any) -> bool:
    """True for rows to list; rows with enough or spare aliases, or with another cause, are only counted."""
    is_spare = row["verdict"] == WORDS["too_many"] and row["kind"] == "volume"
    return not (row["verdict"] == WORDS["enough"] or row["cause"] or is_spare)


TABLE = Table(
    number=20,
    name="aliases",
    title="Aliases: every volume and pool",
    about=(
        "Most urgent first. Needed: aliases in total that clear the wait of the worst interval, best and worst case; "
        "– means that no number is certain to be enough. Volumes that share a pool get them through it. Response and "
        "IOSQ share are those of the worst interval, IOSQ the mean of the span."
    ),
    missing="The lake has no measurements of volumes or alias pools.",
    columns={
        "subject": ("Volume, LCU or group", None),
        "verdict": ("Verdict", None),
        "aliases_now": ("Aliases now", 0),
        "aliases_needed": ("Needed at best", 0),
        "aliases_needed_high": ("Needed at worst", 0),
        "why": ("Why", None),
        "response_ms": ("Response ms", 2),
        "predicted_ms": ("Predicted ms", 2),
        "predicted_low_ms": ("Predicted at best, ms", 2),
        "predicted_high_ms": ("Predicted at worst, ms", 2),
        "peak": ("Peak, local time", None),
        "queue_length_peak": ("Queued at peak", 1),
        "wait_ms": ("IOSQ ms, mean", 2),
        "wait_p95_ms": ("IOSQ p95 ms", 2),
        "wait_share_percent": ("IOSQ share at peak, %", 1),
        "refusals_per_io": ("Refusals per I/O, worst", 3),
        "high_water": ("Most in use", 0),
        "high_water_per_base": ("Most for one base", 0),
        "lcu": ("LCU", None),
    },
    details={},
    from_findings=_rows,
    reads=(SUBJECTS.sql, VOLUMES.sql, POOLS.sql),
    command="iosq advise pav --every",
    shown=_wanted,
    counted=_counted,
)
