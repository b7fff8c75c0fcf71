"""Every rule documents itself, and the page of rules says what they say."""

import datetime as dt
import re
from dataclasses import replace
from importlib.resources import files

import duckdb
import pytest
from advise_rows import database
from hypothesis import given
from hypothesis import strategies as st

import iosq
from iosq.toolkit.advise.catalog import _header, all_rules
from iosq.toolkit.advise.docs import markdown
from iosq.toolkit.advise.finding import Effect, Finding, Hour, Rule
from iosq.toolkit.advise.outcome import each_subject
from iosq.toolkit.advise.subject import Subject, volume
from iosq.toolkit.advise.table import table
from iosq.toolkit.advise.templates import rendered, wanted
from iosq.toolkit.advise.text import as_text
from iosq.toolkit.advise.window import a_day, period, spoken
from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.sql.questions import ask


@pytest.mark.parametrize("rule", all_rules(), ids=lambda r: r.code)
def test_a_rule_says_what_it_finds_and_when_it_is_wrong(rule: Rule) -> None:
    for text in (rule.matters, rule.evidence, rule.wrong_when, rule.do):
        assert len(text) > 20
        assert text.endswith(".")
    for threshold in rule.thresholds.values():
        assert threshold.era
        assert threshold.source
    assert rule.limits({"unheard_of": 1.0}) == {n: t.value for n, t in rule.thresholds.items()}


def test_the_page_of_rules_holds_every_rule_and_threshold() -> None:
    page = markdown()
    for rule in all_rules():
        assert f"## {rule.code}" in page
        for text in (rule.question.title, rule.matters, rule.evidence, rule.wrong_when, rule.do):
            assert text in page
        for name, threshold in rule.thresholds.items():
            assert f"| `{name}` | {threshold.value:g} {threshold.unit} |" in page


@pytest.mark.parametrize(
    "start, end, words",
    [
        ("2026-03-02T01:00", "2026-03-02T04:30", "01:00-04:30 on 2026-03-02"),
        ("2026-03-02T22:00", "2026-03-03T00:00", "22:00-24:00 on 2026-03-02"),
        ("2026-03-02T22:00", "2026-03-03T01:00", "2026-03-02 22:00 to 2026-03-03 01:00"),
        ("2026-03-02T00:00:00.31", "2026-03-02T00:59:59.9", "00:00-01:00 on 2026-03-02"),
    ],
)
def test_a_window_in_words(start: str, end: str, words: str) -> None:
    assert spoken(dt.datetime.fromisoformat(start), dt.datetime.fromisoformat(end)) == words


@given(st.integers(0, 2**41), st.integers(1, 10_000))
def test_a_window_always_names_its_first_day(minute: int, length: int) -> None:
    start = dt.datetime(1970, 1, 1) + dt.timedelta(minutes=minute % 30_000_000)
    assert f"{start:%Y-%m-%d}" in spoken(start, start + dt.timedelta(minutes=length))


def test_a_rule_is_described_next_to_a_view_of_its_name() -> None:
    alone, both = iosq.describe("Slow_Path"), iosq.describe("nvs_delay")
    assert (alone.kind, alone.title) == ("rule", "The path to a control unit is slow")
    assert (both.kind, both.name) == ("view", "nvs_delay")
    for found in (alone, both):
        stated = [part.partition(": ")[2] for part in found.text.split("\n\n")]
        assert all(text in markdown() for text in stated[:5])
        assert not {"**", "##", "|---", "FROM"} & set(re.findall(r"\*\*|##|\|---|FROM", found.text))
        assert "FROM" in found.sql
    with pytest.raises(RequestError):
        iosq.describe("slow_paths")


def test_a_window_without_an_end_is_reported_by_its_start() -> None:
    """A listing with a damaged line may lack the length of its interval."""
    start = dt.datetime(2026, 3, 2, 1, 30)
    assert spoken(start, None) == "from 01:30 on 2026-03-02"
    row = {"window_start": start, "window_end": None, "last_end": None, "runs": 2}
    assert period(row) == "2 times, worst from 01:30 on 2026-03-02"
    assert period(row | {"every_h": 6.0}) == "every 6 hours, 2 times, worst from 01:30 on 2026-03-02"
    assert period(row | {"every_h": 1.0}) == "every hour, 2 times, worst from 01:30 on 2026-03-02"
    assert a_day(10.0, None) == 10.0


@pytest.mark.parametrize(
    ("every_h", "runs", "days", "text"),
    [
        (24.0, 14, 14, "every day 22:00-24:00 from 2026-03-02 to 2026-03-15"),
        (24.0, 10, 12, "most days 22:00-24:00 from 2026-03-02 to 2026-03-13"),
        (24.0, 6, 32, "6 times at 22:00-24:00 from 2026-03-02 to 2026-04-02"),
        (168.0, 2, 8, "on Mondays 22:00-24:00, 2 times"),
        (None, 2, 8, "2 times, worst 22:00-24:00 on 2026-03-02"),
    ],
)
def test_times_that_repeat_by_day_or_week_are_named(every_h: float | None, runs: int, days: int, text: str) -> None:
    start, long = dt.datetime(2026, 3, 2, 22), dt.timedelta(hours=2)
    row = {"window_start": start, "window_end": start + long, "first_start": start, "every_h": every_h, "runs": runs}
    assert period(row | {"last_end": start + dt.timedelta(days=days - 1) + long}) == text


def test_hours_with_equal_numbers_are_one_entry() -> None:
    starts = [dt.datetime(2026, 3, 2, hour) for hour in range(6, 12)]
    needs = {6: 2}
    hours = tuple(
        Hour(at, at + dt.timedelta(minutes=5), 3 - (at.hour % 6) / 10, 1.0, n, n)
        for at in starts for n in [needs.get(at.hour, 1)]
    )  # fmt: skip
    found = Finding("act", Subject("volume", ("V",), ("S",)), "It waits", "Move it", (), "SELECT 1", 60.0, hours=hours)
    equal = "07:00-12:00 up to 2.9 queued, needs 1 alias in total"
    assert f"By hour: 06:00-06:05 3.0 queued, needs 2 aliases in total; {equal}" in " ".join(as_text([found]).split())


def _words_of_model(code: str) -> set[str]:
    """Words of a rule's model and of the modules next to it: the columns that it adds are among them."""
    advise = files("iosq.toolkit.advise")
    model = advise.joinpath("rules", code, "model.py")
    texts = [model, *(f for f in advise.iterdir() if f.name.endswith(".py"))] if model.is_file() else []
    return set(re.findall(r"\w+", " ".join(text.read_text("utf-8") for text in texts)))


@pytest.mark.parametrize("rule", [r for r in all_rules() if r.asked is not r.question], ids=lambda r: r.code)
def test_a_decision_table_names_columns_of_its_query(rule: Rule) -> None:
    made = table(_header(rule.code), rule.code)
    limits, questions = rule.limits(None), (rule.asked, *rule.questions.values())
    with database(asks=rule.sql) as con:
        answers = [ask(con, q, **{name: limits[name] for name in q.asked_with}) for q in questions]
    columns = {name for answer in answers for name in answer.column_names}
    given_too = {"limits", "period", "subject", "rests_on", "members", *_words_of_model(rule.code)}
    given_too |= {f"{name}{end}" for name in made.group.get("names", {}) for end in ("", "_count")}
    given_too |= {f"{name}_on" for name in made.group.get("pairs", {})}
    for o in made.outcomes:
        e = o.entries
        small = [
            e["severity"],
            e.get("confidence", ""),
            e["subject"].get("words", ""),
            *(e["effect"].get(k, "") for k in ("what", "basis")),
        ]
        texts = [*o.texts.values(), *o.phrases.values(), *small, *(name for name, _, _ in e["numbers"])]
        texts += [f"{{{{ {e['if']} }}}}"] if "if" in e else []
        used = set().union(*(wanted(text, o.place) for text in texts)) | {column for _, column, _ in e["numbers"]}
        used |= {e["effect"][end] for end in ("now", "value", "low", "high") if end in e["effect"]} | {e["lost_s"]}
        for entry in (e["subject"], *e.get("covers", ()), *e.get("about", ())):
            names = entry.get("names", [])
            used |= {entry["systems"]} if "systems" in entry else set()
            used |= {names} if isinstance(names, str) else set(names)
        used |= o.named("predicted") | {column for key, column in e.get("aliases", {}).items() if key != "verdict"}
        assert used <= columns | o.phrases.keys() | given_too, o.place


@pytest.mark.parametrize(
    "change, what",
    [
        ({"text": "{{ volume | fixd }"}, "outcome 1: syntax error"),
        ({"advise": "Look"}, "uses in no text advise"),
        ({"severity": None}, "outcome 1: lacks severity"),
    ],
)
def test_a_wrong_decision_table_is_refused_with_its_place(change: dict[str, str | None], what: str) -> None:
    finding = {"severity": "note", "subject": {"kind": "all"}, "text": "It is so", "advice": "Do it", "sql": "SELECT 1"}
    header = {"finding": {k: v for k, v in {**finding, **change}.items() if v is not None}}
    with pytest.raises(LakeError, match=f"slow/rule.toml.*{what}"):
        table(header, "slow")


@pytest.mark.parametrize("count, words", [(1, "A0"), (4, "A0, A1, A2, A3"), (5, "A0, A1, A2, A3 and 1 more")])
def test_the_first_names_are_written_out_and_the_rest_is_counted(count: int, words: str) -> None:
    row = {"lcus": "|".join(f"A{n}" for n in range(count))}
    assert rendered("{{ lcus | first_names(4) }}", row, "here") == words


def test_a_value_stands_around_those_that_it_uses_and_none_in_a_circle() -> None:
    finding = {"severity": "note", "subject": {"kind": "all"}, "text": "It is so", "advice": "Do it", "sql": "SELECT 1"}
    made = table({"finding": finding, "values": {"twice": "2 * more", "more": "x + 1"}}, "slow")
    asked = made.asked(replace(all_rules()[0].question, sql="SELECT 1 AS x", parameters=()), {})
    assert duckdb.sql(asked.sql).fetchone() == (1, 2, 4, 0, 0.0)
    round_trip = table({"finding": finding, "values": {"one": "other", "other": "one"}}, "slow")
    with pytest.raises(LakeError, match="values use each other: one, other"):
        round_trip.asked(replace(all_rules()[0].question, sql="SELECT 1 AS x", parameters=()), {})


def test_a_limit_of_a_condition_is_a_threshold_of_the_rule() -> None:
    finding = {"severity": "note", "subject": {"kind": "all"}, "text": "It is so", "advice": "Do it", "sql": "SELECT 1"}
    made = table({"finding": finding | {"when": "x > $nothing"}}, "slow")
    with pytest.raises(LakeError, match=r"slow/rule\.toml: has no threshold nothing"):
        made.asked(replace(all_rules()[0].question, sql="SELECT 1 AS x", parameters=()), {})


def test_a_group_is_its_first_row_with_sums_names_and_the_system_of_each() -> None:
    group = {"by": ["box"], "sums": ["lost"], "names": {"all": "volume"}, "pairs": {"volume": "system"}}
    finding = {"severity": "note", "subject": {"kind": "volumes", "names": "all"}, "sql": "SELECT 1", "lost_s": "lost"}
    finding |= {"text": "{{ all | names }} ({{ members }})", "advice": "{{ volume }} on {{ volume_on }}"}
    made = table({"finding": finding, "group": group}, "slow")
    rows = [{"box": "B", "volume": v, "system": s, "lost": 1.0, "outcome": 0} for v, s in (("V2", "S1"), ("V1", "S2"))]
    (found,) = made.judge([*rows, {**rows[0], "box": "C", "outcome": None}], {})
    assert (found.text, found.advice, found.lost_s) == ("V1 and V2 (2)", "V2|V1 on S1|S2", 2.0)
    (unknown,) = made.judge([rows[0], {**rows[1], "lost": None}], {})
    assert unknown.lost_s == 0.0


BARE = {"severity": "note", "subject": {"kind": "all"}, "text": "It is so", "advice": "Do it", "sql": "SELECT 1"}


def test_the_first_outcome_whose_condition_on_the_model_holds_is_found() -> None:
    outcomes = [{"if": "x > limits.most", "severity": "act"}, {"if": "x > 0 and not off", "advice": "Wait"}]
    made = table({"finding": BARE | {"lost_s": "x"}, "outcome": outcomes}, "slow")
    rows = [{"x": x, "off": off, "outcome": 0} for x, off in ((9.0, True), (1.0, False), (1.0, True))]
    assert [(f.severity, f.advice) for f in made.judge(rows, {"most": 5.0})] == [("act", "Do it"), ("note", "Wait")]
    with pytest.raises(LakeError, match=r"slow/rule\.toml: mixes if and when"):
        table({"finding": BARE, "outcome": [*outcomes, {"when": "x > 1"}]}, "slow")


def test_an_outcome_takes_the_effect_of_the_model_or_none() -> None:
    effect = Effect("response", "ms", 2.0, 1.0, 0.5, 1.5, "a model")
    finding = BARE | {"lost_s": "x"}
    made = table({"finding": finding, "outcome": [{"if": "x > 1"}, {"if": "true", "predicted": ["effect"]}]}, "slow")
    rows = [{"x": x, "effect": effect, "outcome": 0} for x in (2.0, 1.0)]
    assert [f.effect for f in made.judge(rows, {})] == [None, effect]


def test_names_that_hold_the_mark_between_names_explain_nothing_away() -> None:
    entry = {"kind": "volume", "names": "waiting", "systems": "on"}

    def made(waiting: str | None, on: str | None) -> list[Subject]:
        return list(each_subject(entry, {"waiting": waiting, "on": on}))

    assert made("A|B", "S1|S2") == [volume("A", "S1"), volume("B", "S2")]
    assert made("A|=cmd|' /C", "S1|S2") == made(None, None) == []


def test_a_part_of_a_day_is_no_day() -> None:
    assert a_day(900.0, 0.5) == a_day(900.0, 1.0) == a_day(900.0, None) == 900.0
    assert a_day(900.0, 2.0) == 450.0
