"""Run the rules on a lake and rank their findings."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from iosq.toolkit.advise import causes, gaps, goals, growth, overrun, paging, top_waiter
from iosq.toolkit.advise.agree import agreed, lent, moved_here, one_of_each_pool
from iosq.toolkit.advise.at_once import linked
from iosq.toolkit.advise.catalog import PLATFORMS, SPAN, all_rules, explains, of_topic, symptoms
from iosq.toolkit.advise.finding import Finding, Known, Rule, Topic
from iosq.toolkit.advise.grouped import grouped
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.present import present
from iosq.toolkit.advise.severity import Recurrence
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import a_day, less_than_a_day
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.evidence import NONE, Answer, Evidence
from iosq.toolkit.rows import Row
from iosq.toolkit.show import stages
from iosq.toolkit.show.records import ZVM
from iosq.toolkit.sql.connect import without_rows
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import Question, ask, ask_all

Settings = Mapping[str, Mapping[str, float]]
# the rule whose answer is where volumes are
PLACES = "volumes_moved"


def apply(
    con: Connection,
    rule: Rule,
    settings: Mapping[str, float] | None = None,
    known: Known | None = None,
) -> list[Finding]:
    """The findings of one rule in a lake."""
    found, _ = _found(con, [rule], {rule.code: settings or {}}, known or Known())
    return _a_day(con, found)


def _a_day(con: Connection, found: Sequence[Finding]) -> list[Finding]:
    """The findings with the loss per day in place of the loss of the whole span, if that is a day or more."""
    (row,) = ask(con, SPAN).to_pylist() if found else ({"days": None, "recorded_s": None},)
    whole = less_than_a_day(row["days"], row["recorded_s"])
    return [replace(f, lost_s=a_day(f.lost_s, row["days"]), lost_in_s=whole) for f in found]


def _all_found(con: Connection, settings: Settings, topic: Topic, known: Known) -> tuple[list[Finding], Places]:
    """The findings of a topic and of what may have caused these, and the locations of volumes."""
    own, others = of_topic(topic)
    places = [rule for rule in all_rules() if rule.code == PLACES and rule not in own]
    found, answers = _found(con, [*own, *places], settings, known)
    if {f.code for f in found} & {code for rule in others for code in symptoms(rule)}:
        found += _found(con, [rule for rule in others if rule not in places], settings, known)[0]
    return _a_day(con, sorted(found, key=lambda f: f.code)), Places(answers[PLACES, ""].rows)


def _found(
    con: Connection, rules: Sequence[Rule], settings: Settings, known: Known
) -> tuple[list[Finding], Mapping[tuple[str, str], Answer]]:
    """Findings of rules, and their query results. Evidence is queried only for rules with findings."""
    limits = {rule.code: rule.limits(settings.get(rule.code)) for rule in rules}
    empty = without_rows(con)
    answers = {(rule.code, ""): NONE for rule in rules if rule.question.needs & empty}
    answers |= _answers(con, {(r.code, ""): r.asked for r in rules if (r.code, "") not in answers}, limits)
    more = {(r.code, n): q for r in rules if _with_outcome(answers[r.code, ""]) for n, q in r.questions.items()}
    answers |= _answers(con, more, limits)
    return [f for rule in rules for f in _judged(rule, answers, limits[rule.code], known)], answers


def _answers(
    con: Connection, asked: Mapping[tuple[str, str], Question], limits: Mapping[str, Mapping[str, float]]
) -> dict[tuple[str, str], Answer]:
    """Results by rule and query name. Several queries run in parallel, since they take most of the time."""
    given = {" ".join(key): (q, {n: limits[key[0]][n] for n in q.asked_with}) for key, q in asked.items()}
    tables = ask_all(con, given, lambda done: stages.progress("rules", done, len(given)))
    answers = {id(table): Answer(table.column_names, table.to_pylist()) for table in tables.values()}
    return {key: answers[id(tables[" ".join(key)])] for key in asked}


def _with_outcome(answer: Answer) -> list[Row]:
    return [r for r in answer.rows if r["outcome"] is not None]


def _judged(
    rule: Rule, answers: Mapping[tuple[str, str], Answer], limits: Mapping[str, float], known: Known
) -> list[Finding]:
    evidence = Evidence({name: answers.get((rule.code, name), NONE) for name in rule.questions})
    answer = answers[rule.code, ""]
    # no evidence is queried for rows without an outcome
    rows = evidence.joined(_with_outcome(answer), rule.joined) if rule.joined else answer.rows
    found = rule.judge(rows, limits, known, *[evidence] * (rule.questions.keys() > rule.joined.keys()))
    return [_dated(replace(f, code=rule.code, does=rule.does, adds_time=rule.adds_time)) for f in found]


def _dated(f: Finding) -> Finding:
    """The finding with its last day: an ended problem is less urgent than a continuing one."""
    return f.also(f"It happened last on {f.when.last}") if f.when and f.when.last else f


def run(
    con: Connection,
    settings: Settings | None = None,
    topic: Topic = "all",
    known: Known | None = None,
) -> list[Finding]:
    """All findings, most urgent first: what to act on, then by the I/O time lost, what concerns all first.

    Findings that another one explains become a part of that one.

    Args:
        settings: limits by rule and name (see `iosq.toolkit.advise.settings`).
        topic: only findings of this topic, and those of others that explain one of them away.
        known: the machine and what else the lake doesn't hold.
    """
    known = replace(known or Known(), headroom=headroom.SHARED.limits(settings))
    every, places = _all_found(con, settings or {}, topic, known)
    systems = ask(con, PLATFORMS).to_pylist() if every else []
    days = max((r["days"] for r in systems), default=0)
    found = _related(con, every, places, days, settings)
    topics = {rule.code: rule.topic for rule in all_rules()}
    asked = {pair for f in every if topics[f.code] == topic for pair in f.stands_for}
    # a finding that explains one of the topic replaces it
    kept = [f for f in found if topic in ("all", topics[f.code]) or f.covers & asked]
    kept.sort(key=lambda f: f.urgency)
    work, limits = {rule.code: rule.work for rule in all_rules() if rule.work}, causes.LIMITS.limits(settings)
    named = top_waiter.named(con, kept, work, places, settings)
    if days >= limits["few_days"]:
        named = growth.named(con, named, work, places, limits, days)
    if days >= limits["grown_days"]:
        named = overrun.named(con, named, places, limits)
    kinds = {rule.code: rule.paging for rule in all_rules()}
    hurting = goals.named(con, paging.named(con, named, kinds), places, limits)
    own_terms = _in_own_terms(systems, gaps.named(con, hurting, places))
    return with_general(sorted(grouped(own_terms, places, limits), key=lambda f: f.urgency))


def with_general(found: Sequence[Finding]) -> list[Finding]:
    """The findings; where others name what costs time, those about everything only refer to them."""
    if not any(f.severity != "note" and f.lost_s for f in found):
        return list(found)
    general = {rule.code for rule in all_rules() if rule.general}
    return [f.advised("Begin with the findings to act on or to watch") if f.code in general else f for f in found]


def _related(
    con: Connection, every: Sequence[Finding], places: Places, days: int, settings: Settings | None
) -> list[Finding]:
    """The findings in the light of all others, of what changed since, and of how often it happened."""
    limits = causes.LIMITS.limits(settings)
    loads = causes.Loads(con)
    covered = {pair for f in every for pair in f.covers}
    # what is covered itself covers nothing: its cause may be at work at other times only
    covered = {pair for f in every if not _is_explained(f, covered) for pair in f.covers}
    plain = [f for f in every if not _is_explained(f, covered)]
    hidden = [f for f in every if _is_explained(f, covered)]
    symptoms_of = explains()
    found = causes.explained(plain, symptoms_of, places, loads, limits)
    left = {(f.code, f.subject) for f in found}
    # what a finding covers may be its cause, where it turned out to be a symptom itself
    gone = [f for f in plain if f.covers and (f.code, f.subject) not in left]
    if bare := [f for f in hidden if any(g.code in symptoms_of[f.code] and _is_explained(f, g.covers) for g in gone)]:
        found = causes.explained([*plain, *bare], symptoms_of, places, loads, limits)
    found = list(present(found, places, loads))
    ends = {rule.code for rule in all_rules() if rule.ends}
    titles = {rule.code: rule.title for rule in all_rules()}
    costs = {code: sum(f.lost_s for f in found if f.code == code) for code in titles}
    recurrence = Recurrence(days, places, loads, ends, limits, costs)
    weighed = one_of_each_pool([recurrence.weighed(f) for f in sorted(found, key=lambda f: f.urgency)])
    return agreed(lent(moved_here(linked(weighed, symptoms_of, places), places)), places, titles)


def _in_own_terms(systems: Sequence[Row], found: Sequence[Finding]) -> list[Finding]:
    """Findings about z/VM systems in the terms of CP."""
    zvm = {row["system"] for row in systems if row["platform"] == ZVM}
    other = {row["system"] for row in systems} - zvm
    return [f.in_cp_terms() if zvm and not (set(f.subject.systems) or other) - zvm else f for f in found]


def _is_explained(f: Finding, covered: Set[tuple[str, Subject]]) -> bool:
    """True if others cover it as a whole, or in each part: each system may have its own cause."""
    parts = {(f.code, part) for part in f.subject.each}
    return (f.code, f.subject) in covered or bool(parts and parts <= covered)
