"""Machine code carriage control (RECFM=FBM, VBM): column 1 has the command to execute after printing the line.

Source: IBM z/OS DFSMS Using Data Sets, appendix on control characters: X'01', X'09', X'11', X'19' write and space 0 to
3 lines, X'89' writes and skips to channel 1, X'0B' to X'1B' and X'8B' do the same without a line. No text starts with
these codes except X'89' and X'8B', so a line or its neighbours show whether column 1 is a command.
"""

from collections.abc import Sequence

_CODES = bytes((0x01, 0x03, 0x09, 0x0B, 0x11, 0x13, 0x19, 0x1B, 0x89, 0x8B)).decode("cp037")
_SURE, _SKIPS = frozenset(_CODES[:-2]), frozenset(_CODES[-2:])
_BEFORE = {_CODES[0]: "+", _CODES[-2]: "1", _CODES[-1]: "1"}  # ASA control of the next line
_SHARE = 0.95


def mostly(lines: Sequence[str]) -> bool:
    """True if nearly all lines, one character per byte, start with a command."""
    filled = [code for code, line in zip(_codes(lines, ""), lines, strict=True) if line.strip()]
    return any(filled) and sum(map(bool, filled)) >= _SHARE * len(filled)


def asa(lines: list[str], before: str) -> tuple[list[str], str]:
    """Replace each line's command by the ASA control equivalent to the command of the line before.

    Lines without a command are unchanged. `before` is the command of the line before the first, '' for none; the
    command of the last line is returned with the lines.
    """
    codes = _codes(lines, before)
    made = [
        _BEFORE.get(last, " ") + line[1:] if code else line
        for last, code, line in zip([before, *codes], codes, lines, strict=False)
    ]
    return made, codes[-1] if codes else before


def _codes(lines: Sequence[str], before: str) -> list[str]:
    """The command of each line, '' if it has none."""
    first = [line[:1] for line in lines]
    if not before and _SURE.isdisjoint(first):
        return [""] * len(lines)
    codes: list[str] = []
    for at, code in enumerate(first):
        near = bool(before) or not _SURE.isdisjoint(first[at + 1 : at + 2])
        before = code if code in _SURE or (code in _SKIPS and near) else ""
        codes.append(before)
    return codes
