"""All that the program says, with none, one, two and many put in: a golden file for a reader, and laws of grammar.

After a change that is meant: `IOSQ_GOLDEN=write pytest tests/sentences`, then read tests/golden/sentences.txt as
somebody who was born to the language would.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

import iosq
from iosq.parsers.api import Balance, Issue, TypeCount
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, Rule
from iosq.toolkit.advise.text import as_text, expected
from iosq.toolkit.advise.verdicts import as_table
from iosq.toolkit.cli.commands import compare, ingest, trend
from iosq.toolkit.compare.engine import Change, Comparison
from iosq.toolkit.lake.ingest import Outcome
from iosq.toolkit.show.numbers import alias_range, amount, duration, listed, plural
from iosq.toolkit.trend import Trend

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "sentences.txt"
COUNTS = (0, 1, 2, 12)
# a rule may be silent, or have nothing to compute with: such a lake does not come
SILENT = (ArithmeticError, LookupError, TypeError, ValueError, iosq.IosqError)
# what records may not tell
_MAYBE = (
    "job",
    "data_set",
    "holder",
    "subsystem_ratio",
    "disc_ms",
    "peak_ms",
    "write_ratio",
    "cache_bytes",
    "nvs_bytes",
)
# each count is a solution of its own: only those that are spoken of
_VARIED = {"alias_pool_dry": ("waiting", "aliases", "high_water", "dry_lcus"), "pav_add_alias": ("exposures",)}
_NAMES = ("volume", "volser", "subsystem", "lcu")
WRONG = {
    "a plural of one": r"(?<![\d.,]) ?\b1 (?!is\b|was\b|has\b|as\b)(?:more )?(?!alias\b|less\b)[a-z]+[a-rt-z]s\b",
    "a singular of many": (
        r"(?<![\d.,-])(?:[02-9]|[1-9]\d+) (?:more )?(?:alias|volume|interval|hour|system|channel|issue|record|row|day)\b"  # noqa: E501
    ),
    "nothing in brackets": r"\(\s*\)",
    "a word for nothing": r"\b(?:None|nan|inf|null)\b",
    "two spaces or a space before a sign": r"\S  \S| [,;:.](?:\s|$)",
    "no end": r"\bto (?:more|or)\b|\bbetween (\S+) and \1(?![.,\d])",
    "many bytes": r"\b\d[\d,]{6,} bytes\b|\bMB\b(?!/s)",
}


@cache
def _rows() -> Mapping[str, list[list[dict[str, Any]]]]:
    def instant(value: dict[str, Any]) -> Any:
        return dt.datetime.fromisoformat(value["at"]) if value.keys() == {"at"} else value

    # no sample has troubles of this kind
    files = [(HERE / name).read_text("utf-8") for name in ("by_hand.json", "rows.json")]
    by_hand, sampled = (json.loads(text, object_hook=instant) for text in files)
    return {**by_hand, **sampled}


def _found(rule: Rule, rows: list[dict[str, Any]]) -> list[Finding]:
    try:
        found = list(rule.judge(rows, rule.limits(None), Known()))
        return found if all(_said(f) for f in found) else []
    except SILENT:
        return []


def _said(found: Finding) -> list[str]:
    return [found.text, found.advice, *([expected(found.effect)] if found.effect else [])]


def _another(row: dict[str, Any]) -> dict[str, Any]:
    """The same of another volume, subsystem or LCU."""
    return {name: f"{value[:-1]}Z" if name in _NAMES and value else value for name, value in row.items()}


def _variants(rule: Rule, rows: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """What a rule says with one column after the other none, one, two, many or not known."""
    base = [line for f in _found(rule, rows) for line in _said(f)]
    yield "as measured", base
    seen = set(base)
    more = [line for f in _found(rule, [*rows, *map(_another, rows)]) for line in _said(f) if line not in seen]
    seen |= set(more)
    yield "twice", more
    for name in sorted(set(_VARIED.get(rule.code, rows[0].keys())) - {"runs"}):  # all say it alike
        values = [row[name] for row in rows]
        whole = all(isinstance(v, int) and not isinstance(v, bool) for v in values)
        for value in (*(COUNTS if whole else ()), *((None,) if name in _MAYBE else ())):
            said = [line for f in _found(rule, [row | {name: value} for row in rows]) for line in _said(f)]
            fresh = [line for line in said if line not in seen]
            seen |= set(fresh)
            if fresh:
                yield f"{name} {value if value is not None else 'not known'}", fresh


def _of_rules() -> Iterator[str]:
    for rule in all_rules():
        for rows in _rows().get(rule.code, []):
            for what, lines in _variants(rule, rows):
                yield from (f"{rule.code}: {what}", *(f"    {line}" for line in lines))


def _of_numbers() -> Iterator[str]:
    for count in COUNTS:
        yield f"{plural(count, 'box', 'boxes')}; {alias_range(count, None)}; {alias_range(count, count + 3)}"
        yield f"{alias_range(None, None)}; {amount(count * 10**6, 'bytes')}; {amount(count, 'I/Os')}"
        yield f"{listed(map(str, range(count)))}; {duration(count)}; {amount(count * 1e6, 'bytes per second')}"


def _of_effects() -> Iterator[str]:
    spans = [(1.0, 1.0, 1.0), (1.0, 0.5, 2.0), (0.0, 0.0, 0.0), (1.0, 0.5, inf), (inf, inf, inf)]
    for value, low, high in spans:
        for identifiable in (True, False):
            yield expected(Effect("response at the peak", "ms", 3.0, value, low, high, "a model", identifiable))


def _of_ingest() -> Iterator[str]:
    for n in COUNTS:
        balance = Balance({"74.1": TypeCount(n, n)}, lost_bytes=n)
        issues = tuple(Issue("code", severity, "message", count=n) for severity in ("data_loss", "error") if n)
        outcome = Outcome(Path("dump.smf"), "stored", rows=n, balance=balance, issues=issues)
        yield ingest._line(outcome)
        yield ingest.closing([outcome] * max(n if n < 9 else 3, 1), "how")
        yield ingest.closing([replace(outcome, status="refused")], "how")


def _of_trends() -> Iterator[str]:
    made = Trend("lcu", "SYSA", "0011", "io_rate", "growing", 28, 1000.0, 2.0, 1.0, 3.0)
    day = dt.date(2026, 1, 31)
    short = replace(made, verdict="too short", reason="1 complete day, 21 are needed")
    flat = replace(made, verdict="no trend can be shown", reason="the slope can't be told from 0")
    dated = replace(made, limit=5000.0, limit_meaning="aliases configured", date=day, earliest=day, latest=None)
    for found in ([made], [dated], [replace(dated, latest=day)], [short], [short] * 2, [flat] * 1234, []):
        yield from trend._text(found)


def _of_changes() -> Iterator[str]:
    change = Change("volume", "SYSA", "DB2003", "wait_ms", "changed", 1.0, 2.0, 1.0, 0.5, 1.5, "busiest")
    for n in COUNTS:
        rest = [replace(change, verdict=v) for v in ("too little data", "no change can be shown")] * n
        for shown in ([], [change], [change, replace(change, before=0.0, part="all", system="")]):
            yield from compare._sentences(Comparison((*shown, *rest), (), (), ()))


PARTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "numbers": _of_numbers,
    "what to expect": _of_effects,
    "ingest": _of_ingest,
    "trend": _of_trends,
    "compare": _of_changes,
    "rules": _of_rules,
}


@cache
def _lines() -> list[str]:
    return [line for name, part in PARTS.items() for line in (f"== {name}", *dict.fromkeys(part()), "")]


def test_every_rule_says_something() -> None:
    silent = {r.code for r in all_rules() if not any(_found(r, rows) for rows in _rows().get(r.code, []))}
    assert not silent, f"renew tests/sentences/rows.json (python -m tests.sentences) for {sorted(silent)}"


def test_all_texts_are_those_that_were_read() -> None:
    text = "\n".join(_lines()) + "\n"
    if os.environ.get("IOSQ_GOLDEN") == "write":
        GOLDEN.write_text(text, "utf-8")
    assert text == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("what", WRONG)
def test_no_sentence_has(what: str) -> None:
    spoken = [line for line in _lines() if line.startswith("    ") or ": " not in line[:24]]
    wrong = [line for line in spoken if re.search(WRONG[what], line.strip())]
    assert not wrong, f"{what}:\n" + "\n".join(wrong[:20])


def test_numbers_of_a_finding_have_their_unit_behind_them() -> None:
    numbers = (
        Number("NVS", 2**31, "bytes"),
        Number("writes", 1234, "I/Os"),
        Number("holder", "SYSB"),
        Number("gone", None),
    )
    rule = next(r for r in all_rules() if r.code == "nvs_burst")
    made = _found(rule, _rows()["nvs_burst"][0])[0]
    text = as_text([replace(made, numbers=numbers)])
    assert "Numbers: NVS 2.0 GiB; writes 1,234 I/Os; holder SYSB\n" in text


def test_symptoms_of_one_dry_pool_are_one_line() -> None:
    keys = "aliases_now aliases_needed aliases_needed_high peak queue_length_peak wait_share_percent refusals_per_io"
    keys += " high_water high_water_per_base response_ms predicted_ms predicted_low_ms predicted_high_ms"
    made = dict.fromkeys(keys.split()) | {"verdict": "add", "why": "alias_pool_dry"}
    pool = made | {"kind": "lcu", "subject": "LCU 0011 on SYSA", "aliases_needed": 10}
    waiting = [made | {"kind": "volume", "subject": f"BAT{n:03} on SYSA"} for n in range(8)]
    enough = [made | {"kind": kind, "subject": kind, "verdict": "enough"} for kind in ("volume", "lcu", "lcu")]
    lines = as_table([pool, *waiting, *enough]).split("\n")
    assert [line for line in lines if "BAT" in line] == [
        "8 volumes only wait for a pool that is named above: BAT000 on SYSA, BAT001 on SYSA, BAT002 on SYSA, "
        "BAT003 on SYSA, BAT004 on SYSA, BAT005 on SYSA and 2 more"
    ]
    assert any("10 or more" in line for line in lines)
    assert lines[-1] == "enough: 2 LCUs and 1 volume"
