"""Header words of XML: each stands for its column however it is written, and no value is lost or moved silently."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
import rmf_support as support
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.rmf import knowledge
from iosq.parsers.rmfxml import headers
from tests.length import tried

NAMES = ("device", "cache", "ioq", "chan", "monitor3", "monitor3-cache")
FILES = {name: (support.GOLDEN / f"xml-{name}.xml").read_text("utf-8") for name in NAMES}
WHOLE = {name: support.read(text.encode()) for name, text in FILES.items()}
HEADER = re.compile(r'<col type="[A-Z]">(.*?)</col>')
NAME = re.compile(r"<var><name>(.*?)</name>")
VALUE = "rmf_xml_value"
TIMES = ("interval_start", "interval_s")

Change = Callable[[random.Random, str], str]


def case(rng: random.Random, text: str) -> str:
    return "".join(rng.choice((c.upper(), c.lower())) for c in text)


def order(rng: random.Random, text: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+|%", text)
    return " ".join(rng.sample(words, len(words)))


def blanks(rng: random.Random, text: str) -> str:
    return "".join(c * rng.randint(1, 4) if c == " " else c for c in f" {text} ")


def signs(rng: random.Random, text: str) -> str:
    return re.sub(r"[ ().:/-]+", lambda _: rng.choice((" ", ": ", " - ", "/", " (")), text)


def repeated_word(rng: random.Random, text: str) -> str:
    word = rng.choice(text.split())
    return text.replace(word, f"{word} {word}", 1)


def missing_word(rng: random.Random, text: str) -> str:
    words = text.split()
    words.pop(rng.randrange(len(words)))
    return " ".join(words)


SAME: dict[str, Change] = {f.__name__: f for f in (case, order, blanks, signs, repeated_word)}


def changed(text: str, pattern: re.Pattern[str], rng: random.Random, change: Change, most: int = 1 << 20) -> str:
    """The document with up to `most` of the pattern's names changed."""
    found = list(pattern.finditer(text))
    for match in sorted(rng.sample(found, min(most, len(found))), key=lambda m: -m.start()):
        text = text[: match.start(1)] + change(rng, match.group(1)) + text[match.end(1) :]
    return text


def values(result: support.Result) -> dict[tuple[str, int], dict[str, Any]]:
    """The rows of the tables by table and line."""
    return {(t, r["line"]): r for t, rows in result.rows.items() if t != VALUE for r in rows}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", SAME)
@settings(max_examples=tried(4, 60), deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_case_order_blanks_signs_and_repeated_words_change_nothing(name: str, change: str, seed: int) -> None:
    rng = random.Random(seed)
    text = changed(changed(FILES[name], HEADER, rng, SAME[change]), NAME, rng, SAME[change])
    result = support.read(text.encode())
    assert values(result) == values(WHOLE[name])
    assert result.codes() == WHOLE[name].codes()


def missing_header(rng: random.Random, text: str) -> str:
    match = rng.choice(list(HEADER.finditer(text)))
    return text[: match.start()] + text[match.end() :]


def repeated_header(rng: random.Random, text: str) -> str:
    match = rng.choice(list(HEADER.finditer(text)))
    return text[: match.end()] + match.group() + text[match.end() :]


def header_of_another(rng: random.Random, text: str) -> str:
    one, other = rng.sample(list(HEADER.finditer(text)), 2)
    return text[: one.start()] + other.group() + text[one.end() :]


def fewer_words(rng: random.Random, text: str) -> str:
    return changed(text, rng.choice((HEADER, NAME)), rng, missing_word, rng.randint(1, 3))


def strange_words(rng: random.Random, text: str) -> str:
    return changed(
        text, rng.choice((HEADER, NAME)), rng, lambda _, sentence: f"{sentence} Moonlight", rng.randint(1, 5)
    )


def strange_header(rng: random.Random, text: str) -> str:
    match = rng.choice(list(HEADER.finditer(text)))
    return text[: match.start()] + '<col type="N">Moonlight</col>' + text[match.start() :]


LOSING = {f.__name__: f for f in (missing_header, repeated_header, fewer_words, strange_words, strange_header)}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", LOSING)
@settings(max_examples=tried(15, 300), deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_no_value_moves_or_is_lost_without_an_issue(name: str, change: str, seed: int) -> None:
    text = LOSING[change](random.Random(seed), FILES[name])
    result = support.read(text.encode())
    found, lost, other_time = values(result), False, False
    kept = {(row["line"], row["value"]) for row in result.rows.get(VALUE, [])}
    for place, whole in values(WHOLE[name]).items():
        row = found.get(place, {})
        for column, value in whole.items():
            if column in TIMES:  # those of the report stand in for the cache gatherer's own
                other_time |= row.get(column, value) != value
                continue
            assert row.get(column) in (value, None), (column, value, row)
            lost |= row.get(column) is None and value is not None
    assert not found.keys() - values(WHOLE[name]).keys()
    assert not (lost or other_time) or result.codes() - {"local_time"}
    cells = re.findall(r"<col>(.+?)</col>", text)
    assert not lost or len(kept) > len({(r["line"], r["value"]) for r in WHOLE[name].rows.get(VALUE, [])}) or not cells


@pytest.mark.parametrize(
    ("changes", "table", "column"),
    [
        ({">Write Miss Rate<": ">Write Rate<", ">Write Rate<": ">Rate<"}, "rmf_cache_overview", "write_rate"),
        ({">Write Rate<": ">Rate<", ">Fast Write Rate<": ">Write Rate<"}, "rmf_cache_overview", "write_rate"),
        ({">Subsystem ID<": ">Subsystem<", "<name>Subsystem<": "<name><"}, "rmf_cache_status", "model"),
    ],
)
def test_a_name_that_may_be_the_rest_of_another_gives_no_value(
    changes: dict[str, str], table: str, column: str
) -> None:
    text = re.sub("|".join(changes), lambda m: changes[m.group()], FILES["cache"])
    result = support.read(text.encode())
    assert {row[column] for row in result.rows[table]} == {None}
    assert any(i.code == "unread_column" and i.severity == "data_loss" for i in result.issues)
    assert all(row[column] is not None for row in WHOLE["cache"].rows[table])


def test_each_word_of_real_output_stands_for_its_own_column_and_is_in_some_file() -> None:
    for report in knowledge.reports():
        for section in report.sections:
            for field in section.fields:
                for word in field.xml:
                    place, _, name = word.rpartition(": ")
                    assert headers.columns([name], place, section.fields)[0] is field, (section.table.name, word)
                    assert any(f">{name}</" in text for text in FILES.values()), (section.table.name, word)


@pytest.mark.parametrize(
    ("name", "was", "now", "column"),
    [
        ("cache", "Active</value>", "Half Awake</value>", "nvs_status"),
        ("cache", "<col>Sequential</col>", "<col>Skewed</col>", "kind"),
        ("chan", "<col>Online</col>", "<col>Snoozing</col>", "status"),
        ("chan", "<col>Yes</col>", "<col>Perhaps</col>", "shared"),
        ("ioq", "<col>Online</col>", "<col>Snoozing</col>", "status"),
        ("device", "<col>Offline</col>", "<col>Snoozing</col>", "message"),
    ],
)
def test_a_word_not_known_is_an_issue(name: str, was: str, now: str, column: str) -> None:
    (issue,) = [i for i in support.read(FILES[name].replace(was, now, 1).encode()).issues if i.code == "unknown_word"]
    assert f" {column}: {now[now.find('>') + 1 : now.find('</')].upper()}" in issue.message.replace(" in ", " ")


@pytest.mark.parametrize(
    ("name", "was", "now"),
    [
        ("device", "<col>550.000</col>", "<col>660.000</col>"),
        ("cache", "<col>90000</col>", "<col>99000</col>"),
        ("cache", "<col>134.0</col>", "<col>150.0</col>"),
        ("ioq", "<col>550.000</col>", "<col>500.000</col>"),
        ("ioq", "<col>3601.542</col>", "<col>3901.542</col>"),
    ],
)
def test_a_total_that_its_rows_do_not_add_up_to_is_an_issue(name: str, was: str, now: str) -> None:
    assert FILES[name].count(was) == 1
    codes = support.read(FILES[name].replace(was, now).encode()).codes()
    assert codes & {"contradiction", "rows_missing"}


def test_a_path_below_no_control_unit_is_an_issue() -> None:
    text = FILES["ioq"].replace("<col>00B3</col>", "<col/>")
    result = support.read(text.encode())
    rows = [r for r in result.rows["rmf_ioq_lcu"] if r["lcu"] is None]
    assert len(rows) == 5 and {r["scope"] for r in rows} == {None}
    assert [i.severity for i in result.issues if i.code == "no_owner"] == ["data_loss"] * 5
