"""Real files give the checksums of their manifest, and the fast TERSE decoder says the same as the naive one."""

import csv
import hashlib
import random
from itertools import chain
from pathlib import Path

import packaging_oracle
import pytest

from iosq.parsers.packaging import unpack
from iosq.parsers.packaging.stream import ByteStream, Chunks, Job, Member
from iosq.parsers.packaging.terse import parse_header, unpack_pack, unpack_spack
from iosq.parsers.packaging.xmit import Reader, data_records
from iosq.toolkit.errors import InputError

SAMPLES = Path(__file__).parents[3] / "sample-data" / "packaging"
MANIFEST = list(csv.DictReader((SAMPLES / "manifest.csv").open(encoding="utf-8", newline="")))
TERSED = [row for row in MANIFEST if row["file"].endswith("PACK")]
FAST = {2: unpack_pack, 5: unpack_spack}


def fixed_count(data: bytes, tersed: bytes) -> int:
    header = parse_header(tersed)
    assert header is not None
    assert len(data) % header.lrecl == 0
    return len(data) // header.lrecl


def framed_count(data: bytes) -> int:
    count = at = 0
    while at < len(data):
        assert data[at + 2 : at + 4] == b"\0\0"
        at += int.from_bytes(data[at : at + 2])
        count += 1
    assert at == len(data)
    return count


@pytest.mark.parametrize("row", MANIFEST, ids=lambda row: row["file"])
def test_sample_is_the_published_file(row):
    assert hashlib.sha256((SAMPLES / row["file"]).read_bytes()).hexdigest() == row["sha256"]


@pytest.mark.parametrize("row", TERSED, ids=lambda row: row["file"])
def test_tersed_file_unpacks_to_its_checksum(row):
    (member,) = unpack_all(SAMPLES / row["file"])
    _, layers, framed, data, issues = member
    assert layers == ("terse",)
    assert framed == {"V": True, "F": False}[row["file"][0]]
    assert len(data) == int(row["unpacked_bytes"])
    count = framed_count(data) if framed else fixed_count(data, (SAMPLES / row["file"]).read_bytes())
    assert count == int(row["records"])
    assert hashlib.sha256(data).hexdigest() == (row["unpacked_sha256"] or hashlib.sha256().hexdigest())
    assert [issue.code for issue in issues] == ([] if data else ["package_empty"])


def unpack_all(path):
    return [(m.name, m.layers, m.framed, m.read(), m.issues) for m in unpack(path)]


def test_a_tersed_text_equals_its_binary_transfer_with_rdw():
    ((_, _, _, data, _),) = unpack_all(SAMPLES / "VB.ASYOULIK.TXT.SPACK")
    assert data == (SAMPLES / "VB.ASYOULIK.TXT.expected").read_bytes()


def test_a_binary_transfer_is_a_plain_file():
    path = SAMPLES / "VB.ASYOULIK.TXT.expected"
    ((name, layers, framed, data, issues),) = unpack_all(path)
    assert (name, layers, framed, issues) == (str(path), (), False, [])
    assert data == path.read_bytes()


@pytest.mark.parametrize(
    ("file", "words"), [("USERKEY_COMMON_AREA.TRS", "version byte 07"), ("racseq.xmit", "IEBCOPY")]
)
def test_partitioned_data_sets_are_refused(file, words):
    member = next(unpack(SAMPLES / file))
    with pytest.raises(InputError, match=words):
        member.read()


def test_xmit_data_records_have_their_checksum():
    row = next(row for row in MANIFEST if row["file"] == "racseq.xmit")
    entry = Member("racseq.xmit", ByteStream(Chunks(iter([(SAMPLES / row["file"]).read_bytes()]))))
    job = Job(1 << 30)
    reader = Reader(entry, job)
    names = [record.name for record in iter(reader.record, None) if record.control]
    assert names == ["INMR01", "INMR02", "INMR02", "INMR03"]
    entry = Member("racseq.xmit", ByteStream(Chunks(iter([(SAMPLES / row["file"]).read_bytes()]))))
    records = [record.data for record in after_header(Reader(entry, job))]
    joined = b"".join(len(record).to_bytes(4) + record for record in records)
    assert [len(record) for record in records] == [56, 276, 288, *[23452] * 5, 19372, 12]
    assert hashlib.sha256(joined).hexdigest() == row["unpacked_sha256"]
    assert job.issues == []


def after_header(reader):
    while reader.record().name != "INMR03":
        pass
    return data_records(reader)


def fast_symbols(version, pieces):
    return [ord(char) for char in chain.from_iterable(FAST[version](pieces))]


@pytest.mark.parametrize("row", TERSED, ids=lambda row: row["file"])
def test_first_codes_decode_as_the_naive_decoder_says(row):
    data = (SAMPLES / row["file"]).read_bytes()
    codes = packaging_oracle.codes_of(data)[:4500]
    assert fast_symbols(data[0], [codes[:7], codes[7:]]) == packaging_oracle.decode(data[0], codes)


@pytest.mark.parametrize("version", [2, 5])
@pytest.mark.parametrize("seed", range(2))
def test_random_codes_decode_as_the_naive_decoder_says(version, seed):
    generator = random.Random(seed)
    naive = packaging_oracle.NAIVE[version]()
    codes, symbols = [], []
    while len(codes) < 4500:
        code = sound_code(naive, generator)
        codes.append(code)
        symbols += naive.step(code)
    cut = generator.randrange(len(codes))
    assert fast_symbols(version, [codes[:cut], codes[cut:]]) == symbols


def sound_code(naive, generator):
    """A code that the decoder can follow and that writes at most 20 symbols; dictionary entries are preferred."""
    doomed = naive.newest_first[-1] if isinstance(naive, packaging_oracle.NaivePack) else (naive.queue or [0])[0]
    for _ in range(20):
        code = generator.randrange(258, 4096)
        if code != doomed and len(naive.symbols.get(code, ())) in range(1, 21):
            return code
    return generator.randrange(1, 258)


@pytest.mark.parametrize("code", [258, 300, 4095])
def test_spack_code_without_content_is_found(code):
    with pytest.raises(packaging_oracle.ImpossibleCodeError):
        packaging_oracle.decode(5, [66, code])
    text = FAST[5]([[66, code]])
    assert next(text) == "A"
    with pytest.raises(Exception, match="1"):
        list(text)


def test_stream_keeps_what_was_peeked_and_put_back():
    stream = ByteStream(Chunks(iter([b"abc", b"", b"defgh"])))
    assert isinstance(stream, ByteStream)
    assert stream.peek(5) == b"abcde"
    buffer = bytearray(4)
    assert (stream.readinto(buffer), bytes(buffer)) == (4, b"abcd")
    stream.unread(b"d")
    assert (stream.read(2), stream.position, stream.peek(100), stream.read(), stream.read(1)) == (
        b"de",
        5,
        b"fgh",
        b"fgh",
        b"",
    )
