"""The rules there are: a folder of `rules` with a `rule.toml` is one.

`rule.toml` holds what the rule is about in words and its thresholds, `query.sql` the question it asks (see
`iosq.toolkit.sql.questions`), `judge.py` the function from the answer to findings.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from iosq.toolkit.advise import agree, untold, whose_wait
from iosq.toolkit.advise.finding import Rule
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.thresholds import Shared, Threshold, insist, one_line, shared, thresholds
from iosq.toolkit.sql.questions import Question, load

RULES = "iosq.toolkit.advise.rules"
_TEXTS = ("title", "finds", "matters", "evidence", "wrong_when", "do")
# how long all is measured of which findings tell what is lost a day
SPAN = load(__package__, "span.sql")
# whose terms a finding uses
PLATFORMS = load(__package__, "platforms.sql")
# what a rule with a least duration goes by too, where it knows the time that was lost
DEPTH = shared(__package__, "depth.toml")
# `asks` names another rule whose question this one asks too
_KNOWN = frozenset({*_TEXTS, "topic", "general", "queue", "asks", "thresholds"})


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, in the order of their names.

    Raises:
        LakeError: a rule lacks a text, a threshold its source, or its question asks for no threshold of it.
    """
    folders = sorted((f for f in files(RULES).iterdir() if f.joinpath("rule.toml").is_file()), key=lambda f: f.name)
    return tuple(_rule(folder) for folder in folders)


def question_texts() -> list[str]:
    """The SQL of every rule's question, and of what is asked about their findings, or beside them."""
    return [
        *(rule.question.sql for rule in all_rules()),
        agree.QUESTION.sql,
        whose_wait.QUESTION.sql,
        *untold.ASKED,
        SPAN.sql,
        PLATFORMS.sql,
    ]


def shared_thresholds() -> tuple[Shared, ...]:
    """Thresholds that are no single rule's."""
    return (headroom.SHARED, whose_wait.LIMITS)


def _rule(folder: Traversable) -> Rule:
    code, package = folder.name, f"{RULES}.{folder.name}"
    place = f"{code}/rule.toml"
    told = tomllib.loads(folder.joinpath("rule.toml").read_text("utf-8"))
    insist(set(_TEXTS) - told.keys(), "lacks", place)
    insist(told.keys() - _KNOWN, "doesn't know", place)
    question = load(f"{RULES}.{told.get('asks', code)}", "query.sql")
    limits = {**thresholds(told.get("thresholds", {}), place), **_depth(question)}
    insist(question.asked_with - limits.keys(), "has no threshold for the question's", place)
    return Rule(
        code=code,
        **{name: one_line(told[name]) for name in _TEXTS},
        question=question,
        judge=importlib.import_module(f"{package}.judge").judge,
        thresholds=limits,
        topic=told.get("topic", "all"),
        general=told.get("general", False),
        queue=told.get("queue", False),
    )


def _depth(question: Question) -> Mapping[str, Threshold]:
    """The depth that stands for a least duration, for a question that tells what was lost as time."""
    return DEPTH.thresholds if question.asked_with & DEPTH.thresholds.keys() else {}
