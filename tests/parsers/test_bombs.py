"""Small or simple inputs that ask for more than anyone has: refused or bounded, at a limit with a name.

What packages unpack to is bounded in `packaging/test_packaging_limits.py`.
"""

import lzma
import struct
import tracemalloc
from pathlib import Path

import pytest

from iosq.parsers.api import Balance, Batch, Context, Issue
from iosq.parsers.listing import lines
from iosq.parsers.packaging import compressed, unpack
from iosq.parsers.registry import readers
from iosq.parsers.rmfxml import documents
from iosq.toolkit.errors import InputError

ROOT = Path(__file__).parents[2]
HEADS = {
    "fcx": ROOT / "tests/golden/fcx/fcx108.txt",
    "rmf.listing": ROOT / "tests/golden/rmf/device.txt",
    "rmf.xml": ROOT / "tests/golden/rmf/reports.xml",
    "smf": ROOT / "tests/broken/smf/truncated.smf",
    "monwrite": ROOT / "tests/broken/smf/truncated.smf",
}
# digits only: what a search for a beginning has to pass over costs most in XML and MONWRITE
LINE_BYTES = {
    "fcx": 500_000_000,
    "rmf.listing": 500_000_000,
    "smf": 500_000_000,
    "rmf.xml": 50_000_000,
    "monwrite": 2_000_000,
}
MOST_BYTES = 128 << 20  # records are decoded in chunks of 12 MB, with copies of each


class Endless:
    """An input with one line of half a gigabyte behind its head, made while it is read."""

    name = "endless"

    def __init__(self, head: bytes, fill: bytes, size: int) -> None:
        self._head, self._piece, self._left = head, fill * (1 << 20), size

    def read(self, size: int = -1, /) -> bytes:
        if self._head:
            part, self._head = self._head[:size], self._head[size:]
            return part
        part = self._piece[: min(size if size > 0 else len(self._piece), self._left)]
        self._left -= len(part)
        return part


def read(kind: str, stream: Endless) -> tuple[Balance, list[Issue], int]:
    """Balance, issues and the most memory (bytes) that reading took."""
    reader, balance, issues = next(r for r in readers() if r.kind == kind), Balance(), []
    tracemalloc.start()
    issues = [i for i in reader.read(stream, balance, Context()) if not isinstance(i, Batch)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return balance, issues, peak


@pytest.mark.parametrize("kind", HEADS)
def test_a_line_of_half_a_gigabyte_is_reported_and_takes_little_memory(kind: str) -> None:
    head = HEADS[kind].read_bytes()[:2500].rstrip(b"\n")
    balance, issues, peak = read(kind, Endless(head, b"9", LINE_BYTES[kind]))
    assert balance.balanced
    assert balance.total_bytes == len(head) + LINE_BYTES[kind]
    assert any(i.severity in ("data_loss", "error") for i in issues)
    assert len(issues) < 200
    assert peak < MOST_BYTES


def test_the_limits_of_text_have_names_and_are_where_the_guide_says() -> None:
    page = (ROOT / "docs/explanation/limits.md").read_text("utf-8")
    for value in (lines.LONGEST, documents.LONGEST, documents.DEEPEST, compressed.XZ_MEMORY_BYTES >> 20):
        assert f"{value:,}".replace(",", " ") in page


def test_xz_that_wants_more_memory_than_its_limit_is_an_issue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed, "XZ_MEMORY_BYTES", 1 << 20)
    path = tmp_path / "dump.xz"
    path.write_bytes(lzma.compress(b"listing\n" * 1000, preset=9))
    member = next(unpack(path))
    assert member.read() == b""
    assert [i.code for i in member.issues] == ["package_damaged"]
    assert "Memory usage limit" in member.issues[0].message


def test_an_xz_bomb_stops_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "dump.xz"
    path.write_bytes(lzma.compress(bytes(30_000_000)))
    with pytest.raises(InputError, match=r"limit of 1000000 bytes.*--unpack-limit"):
        next(unpack(path, 1_000_000)).read()


def test_a_record_that_claims_more_sections_than_fit_is_one_issue() -> None:
    data = (ROOT / "tests/broken/smf/triplet-count-overflow.smf").read_bytes()
    assert struct.pack(">H", 0xFFFF) in data
    balance, issues, peak = read("smf", Endless(data, b"9", 0))
    assert balance.balanced
    assert (balance.read, balance.failed, balance.lost_bytes) == (5, 1, 0)
    assert peak < MOST_BYTES
    assert [i.code for i in issues] == ["triplet_outside"]
