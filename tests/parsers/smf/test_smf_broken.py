"""Every kind of damage: the issue it raises, where, and what of the dump is still read."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from smf_broken import FOLDER, KINDS
from smf_decoders import bare, block, read, spanned
from smf_dumps import data_sets, devices, marker, other
from smf_strategies import calm

from iosq.parsers.registry import recognise
from iosq.parsers.smf.reader import READER
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake

EXPECTED = {row["file"]: row for row in csv.DictReader((FOLDER / "expected.csv").read_text("utf-8").splitlines())}
REFUSED = {"rdw-stripped": "without record descriptor words", "ascii-translated": "translated to ASCII"}


def test_files_are_what_the_script_makes_and_all_are_expected():
    assert {p.stem: p.read_bytes() for p in FOLDER.glob("*.smf")} == {name: make() for name, make in KINDS.items()}
    assert EXPECTED.keys() | REFUSED.keys() == KINDS.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_damage_is_reported_with_its_place_and_the_rest_is_read(name):
    want = EXPECTED[name]
    data = (FOLDER / f"{name}.smf").read_bytes()
    result = read(data)
    balance = result.balance
    assert " ".join(f"{i.code}@{i.offset}" for i in result.issues) == want["issues"]
    counts = {k: int(want[k]) for k in ("read", "decoded", "skipped", "failed", "lost_bytes")}
    assert counts == {k: getattr(balance, k) for k in counts}
    assert recognise(data[: 1 << 16]) is READER


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_transfer_is_refused_with_the_remedy(name, tmp_path):
    (outcome,) = ingest(Lake(tmp_path / "lake"), [FOLDER / f"{name}.smf"])
    assert outcome.status == "refused"
    assert REFUSED[name] in outcome.reason
    assert "transfer again in binary, with SITE RDW" in outcome.reason
    assert f"{name}.smf" in outcome.reason
    assert "\n" not in outcome.reason


def test_issues_of_a_broken_dump_are_kept_in_the_lake(tmp_path):
    (outcome,) = ingest(Lake(tmp_path / "lake"), [FOLDER / "length-0.smf"])
    assert outcome.status == "stored"
    assert [(i.code, i.offset) for i in outcome.issues] == [("bad_length", 474)]
    assert outcome.balance.balanced


RECORDS = [marker(2), devices(1, 1), data_sets(1), other(2, 8), marker(3)]
SEGMENTS = [marker(2), *spanned(devices(1, 1), 90, 200), *spanned(data_sets(1), 300), marker(3)]
DUMPS = {
    "rdw": b"".join(RECORDS),
    "bdw": block(RECORDS[:2]) + block(RECORDS[2:]),
    "spanned": b"".join(SEGMENTS),
    "spanned in blocks": b"".join(block(SEGMENTS[i : i + 2]) for i in range(0, len(SEGMENTS), 2)),
}
TINY = b"".join([marker(2), devices(0, 0), marker(3)])


@pytest.mark.parametrize("form", DUMPS)
@calm(40)
@given(data=st.data())
def test_flipped_bytes_keep_the_balance(form, data):
    dump = bytearray(DUMPS[form])
    for at in data.draw(st.lists(st.integers(0, len(dump) - 1), min_size=1, max_size=3)):
        dump[at] ^= data.draw(st.integers(1, 255))
    read(bytes(dump))


@pytest.mark.parametrize("form", DUMPS)
def test_every_cut_keeps_the_balance_and_is_reported(form):
    whole, ends = DUMPS[form], complete_ends(form)
    for cut in range(1, len(whole), 5):
        result = read(whole[:cut])
        assert bool(result.codes) == (cut not in ends), cut
        assert set(result.codes) <= {"truncated", "open_segment", "trailing_zeros"}, cut


def complete_ends(form: str) -> set[int]:
    """Lengths at which a dump may end without anything missing."""
    records = RECORDS if "spanned" not in form else SEGMENTS
    step = {"rdw": 1, "spanned": 1, "bdw": 99, "spanned in blocks": 2}[form]
    groups = (
        [RECORDS[:2], RECORDS[2:]] if form == "bdw" else [records[i : i + step] for i in range(0, len(records), step)]
    )
    ends, at = set(), 0
    for group in groups:
        at += sum(map(len, group)) + (0 if step == 1 else 4)
        if group[-1][2] in (0, 2):
            ends.add(at)
    return ends


def test_every_flip_of_a_tiny_dump_keeps_the_balance():
    for at in range(len(TINY)):
        for bits in (0x01, 0x80, 0xFF):
            read(TINY[:at] + bytes((TINY[at] ^ bits,)) + TINY[at + 1 :])


@calm(40)
@given(st.binary(max_size=300), st.sampled_from(["rdw", "bdw"]), st.integers(0, 40))
def test_any_bytes_between_records_keep_the_balance(noise, form, zeros):
    noise += bytes(zeros)
    result = read(DUMPS[form] + noise + DUMPS[form])
    rows = bare(result.rows)
    if form == "rdw" and not noise:
        assert not result.issues or result.codes == ["duplicate_record"]
    assert rows["smf74_1_device_data"][0]["SMF74SSC"] == 1000


@pytest.mark.parametrize("junk", [bytes(3000), b"\0\x40\0\0" * 900, bytes(range(256)) * 12, b"\x01" * 3000])
@pytest.mark.parametrize("form", ["rdw", "bdw"])
def test_reading_goes_on_behind_long_damage(junk, form):
    dump = DUMPS[form]
    result = read(dump + junk + dump[: len(dump)])
    assert result.balance.lost_bytes == len(junk)
    assert result.balance.read == 2 * len(RECORDS)


def test_a_wrong_date_in_front_of_a_block_costs_one_record():
    wrong = bytearray(devices(1, 1))
    wrong[10] = 0xA1
    result = read(block([marker(2)]) + block([bytes(wrong), devices(2, 1)]) + block([marker(3)]))
    assert result.codes == ["bad_header_date"]
    assert [r["SMF74SSC"] for r in result.rows["smf74_1_device_data"]] == [2000]


def test_a_wrong_date_in_a_spanned_record_fails_it():
    wrong = bytearray(devices(1, 1))
    wrong[10] = 0xA1
    result = read(b"".join([marker(2), *spanned(bytes(wrong), 200), marker(3)]))
    assert set(result.codes) == {"bad_header_date"}
    assert result.balance.failed == 1


def test_sections_cannot_lie_in_the_header(decode):
    record = devices(1, 1)
    assert decode(record[:44] + (16).to_bytes(4, "big") + record[48:]) == "triplet_outside"
