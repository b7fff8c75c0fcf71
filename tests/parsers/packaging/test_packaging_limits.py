"""What is refused says so in one line: bombs, encryption, partitioned data sets, text mode, unknown wrappings."""

import bz2
import contextlib
import io
import tarfile
import tracemalloc
import zipfile

import packaging_writers as writers
import pytest

from iosq.parsers.packaging import unpack
from iosq.parsers.packaging.compressed import STEP_BYTES
from iosq.parsers.packaging.members import usual_limit
from iosq.toolkit.errors import InputError

DOUBLING = [2, 2, *range(258, 3000)]
"""SPACK codes that write 1, 1, 2, 3, 5 ... bytes: more than anyone can store."""


def read_all(tmp_path, data, **options):
    path = tmp_path / "input"
    path.write_bytes(data)
    return b"".join(member.read() for member in unpack(path, **options))


@pytest.mark.parametrize(
    "bomb",
    [
        writers.gzip_file(bytes(3_000_000)),
        writers.gzip_file(writers.gzip_file(bytes(3_000_000))),
        writers.zip_file({str(number): bytes(400_000) for number in range(4)}),
        writers.zstd_file(bytes(3_000_000)),
        writers.terse_file(DOUBLING, version=5, variable=False, lrecl=1),
        writers.terse_file([257, 257, *range(258, 3000)], version=5),
        writers.terse_file([257, 257, *range(258, 3000)], version=5, variable=False),
    ],
    ids=["gzip", "gzip twice", "zip in sum", "zstd", "doubling", "doubled marks", "doubled marks in fixed"],
)
def test_bomb_stops_at_the_limit(tmp_path, bomb):
    with pytest.raises(InputError, match=r"limit of 1000000 bytes.*--unpack-limit") as error:
        read_all(tmp_path, bomb, limit_bytes=1_000_000)
    assert str(tmp_path) in str(error.value)


def test_spack_bomb_of_one_long_record_is_refused(tmp_path):
    with pytest.raises(InputError, match="more than 65531 bytes"):
        read_all(tmp_path, writers.terse_file(DOUBLING, version=5))


def test_limit_itself_may_be_reached(tmp_path):
    data = writers.gzip_file(bytes(1000))
    assert read_all(tmp_path, data, limit_bytes=1000) == bytes(1000)


@pytest.mark.parametrize("limit", [10, 100_000])
def test_limit_error_is_raised_again(tmp_path, limit):
    path = tmp_path / "input"
    path.write_bytes(bz2.compress(bytes(1_000_000)))
    member = next(unpack(path, limit))
    for _ in range(2):
        with pytest.raises(InputError, match=f"limit of {limit} bytes"):
            member.read()


def test_default_limit_is_the_larger_of_a_gibibyte_and_a_thousandfold():
    assert usual_limit(1) == 1 << 30
    assert usual_limit(10_000_000_000) == 10_000_000_000_000


@pytest.mark.parametrize("kind", ["gzip", "zip", "bzip2", "xz", "zstd"])
def test_cut_streams_leave_nothing_in_memory(tmp_path, kind):
    """One long-lived process may meet any number of them."""
    cut = writers.WRAPPERS[kind](bytes(range(256)) * 800)[:-12]
    for turn in range(60):
        if turn == 20:
            tracemalloc.start()
        with contextlib.suppress(InputError):
            read_all(tmp_path, cut)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 40 * STEP_BYTES / 2


@pytest.mark.parametrize("size", [65531, 65532])
def test_longest_record_that_an_rdw_describes(tmp_path, size):
    for data in (writers.terse_file([66] * size), writers.xmit_file([b"A" * size])):
        if size == 65531:
            assert read_all(tmp_path, data) == b"\xff\xff\0\0" + b"A" * size
        else:
            with pytest.raises(InputError, match="more than 65531 bytes"):
                read_all(tmp_path, data)


def tar_file():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("dump"))
    return buffer.getvalue()


TERSED = writers.terse_file([66])
REFUSED = {
    "partitioned data set": writers.xmit_file([b"x"], utility="IEBCOPY"),
    "encrypted .AMSCIPHR": writers.xmit_file([b"x"], utility="AMSCIPHR"),
    "unknown utility .OTHER": writers.xmit_file([b"x"], utility="OTHER"),
    "packed or compressed": writers.xmit_file([b"x"], recfm=0x5804),
    "unknown record format": writers.xmit_file([b"x"], recfm=0),
    "has no data set": writers.control_record("INMR01") + writers.control_record("INMR06"),
    "sent in text mode": b"\x5e\xe0INMR01\r\n",
    "version byte 07": b"\7" + TERSED[1:],
    "version byte 03": b"\3" + TERSED[1:],
    "workstation format": b"\1\x89\x69\xa5" + TERSED[4:],
    "no readable file": writers.zip_file({}),
    "split ZIP": b"PK\7\x08" + writers.zip_file({"a": b"b"}),
    "stored without its length": writers.zip_file({"a": b"b"}, zipfile.ZIP_STORED, seekable=False),
    "ZIP method 14": writers.zip_file({"a": b"b"}, zipfile.ZIP_LZMA),
    "7z archive": b"7z\xbc\xaf\x27\x1c" + bytes(40),
    "tar archive": tar_file(),
}


@pytest.mark.parametrize("words", REFUSED)
def test_refusal_names_the_reason_and_the_file(tmp_path, words):
    with pytest.raises(InputError, match=words) as error:
        read_all(tmp_path, REFUSED[words])
    assert str(error.value).startswith(str(tmp_path))


def test_encrypted_member_is_refused_and_the_others_are_read(tmp_path):
    package = bytearray(writers.zip_file({"secret": b"first", "open": b"second"}))
    package[6] |= 1
    path = tmp_path / "input"
    path.write_bytes(package)
    members = unpack(path)
    with pytest.raises(InputError, match="input!secret: is encrypted"):
        next(members).read()
    assert next(members).read() == b"second"


@pytest.mark.parametrize("name", ["missing", "."])
def test_file_that_cannot_be_opened(tmp_path, name):
    with pytest.raises(InputError, match="can't be read"):
        next(unpack(tmp_path / name))


@pytest.mark.parametrize(
    "head",
    [
        b"\2\1\0\0\0\2\0\0",
        b"\2\2" + TERSED[2:],
        TERSED[:2] + bytes(2) + TERSED[4:],
        TERSED[:8] + b"\0\0\0\1" + TERSED[12:],
        TERSED[:4] + b"\x08" + TERSED[5:],
        writers.terse_file([66, 300], version=5),
        b"\3\0\0\x50" + bytes(100),
    ],
    ids=[
        "short",
        "record kind",
        "no length",
        "two lengths",
        "block without MVS flag",
        "impossible code",
        "unknown version without MVS flag",
    ],
)
def test_what_breaks_a_rule_of_terse_is_plain(tmp_path, head):
    assert read_all(tmp_path, head) == head
