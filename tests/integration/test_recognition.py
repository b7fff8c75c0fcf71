"""Every input is taken for one kind and one only, whatever it is wrapped in."""

from pathlib import Path

import pytest
from lakes import ROOT, filled
from packaging_writers import gzip_file, rdw_stream, record_codes, terse_file, zip_file

from iosq.parsers import packaging
from iosq.parsers.registry import certain, readers, recognise
from iosq.toolkit.lake.source import HEAD_BYTES
from iosq.toolkit.sample import write

GOLDEN = ROOT / "tests" / "golden"
KINDS = {
    "fcx": [*GOLDEN.glob("fcx/*.txt")],
    "rmf.listing": [*GOLDEN.glob("rmf/*.txt"), *ROOT.glob("sample-data/rmf/[!L]*.txt")],
    "rmf.xml": [*GOLDEN.glob("rmf/*.xml"), *ROOT.glob("sample-data/rmf/*.xml")],
    "monwrite": [*GOLDEN.glob("monwrite/*.bin")],
    "smf": [*ROOT.glob("sample-data/smf/*"), *ROOT.glob("sample-data/real-smf/*.dat")],
}
OTHERS = [p for p in [*ROOT.glob("docs/**/*.md"), *ROOT.glob("sample-data/**/*.md")] if p.is_file()]
SAMPLES = [(kind, path) for kind, paths in KINDS.items() for path in sorted(paths)]
LISTINGS = {"fcx": GOLDEN / "fcx/fcx168.txt", "rmf.listing": GOLDEN / "rmf/device.txt"}


def heads(path: Path) -> list[bytes]:
    """The first bytes of what is inside a file."""
    found = packaging.unpack(path, None, looks_like_payload=certain)
    return [member.peek(HEAD_BYTES) for member in found]


@pytest.mark.parametrize(("kind", "path"), SAMPLES, ids=lambda v: getattr(v, "name", v))
def test_one_reader_takes_a_sample_and_no_other(kind: str, path: Path) -> None:
    for head in heads(path):
        reader = recognise(head)
        assert reader is not None
        assert reader.kind == kind
        sure = [r.kind for r in readers() if r.certain(head)]
        takers = sure or [r.kind for r in readers() if r.sniff(head)]  # a strict test outranks a lenient one
        assert takers == [kind]


def test_a_dump_is_one_wherever_it_begins(tmp_path: Path) -> None:
    """Letters of volumes and systems look like a monitor's control record here and there."""
    write(tmp_path, intervals=range(36, 44), packed=())
    data, at, begun = (tmp_path / "sysa.smf").read_bytes(), 0, []
    while at < len(data) - HEAD_BYTES:
        begun.append(at)
        at += int.from_bytes(data[at : at + 2])
    found = {at: recognise(data[at : at + HEAD_BYTES]) for at in begun[::5]}
    assert {at: r and r.kind for at, r in found.items() if not r or r.kind != "smf"} == {}


@pytest.mark.parametrize("path", OTHERS, ids=lambda p: p.name)
def test_documents_about_reports_are_no_reports(path: Path) -> None:
    assert recognise(path.read_bytes()[:HEAD_BYTES]) is None


def packed(data: bytes) -> dict[str, bytes]:
    """A listing as hosts and people pack it."""
    records = [line.encode("cp037") for line in data.decode("latin-1").splitlines()]
    return {
        "terse of variable records": terse_file(record_codes(records)),
        "zip": zip_file({"listing.txt": data}),
        "zip without compression": zip_file({"listing.txt": data}, 0),
        "gzip of a zip": gzip_file(zip_file({"listing.txt": data})),
        "ebcdic in gzip": gzip_file(data.decode("latin-1").encode("cp037").replace(b"\x25", b"\x15")),
    }


@pytest.mark.parametrize("kind", LISTINGS)
def test_a_packed_listing_gives_what_the_bare_one_gives(kind: str, tmp_path: Path) -> None:
    data = LISTINGS[kind].read_bytes()
    files = {"bare": data, **packed(data)}
    for blob in files.values():
        assert not certain(blob[:HEAD_BYTES])
    _, outcomes = filled(tmp_path, files)
    want = outcomes["bare"].balance
    for name, found in outcomes.items():
        assert (found.status, found.kind, found.rows) == ("stored", kind, outcomes["bare"].rows), name
        assert found.balance.balanced
        counts = {k: (c.decoded, c.failed) for k, c in found.balance.kinds.items()}
        assert counts == {k: (c.decoded, c.failed) for k, c in want.kinds.items()}, name


def test_records_with_descriptor_words_are_lines(tmp_path: Path) -> None:
    data = LISTINGS["fcx"].read_bytes()
    records = [line.encode("cp037") for line in data.decode("latin-1").splitlines()]
    _, outcomes = filled(tmp_path, {"bare": data, "rdw": rdw_stream(records)})
    assert outcomes["rdw"].rows == outcomes["bare"].rows > 0
    assert outcomes["rdw"].balance.frame_bytes == 3 * len(records)
