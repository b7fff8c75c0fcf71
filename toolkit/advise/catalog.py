"""The rules there are: a folder of `rules` with a `rule.toml` is one.

`rule.toml` holds what the rule is about in words and its thresholds, `query.sql` the question it asks (see
`iosq.toolkit.sql.questions`), `judge.py` the function from the answer to findings.
"""

from __future__ import annotations

import importlib
import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from iosq.toolkit.advise.finding import Rule, Threshold
from iosq.toolkit.errors import LakeError
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import load

RULES = "iosq.toolkit.advise.rules"
_TEXTS = ("title", "finds", "matters", "evidence", "wrong_when", "do")
# `asks` names another rule whose question this one asks too
_KNOWN = frozenset({*_TEXTS, "topic", "general", "asks", "thresholds"})


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, in the order of their names.

    Raises:
        LakeError: a rule lacks a text, a threshold its source, or its question asks for no threshold of it.
    """
    folders = sorted((f for f in files(RULES).iterdir() if f.joinpath("rule.toml").is_file()), key=lambda f: f.name)
    return tuple(_rule(folder) for folder in folders)


def question_texts() -> list[str]:
    """The SQL of every rule's question."""
    return [rule.question.sql for rule in all_rules()]


def _rule(folder: Traversable) -> Rule:
    code, package = folder.name, f"{RULES}.{folder.name}"
    place = f"{code}/rule.toml"
    told = tomllib.loads(folder.joinpath("rule.toml").read_text("utf-8"))
    _insist(set(_TEXTS) - told.keys(), "lacks", place)
    _insist(told.keys() - _KNOWN, "doesn't know", place)
    thresholds = {name: _threshold(name, t, place) for name, t in told.get("thresholds", {}).items()}
    question = load(f"{RULES}.{told.get('asks', code)}", "query.sql")
    _insist(question.asked_with - thresholds.keys(), "has no threshold for the question's", place)
    return Rule(
        code=code,
        **{name: _line(told[name]) for name in _TEXTS},
        question=question,
        judge=importlib.import_module(f"{package}.judge").judge,
        thresholds=thresholds,
        topic=told.get("topic", "all"),
        general=told.get("general", False),
    )


def _threshold(name: str, told: Row, place: str) -> Threshold:
    wanted = {"value", "unit", "meaning", "era", "source"}
    _insist(wanted - told.keys(), f"[thresholds.{name}] lacks", place)
    _insist(told.keys() - wanted, f"[thresholds.{name}] doesn't know", place)
    texts = {key: _line(told[key]) for key in ("unit", "meaning", "era", "source")}
    return Threshold(value=float(told["value"]), **texts)


def _insist(wrong: set[str] | frozenset[str], what: str, place: str) -> None:
    if wrong:
        raise LakeError(f"{what} {', '.join(sorted(wrong))}", place=place)


def _line(text: str) -> str:
    """A text of several lines as one."""
    return " ".join(text.split())
