"""RDW, BDW, spanned records, padding, any way of being read: the same records, and every byte accounted for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from smf_decoders import Dump, ReadOnly, bare, block, read, spanned
from smf_dumps import devices, marker, other
from smf_strategies import calm

from iosq.parsers.smf.sniff import framing, strict_framing
from iosq.parsers.smf.sources import block_length

RECORDS = [marker(2), devices(1, 3), other(2, 40), devices(3, 0), other(4, 700), devices(5, 9), marker(3)]
PLAIN = b"".join(RECORDS)
EXPECTED = read(PLAIN)


def blocked(records: list[bytes], wide: bool = False) -> bytes:
    return b"".join(block(records[i : i + 2], wide) for i in range(0, len(records), 2))


def segments(records: list[bytes], *sizes: int) -> list[bytes]:
    """All records long enough as three segments."""
    return [s for r in records for s in (spanned(r, *sizes) if len(r) > 4 + sum(sizes) else [r])]


FORMS = {
    "rdw": PLAIN,
    "bdw": blocked(RECORDS),
    "bdw31": blocked(RECORDS, wide=True),
    "spanned": b"".join(segments(RECORDS, 21, 30)),
    "spanned in blocks": blocked(segments(RECORDS, 21, 30)),
    "one segment per block": b"".join(block([s]) for s in segments(RECORDS, 40)),
}
BLOCKS = {"rdw": 0, "bdw": 4, "bdw31": 4, "spanned": 0, "spanned in blocks": 9, "one segment per block": 12}


def numbers(data: bytes, **options: object) -> list[int]:
    result = read(data, **options)
    assert not result.issues
    return [row["SMF74SSC"] for row in result.rows["smf74_1_device_data"]]


def test_the_plain_dump_is_what_the_others_are_held_against():
    assert not EXPECTED.issues
    assert {k: (v.read, v.decoded, v.skipped, v.failed) for k, v in EXPECTED.balance.kinds.items()} == {
        "2": (1, 0, 1, 0),
        "3": (1, 0, 1, 0),
        "99": (2, 0, 2, 0),
        "74.1": (3, 3, 0, 0),
    }
    assert [r["SMF74SSC"] for r in EXPECTED.rows["smf74_1_device_data"]] == [
        *(1000, 1001, 1002),
        *(5000 + i for i in range(9)),
    ]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_rows(form):
    result = read(FORMS[form])
    assert not result.issues
    assert bare(result.rows) == bare(EXPECTED.rows)
    assert result.balance.read == len(RECORDS)
    assert result.balance.frame_bytes == BLOCKS[form] * 4


@pytest.mark.parametrize("form", FORMS)
def test_framing_is_recognised(form):
    assert framing(FORMS[form]) == ("rdw" if form in ("rdw", "spanned") else "bdw")


def test_one_record_before_noise_is_no_framing_yet():
    assert strict_framing(devices(1, 3) + devices(2, 3) + b"\xff" * 60) == "rdw"
    assert strict_framing(devices(1, 3) + b"\xff" * 60) == ""


@pytest.mark.parametrize("form", FORMS)
@calm(8)
@given(most=st.integers(1, 400), chunk=st.integers(1, 1 << 17))
def test_short_reads_and_small_chunks_change_nothing(form, most, chunk):
    data = FORMS[form]
    assert numbers(data, stream=Dump(data, most), chunk=chunk) == numbers(PLAIN)


def test_a_stream_without_readinto():
    assert numbers(PLAIN, stream=ReadOnly(PLAIN)) == numbers(PLAIN)


@pytest.fixture(scope="module")
def long_dump() -> list[bytes]:
    """More than a buffer holds, whatever the chunk size: records straddle every border."""
    return [r for i in range(60) for r in (devices(i, i % 7), other(100 + i, 3000 + 97 * i))]


@pytest.mark.parametrize("chunk", [1, 150_000, 1 << 20])
@pytest.mark.parametrize("form", ["rdw", "bdw", "spanned in blocks"])
def test_records_straddle_chunks(long_dump, form, chunk):
    forms = {"rdw": b"".join, "bdw": blocked, "spanned in blocks": lambda r: blocked(segments(r, 1000, 1000))}
    data = forms[form](long_dump)
    result = read(data, chunk=chunk)
    assert not result.issues
    assert result.balance.read == len(long_dump)
    assert [r["SMF74TME"] for r in sorted(result.rows["smf74_1_record"], key=lambda r: r["SMF74TME"])] == list(
        range(60)
    )
    for row in result.rows["smf74_1_record"]:
        at = row["record_offset"]
        assert (data[at + 5], int.from_bytes(data[at + 6 : at + 10], "big")) == (74, row["SMF74TME"])


def test_damage_at_any_border_of_chunks_is_counted_once(long_dump):
    """Zeros before a record that a chunk can't hold to its end: no record before them is read again."""
    for i in range(60, 100):  # the first chunk's border is among these
        data = b"".join([*long_dump[:i], bytes(50), *long_dump[i:]])
        result = read(data, chunk=1)
        assert (result.balance.balanced, result.balance.lost_bytes) == (True, 50)
        assert (result.balance.read, len(result.issues)) == (len(long_dump), 1)


@pytest.mark.parametrize("form", ["rdw", "bdw"])
@pytest.mark.parametrize("size", [1, 3, 17, 100, 5000])
def test_padding_zeros_are_a_notice(form, size):
    result = read(FORMS[form] + bytes(size))
    if form == "bdw" or size > 3:
        assert result.codes == ["trailing_zeros"]
    assert result.balance.lost_bytes == size
    assert bare(result.rows) == bare(EXPECTED.rows)


@pytest.mark.parametrize("sizes", [(15,), (200, 100), (14, 1, 1, 1)])
def test_segments_of_any_size(sizes):
    record = devices(5, 9)
    result = read(b"".join([marker(2), *spanned(record, *sizes), marker(3)]))
    assert not result.issues
    assert bare(result.rows) == bare(read(record).rows)
    assert result.balance.kinds["74.1"].bytes == len(record) + 4 * len(sizes)


@pytest.mark.parametrize(
    ("descriptor", "length"),
    [("7FF80000", 0x7FF8), ("80010000", 65536), ("FFFFFFFF", 0x7FFFFFFF), ("00080001", 0), ("0008", 0)],
)
def test_block_lengths(descriptor, length):
    assert block_length(bytes.fromhex(descriptor)) == length


def test_an_empty_dump_ends():
    result = read(b"")
    assert (result.rows, result.issues, result.balance.total_bytes) == ({}, [], 0)
