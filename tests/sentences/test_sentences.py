"""All that the program says, with none, one, two and many put in: a golden file for a reader, and laws of grammar.

After a change that is meant: `IOSQ_GOLDEN=write pytest tests/sentences`, then read tests/golden/sentences.txt as
somebody who was born to the language would.
"""

import datetime as dt
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

import duckdb
import pytest

import iosq
from iosq.parsers.api import Balance, Issue, TypeCount
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Effect, Finding, Number, Rule
from iosq.toolkit.advise.text import as_text, change, expected
from iosq.toolkit.advise.verdicts import as_table
from iosq.toolkit.cli.commands import doctor, ingest, trend
from iosq.toolkit.compare import words
from iosq.toolkit.compare.engine import Change, Comparison
from iosq.toolkit.lake.doctor import Ailment
from iosq.toolkit.lake.ingest import Outcome
from iosq.toolkit.report import quality
from iosq.toolkit.report.chart import charts
from iosq.toolkit.report.table import tables
from iosq.toolkit.report.tables import aliases
from iosq.toolkit.show.numbers import alias_range, amount, duration, listed, plural
from iosq.toolkit.trend import Trend
from tests.command import invoked, lines_of
from tests.judged import judged

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "sentences.txt"
FINDINGS = HERE.parent / "toolkit" / "advise" / "golden" / "findings.txt"
COUNTS = (0, 1, 2, 12)
KINDS = ("volume", "lcu", "group")
# a rule may be silent, or have nothing to compute with: such a lake does not come
SILENT = (ArithmeticError, LookupError, TypeError, ValueError, iosq.IosqError, duckdb.Error)
# what records may not have
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
_VARIED |= {"hyperpav_wait": ("volumes", "unknown_intervals"), "lcu_addresses": ("advised", "bases")}
_NAMES = ("volume", "volser", "subsystem", "lcu")
# what aliases do or don't, and what is unknown
_NO_ACTION = re.compile(r"^(more |neither )?aliases|^unknown|aliases (will not|don't|do not)", re.IGNORECASE)
_HEADLINE = re.compile(r"^\d+\. [A-Z]+  (.*?)\n   Do: .*?\n   Rule: +(\w+)", re.MULTILINE | re.DOTALL)
WRONG = {
    "a plural of one": r"(?<![\d.,]) ?\b1 (?!is\b|was\b|has\b|as\b)(?:more )?(?!alias\b|less\b)[a-z]+[a-rt-z]s\b",
    "a singular of many": (
        r"(?<![\d.,-])(?:[02-9]|[1-9]\d+) (?:more )?(?:alias|volume|interval|hour|system|channel|issue|record|row|day)\b"  # noqa: E501
    ),
    "nothing in brackets": r"\(\s*\)",
    "a word for nothing": r"\b(?:None|nan|inf|null)\b",
    "two spaces or a space before a sign": r"\S  \S| [,;:.](?:\s|$)",
    "no end": r"\bto (?:more|or)\b|\bbetween (\S+) and \1(?![.,\d])",
    "a number cut to nothing": r"(?<![\d.,])0\.0+ (?:%|ms\b)",
    "many bytes": r"\b\d[\d,]{6,} bytes\b|\bMB\b(?!/s)",
}


@cache
def _rows() -> Mapping[str, list[list[dict[str, Any]]]]:
    def instant(value: dict[str, Any]) -> Any:
        return dt.datetime.fromisoformat(value["at"]) if value.keys() == {"at"} else value

    # by hand: troubles that no sample has
    files = [(HERE / name).read_text("utf-8") for name in ("by_hand.json", "rows.json")]
    by_hand, sampled = (json.loads(text, object_hook=instant) for text in files)
    return {code: sampled.get(code, []) + by_hand.get(code, []) for code in {**by_hand, **sampled}}


def _found(rule: Rule, rows: list[dict[str, Any]]) -> list[Finding]:
    try:
        found = list(judged(rule, rows))
        return found if all(_texts(f) for f in found) else []
    except SILENT:
        return []


def _texts(found: Finding) -> list[str]:
    expect = expected(found.effect) if found.effect else ""
    return list(filter(None, (found.text, found.details, found.advice, expect)))


def _another(row: dict[str, Any]) -> dict[str, Any]:
    """The same of another volume, subsystem or LCU."""
    return {name: f"{value[:-1]}Z" if name in _NAMES and value else value for name, value in row.items()}


def _variants(rule: Rule, rows: list[dict[str, Any]]) -> Iterator[tuple[str, list[Finding]]]:
    """What a rule finds with one column after the other none, one, two, many or not known."""
    yield "as measured", _found(rule, rows)
    yield "twice", _found(rule, [*rows, *map(_another, rows)])
    for name in sorted(set(_VARIED.get(rule.code, rows[0].keys())) - {"runs"}):  # all say it in the same way
        values = [row[name] for row in rows]
        whole = all(isinstance(v, int) and not isinstance(v, bool) for v in values)
        for value in (*(COUNTS if whole else ()), *((None,) if name in _MAYBE else ())):
            what = f"{name} {value if value is not None else 'not known'}"
            yield what, _found(rule, [row | {name: value} for row in rows])


@cache
def _made() -> list[tuple[str, list[tuple[str, list[Finding]]]]]:
    """The variants of each group of rows, by rule: to judge them takes long."""
    return [(rule.code, [*_variants(rule, rows)]) for rule in all_rules() for rows in _rows().get(rule.code, [])]


def _of_all() -> list[tuple[str, Finding]]:
    """All findings of all variants, each with its rule."""
    return [(code, f) for code, variants in _made() for _, found in variants for f in found]


def _of_rules() -> Iterator[str]:
    for code, variants in _made():
        seen = set[str]()
        for what, found in variants:
            fresh = [line for f in found for line in _texts(f) if line not in seen]
            seen |= set(fresh)
            if fresh:
                yield from (f"{code}: {what}", *(f"    {line}" for line in fresh))


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
    flat = replace(made, verdict="no trend can be shown", reason="the slope is not significant")
    dated = replace(made, limit=5000.0, limit_meaning="aliases configured", date=day, earliest=day, latest=None)
    for found in (
        [made],
        [dated],
        [replace(dated, latest=day)],
        [replace(made, missing="9 of 28 days (00:00-04:30)")] * 2,
        [short],
        [short] * 2,
        [flat] * 1234,
        [],
    ):
        yield from trend._text(found)


def _of_changes() -> Iterator[str]:
    change = Change("volume", "SYSA", "DB2003", "wait_ms", "changed", 1.0, 2.0, 1.0, 0.5, 1.5, "busiest")
    for n in COUNTS:
        rest = [replace(change, verdict=v) for v in ("too little data", "no change can be shown")] * n
        for shown in ([], [change], [change, replace(change, before=0.0, part="all", system="")]):
            yield from words._changes(Comparison((*shown, *rest), (), (), ()))
    for n in COUNTS[1:]:
        yield words._changes(Comparison((change,) * (words.SENTENCES + n), (), (), ()))[-1]


# numbers given on the command line: none, one, two and many of each
SIMULATED = """
pav --rate 120 --wait-ms 4 --service-ms 5 --aliases 2
pav --rate 120 --service-ms 5 --exposures 2
pav --rate 1 --service-ms 5 --exposures 2 --aliases 0
pav --rate 120 --wait-ms 4 --service-ms 5 --read-ratio 0.7 --machine ds8100 --aliases 1
pav --requesters 1 --read-ratio 0.66 --machine ess-f20 --aliases 1
pav --requesters 12 --volumes 2 --read-ratio 0.66 --machine ess-f20 --aliases 2
pav --rate 380 --wait-ms 2 --service-ms 5 --volumes 2 --pool 2 --aliases 4 --read-ratio 0.5 --machine ds8100
migrate --to ds8100 --rate 50 --service-ms 6
migrate --to ess-f20 --rate 900 --service-ms 3 --wait-ms 1 --exposures 8 --volumes 12
migrate --to ess-f20 --rate 900 --service-ms 3 --wait-ms 1 --exposures 2 --volumes 2 --growth 2
migrate --to ds8100 --rate 50 --service-ms 6 --volumes 2 --boxes 1 --growth 2
nvs --machine ibm3990-6 --write-rate 1 --seconds 1
nvs --machine ibm3990-6 --write-rate 700 --seconds 30
nvs --machine ibm3990-6 --write-rate 2000 --seconds 60 --more-mib 1
nvs --nvs-mib 1 --destage-rate 100 --write-rate 5000 --seconds 1 --calm-rate 200
tape --jobs 1 --ficon 1
tape --jobs 64 --ficon 8 --drives 2
channel ficon --tasks 1
channel ficon --tasks 2 --tasks 12 --distance-km 80
dump --storage-gb 1 --volumes 1
dump --storage-gb 4.5 --volumes 2
dump --storage-gb 20 --volumes 12 --virtual
pav --requesters 5 --volumes 8 --read-ratio 0.33 --footprint-gb 0.3 --machine ess-f20
plan --runs 1
plan --runs 2
pav --rate 900 --service-ms 3
migrate --to ds8100 --rate 9000 --service-ms 6 --boxes 1
"""


def _called(line: str) -> list[str]:
    """What a command says next to its table: sentences, or the error it ends with."""
    done = invoked(line.split())
    sentence = lines_of(done.stderr)
    return [*sentence, str(done.exception)] if isinstance(done.exception, iosq.IosqError) else sentence


def _of_simulate() -> Iterator[str]:
    for line in SIMULATED.split("\n")[1:-1]:
        yield from (line, *(f"    {sentence}" for sentence in _called(f"simulate {line}")))


def _of_doctor() -> Iterator[str]:
    part = Ailment("part", "tables/x.parquet", "is missing", "0123")
    stray = Ailment("stranger", "tables/y.parquet", "is not listed in the manifest: no query reads it")
    yield doctor._line(part)
    for left in ([], [stray], [stray] * 2, [part], [part, stray], [part] * 12):
        yield from (doctor._closing(left, repair=False), doctor._closing(left, repair=True))


def _of_page() -> Iterator[str]:
    system = {"system": "SYSA", "volumes": 1, "interval_s": 900.0, "missing_intervals": 0}
    at = dt.datetime(2025, 11, 18)
    system |= {"local_start": at, "local_end": at + dt.timedelta(days=1), "least_offset_s": None, "most_offset_s": None}
    east = system | {"least_offset_s": 3600, "most_offset_s": 7200, "missing_intervals": 12, "volumes": 1200}
    for systems in ([], [system], [east], [system, east | {"system": "SYSB"}], [east] * 12):
        yield from (quality._basis(systems, "", utc) for utc in (False, True))
    yield quality._basis([system], "LCU 0011", utc=False)
    for counts in ({}, {"data_loss": 1}, {"data_loss": 12, "error": 1, "warning": 1200}):
        yield quality._issues(counts)
    for n in COUNTS:
        rows = [{"verdict": "add", "cause": "LCU 0011 on SYSA", "why": "", "kind": "volume"}] * n
        yield aliases._counted([*rows, *[{"verdict": "enough", "cause": None, "kind": kind} for kind in KINDS * n]])


def _of_charts() -> Iterator[str]:
    for chart in charts():
        yield from (f"{chart.name}: {chart.about}", f"    {chart.missing}")
    for table in tables():
        yield from (f"{table.name}: {table.title}. {table.about}", f"    {table.missing}")


PARTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "numbers": _of_numbers,
    "what to expect": _of_effects,
    "ingest": _of_ingest,
    "trend": _of_trends,
    "compare": _of_changes,
    "simulate": _of_simulate,
    "doctor": _of_doctor,
    "page": _of_page,
    "charts and tables": _of_charts,
    "rules": _of_rules,
}


@cache
def _lines() -> list[str]:
    return [line for name, part in PARTS.items() for line in (f"== {name}", *dict.fromkeys(part()), "")]


def test_every_rule_says_something() -> None:
    silent = {r.code for r in all_rules()} - {code for code, variants in _made() if variants[0][1]}
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


@pytest.mark.parametrize("rule", [r for r in all_rules() if not r.general], ids=lambda r: r.code)
def test_a_share_that_is_not_0_does_not_read_as_0(rule: Rule) -> None:
    for rows in _rows().get(rule.code, []):
        small = [{n: v * 1e-3 if v and n.endswith("_ratio") else v for n, v in row.items()} for row in rows]
        for row, finding in ((small, f) for f in _found(rule, small)):
            assert not re.search(r"(?<![\d.,])0(\.0+)? %", finding.text) or 0 in row[0].values(), finding.text


def test_a_finding_names_the_columns_of_its_query() -> None:
    assert _of_all()
    for code, f in _of_all():
        assert "SELECT *" not in f.sql, f"{code}: {f.sql}"


def test_a_finding_has_no_code_of_a_rule() -> None:
    codes = re.compile(rf"\b({'|'.join(r.code for r in all_rules())})\b")
    spoken = [(f"{f.whole_text}. {f.advice}", f.effect and f.effect.basis) for _, f in _of_all()]
    assert not [words for each in spoken for words in each if words and codes.search(words)]


def test_numbers_of_a_finding_have_their_unit_behind_them() -> None:
    numbers = (
        Number("NVS", 2**31, "bytes"),
        Number("writes", 1234, "I/Os"),
        Number("holder", "SYSB"),
        Number("gone", None),
    )
    rule = next(r for r in all_rules() if r.code == "nvs_delay")
    made = _found(rule, _rows()["nvs_delay"][0])[0]
    text = as_text([replace(made, numbers=numbers)])
    assert "Numbers: NVS 2.0 GiB; writes 1,234 I/Os; holder SYSB\n" in text


def _planted() -> list[tuple[str, str]]:
    """Rule and headline of each finding of the planted days."""
    return [(code, text) for text, code in _HEADLINE.findall(FINDINGS.read_text("utf-8"))]


def _sentences(f: Finding) -> Iterator[str]:
    effect = (change(f.effect), f.effect.basis) if f.effect else ()
    for text in (f.details, f.advice, *effect):
        yield from _split(text)


def _split(text: str) -> Iterator[str]:
    yield from re.split(r"\. (?=[A-Z0-9])", text)


def test_a_headline_has_at_most_20_words() -> None:
    headlines = [(code, f.text) for code, f in _of_all()] + _planted()
    assert {code: text for code, text in headlines if len(text.split()) > 20} == {}


def test_a_sentence_has_at_most_25_words() -> None:
    each = [(code, sentence) for code, f in _of_all() for sentence in _sentences(f)]
    assert {code: sentence for code, sentence in each if len(sentence.split()) > 25} == {}


def test_advice_begins_with_what_to_do() -> None:
    """The short form shows this sentence alone."""
    first = [(code, next(_split(f.advice))) for code, f in _of_all()]
    assert {code: sentence for code, sentence in first if _NO_ACTION.search(sentence)} == {}


def test_half_of_the_headlines_have_at_most_14_words() -> None:
    assert median(len(text.split()) for _, text in _planted()) <= 14


def test_symptoms_of_one_dry_pool_are_one_line() -> None:
    keys = "aliases_now aliases_needed aliases_needed_high peak queue_length_peak wait_share_percent refusals_per_io"
    keys += " aliases_likely high_water high_water_per_base response_ms predicted_ms predicted_low_ms predicted_high_ms"
    made = dict.fromkeys(keys.split()) | {"verdict": "add", "why": "alias_pool_dry", "cause": None}
    pool = made | {"kind": "lcu", "subject": "LCU 0011 on SYSA", "aliases_needed": 10, "aliases_likely": 28}
    waits = made | {"kind": "volume", "cause": "LCU 0011 on SYSA"}
    waiting = [waits | {"subject": f"BAT{n:03} on SYSA"} for n in range(8)]
    enough = [made | {"kind": kind, "subject": kind, "verdict": "enough"} for kind in ("volume", "lcu", "lcu")]
    lines = as_table([pool, *waiting, *enough]).split("\n")
    assert [line for line in lines if "BAT" in line] == [
        "LCU 0011 on SYSA explains the wait of 8 volumes (alias_pool_dry): BAT000 on SYSA, BAT001 on SYSA, "
        "BAT002 on SYSA, BAT003 on SYSA, BAT004 on SYSA, BAT005 on SYSA and 2 more"
    ]
    assert any("10 or more, 28 likely" in line for line in lines)
    assert lines[-1] == "enough: 2 LCUs and 1 volume"
