"""Listings of several forms in one file: what can't be read is reported, and nothing ends in an exception."""

import itertools

import pytest
import rmf_support as support

CACHE, ESS = ((support.GOLDEN / name).read_text() for name in ("cache.txt", "ess.txt"))


def fixed(text: str, code: str) -> bytes:
    return "".join(line.ljust(137) for line in text.splitlines()).encode(code)


def described(text: str) -> bytes:
    records = [line.encode("cp037") for line in text.splitlines()]
    return b"".join((len(r) + 4).to_bytes(2, "big") + b"\0\0" + r for r in records)


FORMS = {
    "ASCII": str.encode,
    "EBCDIC": lambda text: text.encode("cp037").replace(b"\x25", b"\x15"),
    "EBCDIC, fixed": lambda text: fixed(text, "cp037"),
    "ASCII, fixed": lambda text: fixed(text, "ascii"),
    "descriptor words": described,
}


@pytest.mark.parametrize(("first", "second"), [*itertools.permutations(FORMS, 2)])
def test_a_second_listing_of_another_form_is_reported(first: str, second: str) -> None:
    one, other = FORMS[first](CACHE), FORMS[second](ESS)
    for times in (1, 20):  # within what the form is found by, and beyond
        result = support.read(one * times + other)
        read = (
            len(result.rows.get("rmf_cache_device", [])) == 4 * times and len(result.rows.get("rmf_ess_link", [])) == 5
        )
        assert read or result.lost()


@pytest.mark.parametrize("form", FORMS)
def test_one_form_is_one(form: str) -> None:
    assert "other_form" not in support.read(FORMS[form](CACHE * 20)).codes()
    padded = "".join(line.ljust(1000) + "\n" for line in CACHE.splitlines())
    assert "other_form" not in support.read(padded.encode()).codes()


def test_the_line_is_named() -> None:
    result = support.read(CACHE.encode() * 2 + ESS.encode("cp037").replace(b"\x25", b"\x15"))
    (issue,) = [i for i in result.issues if i.code == "other_form"]
    assert (issue.severity, issue.offset) == ("data_loss", 2 * CACHE.count("\n") + 1)


def test_line_ends_in_fixed_records_part_no_record() -> None:
    data = fixed(CACHE * 20, "cp037")
    place = len(data) - 137 * 20
    changed = support.read(data[:place] + b"\x15" + data[place + 1 :])
    assert changed.rows == support.read(data).rows


@pytest.mark.parametrize("times", [5, 20])
@pytest.mark.parametrize("back", [False, True])
def test_a_listing_without_control_behind_one_with_it_keeps_its_first_characters(times: int, back: bool) -> None:
    control = (support.GOLDEN / "device.txt").read_text() * times
    result = support.read((control + ESS * 2 + control * back).encode())
    plain = support.read((ESS * 2).encode()).rows["rmf_ess_link"]
    assert [{**r, "line": 0} for r in result.rows["rmf_ess_link"]] == [{**r, "line": 0} for r in plain]
    assert len(result.rows["rmf_dasd_device"]) == len(support.read(control.encode()).rows["rmf_dasd_device"]) * (
        1 + back
    )
    assert not result.lost() or back
