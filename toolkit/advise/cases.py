"""A decision table in Python, for rules whose outcomes need models: the first case that holds makes the finding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from iosq.toolkit.advise.finding import Finding, Outcomes

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case(Generic[T]):
    """A line of the table.

    when, severity, advice: in words; holds: whether it is so of a subject; finding: what is found then.
    """

    when: str
    severity: str
    advice: str
    holds: Callable[[T], object]
    finding: Callable[[T], Finding]


def always(_: object) -> bool:
    """The condition of a last case."""
    return True


def decided(cases: Sequence[Case[T]], subject: T) -> Finding:
    """The finding of the first case that holds."""
    return next(case for case in cases if case.holds(subject)).finding(subject)


def outcomes(cases: Sequence[Case[Any]]) -> Outcomes:
    """The table in words."""
    return tuple((case.when, case.severity, case.advice) for case in cases)
