"""One verdict per volume, LCU and alias group, with count and reason."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Verdict
from iosq.toolkit.advise.grouped import apart
from iosq.toolkit.advise.subject import WAITS, Subject, lcu_or_storage
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.predict.answer import table
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.rows import NewRow, Row, grouped
from iosq.toolkit.show.numbers import count_range, listed, plural
from iosq.toolkit.show.terminal import width
from iosq.toolkit.show.values import dumps
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

POOLS, VOLUMES = load(__package__, "verdict_pools.sql"), load(__package__, "verdict_volumes.sql")
# most urgent first; `no_address`: aliases would help, and the LCU has no device address left for them
WORDS: Mapping[Verdict, str] = {
    "add": "add", "no_address": "no address", "cant_tell": "unknown", "wont_help": "won't help",
    "too_many": "too many", "enough": "enough",
}  # fmt: skip
ORDER = list(WORDS)
NOUNS = {"volume": ("volume", "volumes"), "lcu": ("LCU", "LCUs"), "group": ("group", "groups")}
# from this many I/Os queued on a volume never has enough, below it needs no action
QUEUE = CLOSED["queue_length"]
# rules for a volume or pool that waits; other rules give the cause
QUEUES = (WAITS, "closed_load", "alias_pool_dry", "hyperpav_wait")
# the finding that decides about a subject, as one system sees it, or all
Deciding = Mapping[Subject, Finding]


def verdicts(con: Connection, findings: Sequence[Finding]) -> list[NewRow]:
    """A row per subject, those to act on first.

    The verdict comes from the first of these: a finding about the subject, one that explains its wait, one about its
    pool or group, Little's law on the peak interval (`pav_candidate`). The last one never asks for aliases: without a
    finding a short queue means enough, any other unknown. `why` names the rule, or gives the measurement in words.
    `cause` is that finding's subject if a volume's wait is only its symptom.
    """
    findings = apart(findings)
    own, pools = _deciding(findings), _pools(findings)
    asked = [_filled(kind, r) for kind, q in (("lcu", POOLS), ("volume", VOLUMES)) for r in ask(con, q).to_pylist()]
    rows = [_row(r, _subject(r), own, pools) for r in asked]
    listed = {_subject(r) for r in asked}
    rows += [_alone(f) for f in findings if f.aliases and f.subject.kind == "lcu" and not _listed(f.subject, listed)]
    return sorted(rows, key=lambda r: (ORDER.index(r["verdict"]), r["kind"] != "lcu", -(r["queue_length_peak"] or 0.0)))


def _filled(kind: str, row: Row) -> Row:
    """The row; what only one of the queries has is empty, and an LCU is enough unless a finding differs."""
    return defaultdict(lambda: None, {"kind": kind, "verdict": "enough", **row})


def deciding(findings: Sequence[Finding], subject: Subject) -> Finding | None:
    """The finding that decides about a subject: its own, one that explains its wait, or one about its pool."""
    findings = apart(findings)
    pools = _pools(findings)
    return _deciding(findings).get(subject) or pools.get(subject) or pools.get(subject.on_all_systems())


def as_table(rows: Sequence[Row]) -> str:
    """All verdicts except plain `enough`, in words; then common causes, and the count of `enough`."""
    shown = [_line(r) for r in rows if r["verdict"] != "enough" and not r["cause"]]
    enough = Counter(r["kind"] for r in rows if r["verdict"] == "enough")
    rest = listed(plural(count, *NOUNS[kind]) for kind, count in sorted(enough.items()))
    lines = [table(shown, width())] if shown else []
    return "\n".join([*lines, *_symptoms(rows), *([f"enough: {rest}"] if rest else [])])


def causes(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Volumes with a wait explained by a finding about another subject, grouped by cause and rule."""
    return grouped((r for r in rows if r["cause"]), lambda r: (r["cause"], r["why"]))


def _symptoms(rows: Sequence[Row]) -> list[str]:
    by_cause = causes(rows).items()
    return [f"{cause[:1].upper()}{cause[1:]} explains the wait of {_named(own)}" for (cause, _), own in by_cause]


def _named(own: Sequence[Row]) -> str:
    """`2 volumes (alias_pool_dry): BAT000 on SYSA and BAT001 on SYSA`: rows with one rule."""
    return f"{plural(len(own), 'volume')} ({own[0]['why']}): {listed(r['subject'] for r in own)}"


def as_json(rows: Sequence[Row], heading: str = "") -> str:
    """An array of objects, one per subject, NULL as null; `heading`: systems, span and clock they rest on."""
    return dumps([{**row, "rests_on": heading} for row in rows], indent=1)


def _line(r: Row) -> NewRow:
    fewest = r["aliases_needed"]
    return {
        "subject": r["subject"],
        "verdict": WORDS[r["verdict"]],
        "now": r["aliases_now"],
        "needed": "-" if fewest is None else count_range(fewest, r["aliases_needed_high"], r["aliases_likely"]),
        "peak": r["peak"],
        "queued": r["queue_length_peak"],
        "wait %": r["wait_share_percent"],
        "refusals per I/O": r["refusals_per_io"],
        "high water": r["high_water"],
        "of a base": r["high_water_per_base"],
        "response_ms": r["response_ms"],
        "predicted_ms": r["predicted_ms"],
        "predicted_low_ms": r["predicted_low_ms"],
        "predicted_high_ms": r["predicted_high_ms"],
        "why": r["why"],
    }


def _subject(r: Row) -> Subject:
    return Subject(r["kind"], (r["name"],), (r["system"],))


def _deciding(findings: Iterable[Finding]) -> Deciding:
    """The finding that decides about each subject: its own before one that covers it."""
    decides: dict[Subject, Finding] = {}
    for f in findings:
        for code, subject in sorted(f.covers, key=str):
            if code in QUEUES:
                decides.setdefault(subject, f)
    own = _last_first(findings)
    lists = {s: f for f in own if f.subject.kind in ("volume", "volumes") for s in f.subject.each}
    return decides | lists | {f.subject: f for f in own}


def _pools(findings: Iterable[Finding]) -> Deciding:
    """The finding about the pool or group that each LCU is of, or all storage of a system without LCUs."""
    return {s: f for f in _last_first(findings) if f.subject.kind in ("lcu", "box") for s in f.subject.each}


def _last_first(findings: Iterable[Finding]) -> list[Finding]:
    """Findings about aliases, more urgent ones last, so that they overwrite others in a mapping."""
    return [f for f in findings if f.aliases][::-1]


def _listed(subject: Subject, listed: Collection[Subject]) -> bool:
    """True if the one LCU a finding names has a row of its own, on some system; a group has none."""
    anywhere = {s.on_all_systems() for s in listed}
    each = list(subject.each)
    return len(subject.names) == 1 and all(s in (listed if s.systems else anywhere) for s in each)


def _row(r: Row, subject: Subject, own: Deciding, pools: Deciding) -> NewRow:
    finding, lcu = own.get(subject), lcu_or_storage(r, [r["system"]])
    pool = pools.get(lcu) or pools.get(lcu.on_all_systems())
    waits_for_pool = r["kind"] == "lcu" or (r["is_hyperpav"] and r["verdict"] == "add")
    if finding is None and pool is not None and waits_for_pool:
        alone = r["kind"] == "lcu" and len(pool.subject.names) == 1
        # how many is a question for the whole pool
        return _shown(r, subject, _decided(pool) if alone else Aliases(_decided(pool).verdict, r["aliases"]), pool)
    return _shown(r, subject, _decided(finding) if finding else _by_view(r), finding)


def _decided(finding: Finding) -> Aliases:
    """A finding that explains a wait and names no aliases implies that aliases do not help."""
    return finding.aliases or Aliases("wont_help")


def _by_view(r: Row) -> Aliases:
    """Without a finding: the verdict by Little's law, but never `add`."""
    verdict: Verdict = "wont_help" if r["verdict"] == "will_not_help" else r["verdict"]
    if r["is_overfull"] and verdict in ("add", "wont_help"):
        return Aliases("cant_tell", r["aliases"])
    waits = (r["queue_length_peak"] or 0.0) >= QUEUE
    if r["kind"] == "lcu" and waits:
        # its volumes wait, and no finding blames the pool
        verdict = "cant_tell" if r["refusals_per_io"] is None or r["refusals_per_io"] > 0 else "wont_help"
    if verdict == "add":
        verdict = "cant_tell" if waits else "enough"
    return Aliases(verdict, r["aliases"])


def _reason(r: Row) -> str | None:
    """The reason without a finding: that of the view, or why no finding supports the view's count."""
    if r["verdict"] != "add" or r["is_overfull"]:
        return cast("str | None", r["reason"])
    queue = r["queue_length_peak"] or 0.0
    peak = f"{human_number(queue)} I/Os queued at the peak, {human_number(r['wait_share_percent'])} % of the response"
    return f"{peak}: {'no finding asks for aliases' if queue >= QUEUE else f'below {QUEUE} no action is needed'}"


def _shown(r: Row, subject: Subject, aliases: Aliases, decided: Finding | None) -> NewRow:
    effect = _of_response(decided) if decided and subject in decided.subject.each else None
    return {
        "kind": subject.kind,
        "subject": str(subject),
        "names": subject.names,
        "systems": subject.systems,
        "verdict": aliases.verdict,
        "aliases_now": r["aliases"],
        "aliases_needed": aliases.fewest,
        "aliases_needed_high": aliases.most,
        "aliases_likely": aliases.likely,
        "peak": None if r["peak_start"] is None else spoken(r["peak_start"], r["peak_end"]),
        "queue_length_peak": r["queue_length_peak"],
        "wait_share_percent": r["wait_share_percent"],
        "refusals_per_io": r["refusals_per_io"],
        "high_water": r["high_water"],
        "high_water_per_base": r["per_base"],
        "response_ms": effect.now if effect else r["response_ms"],
        # between bounds no value is likelier than another
        "predicted_ms": effect.value if effect and effect.identifiable else None,
        "predicted_low_ms": effect.low if effect else None,
        "predicted_high_ms": effect.high if effect else None,
        "why": decided.code if decided else _reason(r),
        "cause": str(decided.subject) if decided and _explains(decided, subject) else None,
    }


def _explains(f: Finding, subject: Subject) -> bool:
    """True if a volume's wait is a symptom of the finding's subject: a pool, a box, a path."""
    return subject.kind == "volume" and f.subject.kind not in ("volume", "volumes")


def _of_response(f: Finding) -> Effect | None:
    return f.effect if f.effect and f.effect.unit == "ms" and f.effect.what.startswith("response") else None


def _alone(f: Finding) -> NewRow:
    """An LCU or group no query above lists: static PAV summed up, SuperPAV groups."""
    return _shown(_filled("lcu", {"aliases": f.aliases and f.aliases.now}), f.subject, _decided(f), f)
