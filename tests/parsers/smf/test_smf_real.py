"""Real dumps: every record and every byte is accounted for, whatever way they come in."""

from pathlib import Path

import pytest
from smf_decoders import Dump, block, read

from iosq.parsers.smf.sniff import framing
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake

FOLDER = Path(__file__).parents[3] / "sample-data" / "real-smf"
# provenance and counts: sample-data/real-smf/README.md
RECORDS = {
    "SMF_MQ1000.dat": {"2": 1, "115": 286, "116": 421, "3": 1},
    "TEST115.dat": {"2": 1, "115": 3},
}
SEGMENTS = {"SMF_MQ1000.dat": 772, "TEST115.dat": 4}
each_dump = pytest.mark.parametrize("name", RECORDS)


def cut(data: bytes) -> list[bytes]:
    """The dump's segments."""
    found, at = [], 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 2], "big")
        found.append(data[at : at + length])
        at += length
    return found


@each_dump
def test_every_record_and_byte_is_accounted_for(name):
    data = (FOLDER / name).read_bytes()
    assert framing(data[: 1 << 16]) == "rdw"
    for chunk in (1, 1 << 19, 1 << 23):
        result = read(data, chunk=chunk)
        assert not result.issues
        assert not result.rows
        assert {k: v.read for k, v in result.balance.kinds.items()} == RECORDS[name]
        assert result.balance.skipped == result.balance.read == sum(RECORDS[name].values())
        assert sum(v.bytes for v in result.balance.kinds.values()) == len(data)


@each_dump
def test_the_same_records_come_out_of_blocks(name):
    data = (FOLDER / name).read_bytes()
    segments = cut(data)
    assert len(segments) == SEGMENTS[name]
    blocks = [block(segments[i : i + 7]) for i in range(0, len(segments), 7)]
    dump = b"".join(blocks)
    assert framing(dump[: 1 << 16]) == "bdw"
    result = read(dump, stream=Dump(dump, 30_000))
    assert not result.issues
    assert {k: (v.read, v.bytes) for k, v in result.balance.kinds.items()} == {
        k: (v.read, v.bytes) for k, v in read(data).balance.kinds.items()
    }
    assert result.balance.frame_bytes == 4 * len(blocks)


@each_dump
def test_a_cut_dump_is_reported(name):
    data = (FOLDER / name).read_bytes()
    result = read(data[: len(data) * 2 // 3])
    assert set(result.codes) <= {"truncated", "open_segment"}
    assert result.codes


def test_the_lake_lists_what_it_does_not_decode(tmp_path):
    outcomes = ingest(Lake(tmp_path / "lake"), [FOLDER / name for name in RECORDS])
    assert [o.status for o in outcomes] == ["stored", "stored"]
    assert [o.balance.read for o in outcomes] == [709, 4]
    assert all(o.balance.balanced and not o.issues and o.rows == 0 for o in outcomes)
