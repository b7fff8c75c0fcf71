"""What is wrapped comes out again: records with their RDW, any bytes through any nesting, members of archives."""

import bz2
import gzip
import itertools
import lzma
import tracemalloc
import zipfile

import packaging_writers as writers
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iosq.parsers.packaging import unpack
from iosq.parsers.packaging.compressed import OUTPUT_BYTES
from iosq.toolkit.errors import InputError

PAYLOAD = bytes(range(256)) * 3 + b"\x00\x0e\x00\x00 not a package"
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
RECORDS = st.lists(
    st.one_of(
        st.binary(max_size=300),
        st.builds(lambda size, byte: bytes((byte,)) * size, st.integers(0, 32760), st.integers(0, 255)),
    ),
    max_size=6,
)


def unpacked(tmp_path, data, **options):
    """All members of a file with this content: (layers, framed, data, issues)."""
    path = tmp_path / "input"
    path.write_bytes(data)
    return [(m.layers, m.framed, m.read(), m.issues) for m in unpack(path, **options)]


@given(records=RECORDS.filter(lambda records: records != [b""]), version=st.sampled_from([2, 5]))
@QUICK
def test_tersed_records_get_their_rdw(tmp_path, records, version):
    data = writers.terse_file(writers.record_codes(records), version=version)
    ((layers, framed, out, issues),) = unpacked(tmp_path, data)
    assert (layers, framed) == (("terse",), True)
    assert out == writers.rdw_stream(records)
    assert [issue.code for issue in issues] == ([] if records else ["package_empty"])


@given(records=RECORDS)
@QUICK
def test_transmitted_records_get_their_rdw(tmp_path, records):
    expected = (("xmit",), True, writers.rdw_stream(records), [])
    assert unpacked(tmp_path, writers.xmit_file(records)) == [expected]


NESTINGS = [kinds for depth in (1, 2, 3) for kinds in itertools.product(writers.WRAPPERS, repeat=depth)]


@pytest.mark.parametrize("kinds", NESTINGS, ids="-".join)
def test_any_nesting_up_to_three_comes_off(tmp_path, kinds):
    data = PAYLOAD
    for kind in reversed(kinds):
        data = writers.WRAPPERS[kind](data)
    ((layers, _, out, issues),) = unpacked(tmp_path, data)
    assert (layers, out, issues) == (kinds, PAYLOAD, [])


def test_four_layers_are_refused(tmp_path):
    data = PAYLOAD
    for kind in ("gzip", "terse", "xmit", "zip"):
        data = writers.WRAPPERS[kind](data)
    with pytest.raises(InputError, match="more than 3 deep"):
        unpacked(tmp_path, data)


def test_records_keep_their_rdw_through_outer_layers(tmp_path):
    records = [b"one", b"", b"three" * 400]
    tersed = writers.terse_file(writers.record_codes(records))
    blocks = [tersed[at : at + 2048] for at in range(0, len(tersed), 2048)]
    data = writers.zip_file({"dump.xmi": writers.xmit_file(blocks, recfm=0x9000, lrecl=1024)})
    (member,) = unpacked(tmp_path, data)
    assert member == (("zip", "xmit", "terse"), True, writers.rdw_stream(records), [])


@pytest.mark.parametrize(
    ("method", "seekable"),
    [
        (zipfile.ZIP_STORED, True),
        (zipfile.ZIP_DEFLATED, True),
        (zipfile.ZIP_DEFLATED, False),
        (zipfile.ZIP_BZIP2, True),
        (zipfile.ZIP_BZIP2, False),
    ],
)
def test_zip_gives_each_file_with_its_name(tmp_path, method, seekable):
    files = {"b/first.trs": PAYLOAD, "empty/": b"", "größe": b"", "third": b"x" * 100_000}
    path = tmp_path / "dump.zip"
    path.write_bytes(writers.zip_file(files, method, seekable=seekable))
    members = [(m.name, m.layers, m.read(), m.issues) for m in unpack(path)]
    assert members == [(f"{path}!{name}", ("zip",), data, []) for name, data in files.items() if not name.endswith("/")]


@pytest.mark.parametrize("more", [0, 22, 258])
def test_deflate_that_ends_on_a_full_output_buffer_is_whole(tmp_path, more):
    data = bytes(OUTPUT_BYTES + more)
    assert unpacked(tmp_path, writers.zip_file({"a": data})) == [(("zip",), False, data, [])]


def test_zip64_member_is_read(tmp_path):
    path = tmp_path / "dump.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a", "b"):
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(PAYLOAD)
    assert [(m.read(), m.issues) for m in unpack(path)] == [(PAYLOAD, [])] * 2


def test_segments_with_record_numbers_are_ignored(tmp_path):
    package = writers.xmit_file([b"first", b"second"])
    at = package.index(b"\x08\xc0second")
    numbered = package[:at] + b"\x06\xd0\0\0\0\2" + package[at:]
    assert unpacked(tmp_path, numbered)[0][2:] == (writers.rdw_stream([b"first", b"second"]), [])


def test_members_that_are_not_read_are_passed_over(tmp_path):
    path = tmp_path / "input"
    inner = writers.zip_file({"a": PAYLOAD, "b": PAYLOAD[::-1]})
    path.write_bytes(writers.gzip_file(writers.zip_file({"x": inner, "y": b"last"})))
    members = list(unpack(path))
    assert [m.name for m in members] == [f"{path}!x!a", f"{path}!x!b", f"{path}!y"]
    with pytest.raises(ValueError, match="before asking for the next"):
        members[0].read()


def test_message_of_a_transmission_is_skipped_and_the_data_set_named(tmp_path):
    path = tmp_path / "input"
    path.write_bytes(writers.xmit_file([b"data"], message=[b"hello", b"there"]))
    member = next(unpack(path))
    assert (member.name, member.read(), member.issues) == (f"{path}!USER.DUMP", writers.rdw_stream([b"data"]), [])


@pytest.mark.parametrize("record", [b"INMR01", bytes(7) + b"\1" + bytes(0x200 - 12), b"\xc9\xd5\xd4\xd9\xf0\xf1"])
def test_first_record_is_never_taken_for_a_package(tmp_path, record):
    assert unpacked(tmp_path, writers.xmit_file([record])) == [(("xmit",), True, writers.rdw_stream([record]), [])]


def test_undefined_blocks_are_joined_as_they_are(tmp_path):
    data = writers.xmit_file([b"block one", b"block two"], recfm=0xC000, lrecl=0)
    assert unpacked(tmp_path, data) == [(("xmit",), False, b"block oneblock two", [])]


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, writers.zstd_file])
def test_streams_behind_each_other_are_joined(tmp_path, compress):
    ((_, _, out, issues),) = unpacked(tmp_path, compress(b"one,") + compress(b"two"))
    assert (out, issues) == (b"one,two", [])


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_zero_padding_is_no_issue_but_other_bytes_are(tmp_path, compress):
    assert unpacked(tmp_path, compress(PAYLOAD) + bytes(1000))[0][2:] == (PAYLOAD, [])
    ((_, _, out, (issue,)),) = unpacked(tmp_path, compress(PAYLOAD) + bytes(70_000) + b"more")
    assert (out, issue.code) == (PAYLOAD, "package_trailing")


def test_plain_file_is_read_through_and_peeked(tmp_path):
    path = tmp_path / "input"
    data = PAYLOAD * 1000
    path.write_bytes(data)
    member = next(unpack(path))
    buffer = bytearray(len(data) + 10)
    assert member.peek(65536) == data[:65536]
    assert member.peek(10) == data[:10]
    assert member.read(7) == data[:7]
    assert member.readinto(buffer) == len(data) - 7
    assert buffer[: len(data) - 7] == data[7:]
    assert (member.read(1), member.read(), member.layers) == (b"", b"", ())


def test_empty_file_is_plain_and_empty(tmp_path):
    assert unpacked(tmp_path, b"") == [((), False, b"", [])]


def test_payload_is_not_searched_for_layers(tmp_path):
    data = writers.terse_file(writers.record_codes([b"data"]))
    assert unpacked(tmp_path, data, looks_like_payload=lambda head: head == data) == [((), False, data, [])]
    assert unpacked(tmp_path, writers.gzip_file(data), looks_like_payload=lambda head: head == data)[0][0] == ("gzip",)


BIG = 40_000_000
BIG_PACKAGES = {
    **{kind: lambda kind=kind: writers.WRAPPERS[kind](bytes(BIG)) for kind in ("gzip", "zip", "bzip2", "xz", "zstd")},
    "xmit": lambda: writers.xmit_file([bytes(20_000)] * (BIG // 20_000), recfm=0x9000, lrecl=1),
    "pack": lambda: writers.terse_file([256 + 2500] * (BIG // 2500), variable=False, lrecl=1),
    "spack": lambda: writers.terse_file([2, 2, *range(258, 274), *[273] * 20_000], version=5, variable=False, lrecl=1),
}


@pytest.mark.parametrize("kind", BIG_PACKAGES)
def test_memory_does_not_grow_with_the_file(tmp_path, kind):
    path = tmp_path / "input"
    path.write_bytes(BIG_PACKAGES[kind]())
    peak, total = peak_and_total_bytes(path)
    assert total >= BIG
    assert peak < BIG / 2


def peak_and_total_bytes(path):
    next(unpack(path)).read(1)
    tracemalloc.start()
    try:
        member, total = next(unpack(path)), 0
        while piece := member.read(50_000):
            total += len(piece)
        return tracemalloc.get_traced_memory()[1], total
    finally:
        tracemalloc.stop()
