"""The check finds words in sentences and in names, and leaves other words and stable names."""

import pytest

from tests.words import check, goldens


@pytest.mark.parametrize("text", ["what it tells", "volumes_told_twice = 1", "UNTOLD", "boxes, of  which two"])
def test_a_banned_word_is_found_in_sentences_and_names(text: str) -> None:
    assert [line.split(":")[:2] for line in check.faults("a.py", f"fine\n{text}\n")] == [["a.py", "2"]]


@pytest.mark.parametrize("text", ["the smallest told", "a file beside it"])
def test_the_fault_says_what_to_write(text: str) -> None:
    assert ["; write: " in line for line in check.faults("a.md", text)] == [True]


@pytest.mark.parametrize("text", ["besides", "retold", "intelligent", "tellurium", "threshold"])
def test_other_words_pass(text: str) -> None:
    assert list(check.faults("a.py", text)) == []


def test_a_path_is_read_as_well() -> None:
    assert list(check.faults("toolkit/twins.py", ""))


def test_a_golden_text_may_change_in_words_but_not_in_numbers_or_codes() -> None:
    old = "pav_add_alias: as measured\n    Wait of 4.6 ms at the worst on 2025-11-18\n"
    assert list(goldens.differences("g.txt", old, old.replace("at the worst", "at most"))) == []
    assert list(goldens.differences("g.txt", old, old.replace("4.6", "4.7")))
    assert list(goldens.differences("g.txt", old, old.replace("pav_add_alias", "nvs_full")))
    assert list(goldens.differences("g.txt", old, old + "    More\n"))
