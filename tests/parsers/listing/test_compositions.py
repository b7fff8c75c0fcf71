"""A law: however a listing was printed and transferred, it has the same rows, and what is lost is an issue."""

import codecs
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_transfers import CONTROLS, GOLDEN, blocks, read, records

from iosq.parsers.api import Issue

SAMPLES = GOLDEN.parents[1] / "sample-data"
LISTINGS = {
    p.name: p.read_text()
    for p in [*GOLDEN.glob("rmf/*.txt"), *GOLDEN.glob("fcx/*.txt"), *SAMPLES.glob("rmf/[!L]*.txt")]
}
CONTROLLED = {name for name, text in LISTINGS.items() if text[0] == "1"}
BANNER = "".join(f" {word:^120}\n" for word in ("*" * 100, "START  JOB00123  NIGHTLY  ROOM 12", "*" * 100))
TAB = 8


def separated(text: str) -> str:
    """Separator pages of the spool in front, behind, and between every two pages."""
    page = "1\n" + BANNER if text[0] == "1" else BANNER
    return page + re.sub(r"(?m)^1", page + "1", text) + page if text[0] == "1" else page + text


def tabbed(text: str) -> str:
    """Blanks up to a tab stop as a tab, as an editor writes them; column 1 stays."""
    return "\n".join(line[:1] + _tabbed(" " + line[1:])[1:] for line in text.split("\n"))


def _tabbed(line: str) -> str:
    cells = (line[at : at + TAB] for at in range(0, len(line), TAB))
    return "".join(re.sub(r"(?<=.) {2,}$", "\t", c, flags=re.DOTALL) if len(c) == TAB else c for c in cells)


PRINTED: dict[str, Callable[[str], str]] = {
    "separator pages": separated,
    "double spaced": lambda text: text.replace("\n", "\n\n"),
    "blank lines in front": lambda text: "\n\n" + text,
    "trailing blanks cut": lambda text: re.sub(r"(?m) +$", "", text),
    "filled with blanks": lambda text: "".join(f"{line:140}\n" for line in text.removesuffix("\n").split("\n")),
    "tabs": tabbed,
}
SENT: dict[str, Callable[[str], bytes]] = {
    "LF": str.encode,
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "UTF-8 with a mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "EBCDIC, Germany": lambda text: text.encode("cp273", "replace").replace(b"\x25", b"\x15"),
    "EBCDIC, Latin 1": lambda text: text.encode("cp500", "replace").replace(b"\x25", b"\x15"),
    "EBCDIC, CR and NEL": lambda text: text.replace("\n", "\r\n").encode("cp037", "replace").replace(b"\x25", b"\x15"),
    "records": lambda text: b"".join(records(text)),
    "blocks of records": blocks,
}


def taken(path: Path, data: bytes) -> tuple[list[str], list[Issue]]:
    """Rows without their places, and losses."""
    rows, issues = read(path, data)
    return sorted(str({k: v for k, v in row.items() if k not in ("line", "record")}) + t for t, row in rows), issues


@pytest.mark.parametrize("name", LISTINGS)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_a_composition_of_forms_changes_no_row(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = LISTINGS[name]
    sent = {**SENT, **CONTROLS} if name in CONTROLLED else SENT
    steps = data.draw(st.lists(st.sampled_from(sorted(PRINTED)), unique=True, max_size=4))
    last = data.draw(st.sampled_from(sorted(sent)))
    path = tmp_path_factory.mktemp("form") / "listing"
    rows, losses = taken(path, text.encode())
    for step in steps:
        text = PRINTED[step](text)
    other, more = taken(path, sent[last](text))
    assert other == rows, (steps, last, [i.message for i in more])
    assert {i.code for i in more} <= {i.code for i in losses} | {"outside_report", "fcx.line", "bad_line"}
