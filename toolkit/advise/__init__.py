"""Findings: one file per rule, a query over promised views plus a pure function from rows to findings."""

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Effect, Finding, Number, Rule

__all__ = ["Effect", "Finding", "Number", "Rule", "run"]
