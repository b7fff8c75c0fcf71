"""Machine code carriage control (RECFM=FBM, VBM): a command word in column 1 says what is done after its line.

Source: IBM z/OS DFSMS Using Data Sets, appendix on control characters: X'01', X'09', X'11', X'19' write and space 0 to
3 lines, X'89' writes and skips to channel 1, X'0B' to X'1B' and X'8B' do the same without a line.
"""

from __future__ import annotations

from collections.abc import Sequence

_CODES = bytes((0x01, 0x03, 0x09, 0x0B, 0x11, 0x13, 0x19, 0x1B, 0x89, 0x8B)).decode("cp037")
_BEFORE = {_CODES[0]: "+", _CODES[-2]: "1", _CODES[-1]: "1"}  # ASA control of the line behind
_USUAL = _CODES[2]
_SHARE = 0.95


def coded(lines: Sequence[str]) -> bool:
    """True if the lines, one character per byte, begin with command words, "write and space 1" among them."""
    first = [line[0] for line in lines if line.strip()]
    return _USUAL in first and sum(c in _CODES for c in first) >= _SHARE * len(first)


def asa(lines: list[str], before: str) -> list[str]:
    """Lines with the ASA control that stands for the command word of the line before them, in place of their own."""
    codes = [before, *(line[:1] for line in lines)]
    return [_BEFORE.get(code, " ") + line[1:] for code, line in zip(codes, lines, strict=False)]
