"""How a listing was transferred changes no row: code pages, descriptor words, both carriage controls, ends of files."""

import codecs
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iosq.parsers import registry
from iosq.parsers.api import Balance, Context, Issue
from iosq.parsers.packaging import unpack

GOLDEN = Path(__file__).parents[2] / "golden"
LISTINGS = {n: (GOLDEN / n).read_text() for n in ("rmf/device.txt", "rmf/cache-older.txt", "fcx/fcx108.txt")}
XML = {n: (GOLDEN / n).read_text() for n in ("rmf/xml-device.xml", "rmf/xml-cache.xml")}
Rows = list[tuple[str, dict[str, Any]]]


def read(path: Path, data: bytes) -> tuple[Rows, list[Issue]]:
    """The rows without their line numbers, in order, and issues of lost data."""
    path.write_bytes(data)
    rows, issues, balance = list[tuple[str, dict[str, Any]]](), list[Issue](), Balance()
    for member in unpack(path, looks_like_payload=registry.certain):
        reader = registry.recognise(member.peek(1 << 16))
        assert reader is not None
        for item in reader.read(member, balance, Context()):
            if isinstance(item, Issue):
                issues.append(item)
            else:
                rows += [(item.table, {**row, "line": 0}) for row in item.rows.to_pylist()]
        issues += member.issues
    assert balance.balanced
    return sorted(rows, key=str), [i for i in issues if i.severity in ("data_loss", "error")]


def word(record: bytes) -> bytes:
    return (len(record) + 4).to_bytes(2, "big") + b"\0\0" + record


def records(text: str) -> list[bytes]:
    return [word(line.encode("cp037")) for line in text.splitlines()]


def blocks(text: str) -> bytes:
    every = records(text)
    return b"".join(word(b"".join(every[at : at + 7])) for at in range(0, len(every), 7))


def commands(text: str) -> list[bytes]:
    """Lines with machine code carriage control: one for a line that ends a page skips to channel 1."""
    lines = text.splitlines()
    after = [*lines[1:], "1"]
    codes = [{"1": b"\x89", "+": b"\x01"}.get(line[:1], b"\x09") for line in after]
    return [code + line[1:].encode("cp037") for code, line in zip(codes, lines, strict=True)]


def skipped(text: str) -> list[bytes]:
    """The same with records of their own for new pages."""
    parts: list[bytes] = []
    for line in text.splitlines():
        parts += [b"\x8b\x40\x40"] * (line[:1] == "1") + [b"\x09" + line[1:].encode("cp037")]
    return parts


def ascii_of(line: bytes) -> bytes:
    return line.decode("cp037").encode("latin-1")


ANY: dict[str, Callable[[str], bytes]] = {
    "UTF-16 with a mark": lambda text: text.encode("utf-16"),
    "UTF-16, big end first": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-8 with a mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "end of file of DOS": lambda text: text.encode() + b"\x1a",
    "zeros behind": lambda text: text.encode() + bytes(512),
    "records": lambda text: b"".join(records(text)),
    "blocks of records": blocks,
}
CONTROLS: dict[str, Callable[[str], bytes]] = {
    "machine code in lines": lambda text: b"".join(line + b"\x15" for line in commands(text)),
    "machine code in records": lambda text: b"".join(map(word, commands(text))),
    "machine code, pages apart": lambda text: b"".join(map(word, skipped(text))),
    "machine code in ASCII": lambda text: b"\n".join([*map(ascii_of, commands(text)), b""]),
}


@pytest.mark.parametrize("form", [*ANY, *CONTROLS])
@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_reads_the_same(name: str, form: str, tmp_path: Path) -> None:
    text = LISTINGS[name]
    data = {**ANY, **CONTROLS}[form](text)
    plain = read(tmp_path / "plain", text.encode())
    assert plain[0]
    assert read(tmp_path / "other", data) == plain


@pytest.mark.parametrize("form", ANY)
@pytest.mark.parametrize("name", XML)
def test_xml_reads_the_same(name: str, form: str, tmp_path: Path) -> None:
    plain = read(tmp_path / "plain", XML[name].encode())
    assert plain[0] and not plain[1]
    assert read(tmp_path / "other", ANY[form](XML[name])) == plain


def test_xml_that_says_it_is_utf_16_is_believed(tmp_path: Path) -> None:
    text = XML["rmf/xml-device.xml"]
    declared = text.replace('encoding="UTF-8"', 'encoding="UTF-16"')
    assert declared != text
    assert read(tmp_path / "other", declared.encode("utf-16")) == read(tmp_path / "plain", text.encode())


def test_utf_16_that_ends_within_a_character_is_cut(tmp_path: Path) -> None:
    _, issues = read(tmp_path / "cut", LISTINGS["rmf/device.txt"].encode("utf-16")[:-1])
    assert "package_truncated" in {i.code for i in issues}


def test_other_text_behind_xml_is_still_lost(tmp_path: Path) -> None:
    _, issues = read(tmp_path / "junk", XML["rmf/xml-device.xml"].encode() + b"\x1a\0 and more")
    assert [i.code for i in issues] == ["xml_junk"]


@pytest.mark.parametrize("bare", [0, 2, 5])
@pytest.mark.parametrize("name", ["rmf/device.txt", "rmf/cache-older.txt"])
def test_one_page_without_control_among_others_loses_none(name: str, bare: int, tmp_path: Path) -> None:
    pages = ["1" + page for page in (LISTINGS[name] * 6)[1:].split("\n1")][:6]
    other = [page.replace("\n ", "\n")[1:] if at == bare else page for at, page in enumerate(pages)]
    assert read(tmp_path / "other", "\n".join(other).encode()) == read(tmp_path / "plain", "\n".join(pages).encode())


@pytest.mark.parametrize("bar", "!]")
def test_the_bar_of_another_country_is_one(bar: str, tmp_path: Path) -> None:
    text = (GOLDEN / "fcx/fcx110.txt").read_text()
    plain = read(tmp_path / "plain", text.encode())
    assert "fcx110_extent" in {table for table, _ in plain[0]}
    assert read(tmp_path / "other", text.replace("|", bar).encode()) == plain


FORMS: dict[str, Callable[[str], list[bytes]]] = {
    "ASA": lambda text: [line.encode("cp037") for line in text.splitlines()],
    "machine code": commands,
    "none": lambda text: [line[1:].encode("cp037") for line in text.splitlines()],
}


@pytest.mark.parametrize("names", [("rmf/device.txt", "rmf/cache-older.txt"), ("fcx/fcx108.txt", "fcx/fcx161.txt")])
@pytest.mark.parametrize("forms", list(itertools.permutations(FORMS, 2)), ids=" and ".join)
@pytest.mark.parametrize("end", [b"", b"\x15"], ids=["records", "lines"])
def test_carriage_controls_of_joined_listings_may_differ(
    names: tuple[str, str], forms: tuple[str, str], end: bytes, tmp_path: Path
) -> None:
    texts = [(GOLDEN / name).read_text() for name in names]
    lines = [line for text, form in zip(texts, forms, strict=True) for line in FORMS[form](text)]
    data = b"".join(line + end if end else word(line) for line in lines)
    rows = sorted((row for text in texts for row in read(tmp_path / "one", text.encode())[0]), key=str)
    assert read(tmp_path / "joined", data) == (rows, [])
