"""Findings that contradict the aliases of a what-if: it models queues, not other causes of delay or addresses."""

from collections.abc import Sequence

from iosq.toolkit.advise.agree import other_delays
from iosq.toolkit.advise.engine import Settings, run
from iosq.toolkit.advise.finding import Finding, Known
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.verdicts import deciding, verdicts
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.sql.engine import Connection

# names that are no answer to "how many"
DOUBTS = {
    "no_address": "aliases would help, but its LCU has no address left for them",
    "wont_help": "more aliases won't help",
    "cant_tell": "unknown effect",
}


def asked_about(common: Row) -> list[Subject]:
    """The subject of a what-if, from the common columns of its rows: a volume, a pool, or a volume and its pool."""
    systems = (common["system"],)
    own = [Subject("volume", (common["volume"],), systems)] if "volume" in common else []
    return own + ([Subject("lcu", tuple(common["lcus"]), systems)] if "lcus" in common else [])


def is_doubtful(rows: Sequence[Row], common: Row) -> bool:
    """True if the findings matter here: another delay exists, or the answer is a larger count than today's."""
    return bool(common.get("unused_aliases") or common.get("unfit")) or _names_more(rows)


def _names_more(rows: Sequence[Row]) -> bool:
    """True if a what-if names a larger count than there is now, to clear a wait or as the best."""
    now = next((at for at, r in enumerate(rows) if r["now"]), len(rows))
    return any(r["clears_wait"] or r["best"] for r in rows[now + 1 :])


def against(
    con: Connection,
    subjects: Sequence[Subject],
    settings: Settings | None = None,
    known: Known | None = None,
) -> NewRow | None:
    """The verdict about a subject, its reason and a sentence, where it is one of `DOUBTS`.

    The same where findings report time there that aliases don't shorten. `con` has the whole lake over the requested
    span; of a volume and its pool in `subjects` the pool decides where no finding is about the volume.
    """
    found = run(con, settings, known=known)
    return spoken(found, verdicts(con, found), subjects)


def spoken(found: Sequence[Finding], every: Sequence[Row], subjects: Sequence[Subject]) -> NewRow | None:
    """The same from findings and the verdicts that are made of them."""
    rows = {subject: next((r for r in every if _is(r, subject)), None) for subject in subjects}
    decided = [(row, deciding(found, subject)) for subject, row in rows.items() if row]
    row, finding = next(
        ((row, finding) for row, finding in decided if finding), decided[-1] if decided else (None, None)
    )
    if row is None or (row["verdict"] not in DOUBTS and not (finding and other_delays(finding))):
        return None
    return {"verdict": row["verdict"], "why": row["why"], "conclusion": _conclusion(row, finding)}


def _is(row: Row, subject: Subject) -> bool:
    return (row["kind"], set(row["names"])) == (subject.kind, set(subject.names)) and (
        not row["systems"] or tuple(row["systems"]) == subject.systems
    )


def _conclusion(row: Row, finding: Finding | None) -> str:
    if finding and other_delays(finding):
        return f"iosq advise pav names aliases for {row['subject']} ({finding.code}). {other_delays(finding)}"
    start = f"iosq advise pav says of {row['subject']}: {DOUBTS[row['verdict']]}"
    return f"{start} ({finding.code}). {finding.advice}" if finding else f"{start}, {row['why']}"
