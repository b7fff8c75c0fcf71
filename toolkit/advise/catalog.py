"""The rules: each folder of `rules` with a `rule.toml` is one.

`rule.toml` holds the rule's description and thresholds. One that it uses and does not define is that of another
rule, which `[same]` names, in `rule.toml` or for all rules in `phrases.toml`.
`query.sql` is its query (see `iosq.toolkit.sql.questions`). A decision table in `rule.toml` makes findings of the
result (see `iosq.toolkit.advise.table`). A `model.py` may add columns.
"""

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from iosq.toolkit.advise import causes, data_quality, gaps, goals, growth, overrun, paging, top_waiter
from iosq.toolkit.advise.finding import Judge, Rule, Topic
from iosq.toolkit.advise.table import Table, phrases, table
from iosq.toolkit.predict import evidence, headroom
from iosq.toolkit.predict.thresholds import Shared, Threshold, insist, one_line, shared, thresholds
from iosq.toolkit.rows import Row, toml
from iosq.toolkit.sql.questions import Question, load

RULES = "iosq.toolkit.advise.rules"
_TEXTS = ("title", "matters", "evidence", "wrong_when", "do")
# what a rule may have, as it is
_PLAIN = ("topic", "general", "queue", "ends", "does", "adds_time", "paging")
# the measured time, from which findings compute the loss per day
SPAN = load(__package__, "span.sql")
# whose terms a finding uses
PLATFORMS = load(__package__, "platforms.sql")
# thresholds of runs of bad intervals, of each rule that uses and does not define them
INCIDENT = shared(__package__, "incident.toml").thresholds
# `questions` names further queries about the subjects of the rows,
# `joined` those whose columns are added to the rows, with the columns of a join;
# `explains` names rules, or `queue` for all rules about a queue; `ends`: about a fault, which ends when it is repaired;
# `work`: what of the users of its volumes is counted (see `top_waiter`)
_KNOWN = frozenset({*_TEXTS, *_PLAIN, "work", "questions", "joined", "explains", "same", "thresholds", "was"})
_LIMIT = re.compile(r"\blimits\.(\w+)")
_TABLE = frozenset({"finding", "outcome", "values", "group"})


@cache
def all_rules() -> tuple[Rule, ...]:
    """All rules, ordered by name.

    Raises:
        LakeError: a rule lacks a text, a threshold its source, or its query uses no threshold of it.
    """
    folders = sorted((f for f in files(RULES).iterdir() if f.joinpath("rule.toml").is_file()), key=lambda f: f.name)
    return tuple(_rule(folder) for folder in folders)


def renamed() -> dict[str, str]:
    """The names of rules and shared thresholds by those that they had in the version before."""
    return {old: rule.code for rule in all_rules() for old in rule.was} | {"whose_wait": top_waiter.LIMITS.code}


def question_texts() -> list[str]:
    """The SQL of every rule's question, of the evidence for their findings, and of data quality."""
    return [
        *(rule.sql for rule in all_rules()),
        causes.QUESTION.sql,
        top_waiter.QUESTION.sql,
        paging.QUESTION.sql,
        gaps.QUESTION.sql,
        goals.QUESTION.sql,
        goals.VOLUMES.sql,
        growth.QUESTION.sql,
        overrun.QUESTION.sql,
        *data_quality.questions(),
        SPAN.sql,
        PLATFORMS.sql,
    ]


def shared_thresholds() -> tuple[Shared, ...]:
    """Thresholds shared by several rules."""
    return (headroom.SHARED, top_waiter.LIMITS, causes.LIMITS)


def _rule(folder: Traversable) -> Rule:
    code = folder.name
    place = f"{code}/rule.toml"
    header = _header(code)
    insist(set(_TEXTS) - header.keys(), "lacks", place)
    insist(header.keys() - _KNOWN - _TABLE, "doesn't know", place)
    insist({header["paging"]} - {*paging.KINDS} if "paging" in header else (), "knows no kind of paging", place)
    question = load(f"{RULES}.{code}", "query.sql")
    own = thresholds(header.get("thresholds", {}), place)
    same = {name: _owner(code, name) for name in phrases()["same"] | header.get("same", {}) if name not in own}
    limits = {**own, **INCIDENT, **own} | {name: _of_another(*owner) for name, owner in same.items()}
    insist({"finding"} - header.keys(), "lacks", place)
    made = table(header, code)
    asked = made.asked(question, limits)
    joined = {name: tuple(keys.split(", ")) for name, keys in header.get("joined", {}).items()}
    more = _questions([*joined, *header.get("questions", ())], f"{RULES}.{code}", place)
    wanted = asked.asked_with.union(header.get("same", ()), *(q.asked_with for q in more.values()))
    wanted |= set(_LIMIT.findall(str(header)))
    insist(wanted - limits.keys(), "has no threshold for the question's", place)
    limits = {n: limit for n, limit in limits.items() if n in own or n in wanted}
    given: Row = {n: header[n] for n in _PLAIN if n in header} | {n: one_line(header[n]) for n in _TEXTS}
    return Rule(
        code=code,
        **given,
        question=question,
        asked=asked,
        judge=_judge(code, made, is_modelled=folder.joinpath("model.py").is_file()),
        thresholds=limits,
        work=header.get("work", "waited" if header.get("queue") else ""),
        explains=frozenset(header.get("explains", ())),
        covers=frozenset().union(
            *(o.named("explains").union(*(e["rules"] for e in o.entries.get("covers", ()))) for o in made.outcomes)
        ),
        part_of=frozenset().union(*(o.named("part_of") for o in made.outcomes)),
        same={name: owner for name, owner in same.items() if name in limits},
        outcomes=tuple(
            (o.entries.get("if", o.entries["when"]), o.entries["severity"], o.spelled("advice")) for o in made.outcomes
        ),
        common=made.common,
        questions=more,
        joined=joined,
        was=tuple(header.get("was", ())),
    )


def _questions(names: Sequence[str], package: str, place: str) -> Mapping[str, Question]:
    """The queries of these names: of the rule's own folder, else of the shared evidence."""
    packages = {f.name.removesuffix(".sql"): p for p in (evidence.__name__, package) for f in files(p).iterdir()}
    insist(set(names) - packages.keys(), "knows no question", place)
    return {name: load(packages[name], f"{name}.sql") for name in names}


def _judge(code: str, made: Table, *, is_modelled: bool) -> Judge:
    """The function from the answer to findings: the decision table's, with a model before it."""
    if not is_modelled:
        return lambda rows, limits, *_: made.judge(rows, limits)
    modelled = importlib.import_module(f"{RULES}.{code}.model").modelled
    return lambda rows, limits, known, *evidence: made.judge(modelled(rows, limits, known, *evidence), limits)


@cache
def _header(code: str) -> Row:
    return toml(RULES, code, "rule.toml")


@cache
def _folders() -> frozenset[str]:
    return frozenset(f.name for f in files(RULES).iterdir())


@cache
def _owner(code: str, name: str) -> tuple[str, str]:
    """The rule that defines a threshold, and its name there: `queue_length = "pav_add_alias"` under `[same]`.

    Raises:
        LakeError: there is none.
    """
    place = f"{code}/rule.toml"
    if name in _header(code).get("thresholds", {}):
        return code, name
    if name not in (other := phrases()["same"] | _header(code).get("same", {})):
        insist({name} - INCIDENT.keys(), "has no threshold", place)
        return code, name
    owner, _, of = str(other[name]).partition(".")
    insist({owner} - _folders(), "names no rule", place)
    return _owner(owner, of or name)


@cache
def _of_another(owner: str, name: str) -> Threshold:
    """A threshold of another rule, with its place for a source."""
    own = _header(owner).get("thresholds", {})
    one = thresholds({name: own[name]}, f"{owner}/rule.toml")[name] if name in own else INCIDENT[name]
    return replace(one, source=f"defined once, as `{name}` of `{owner}`")


def of_topic(topic: Topic) -> tuple[list[Rule], list[Rule]]:
    """The rules of a topic; and the others that may find the cause of what these find, or the cause of that."""
    if topic == "all":
        return list(all_rules()), []
    own = [rule for rule in all_rules() if rule.topic == topic]
    causes: list[Rule] = []
    while True:
        codes = {rule.code for rule in (*own, *causes)}
        more = [rule for rule in all_rules() if rule.code not in codes and symptoms(rule) & codes]
        if not more:
            return own, causes
        causes += more


def symptoms(rule: Rule) -> frozenset[str]:
    """The rules whose findings may be consequences of a rule's."""
    return rule.covers | explains()[rule.code] | {other.code for other in all_rules() if rule.code in other.part_of}


@cache
def explains() -> dict[str, frozenset[str]]:
    """The rules that are symptoms of each rule; `queue` means all rules about a queue in the host."""
    queues = frozenset(rule.code for rule in all_rules() if rule.queue)
    return {r.code: (r.explains - {"queue"}) | (queues if "queue" in r.explains else frozenset()) for r in all_rules()}
