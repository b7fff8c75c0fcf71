"""Detects from the first bytes how an SMF dump was transferred, or how the transfer damaged it."""

from iosq.parsers.smf.header import HEADER_BYTES, find_header, header_date_good, plausible
from iosq.parsers.smf.sources import plausible_block

# this many consecutive records identify a dump; a shorter input is judged by all its records
_ENOUGH = 3


def _records(head: bytes, at: int) -> int:
    """Number of consecutive records from `at`, up to `_ENOUGH`; a truncated last one counts."""
    count = 0
    while count < _ENOUGH and plausible(head[at : at + HEADER_BYTES]):
        count += 1
        length = int.from_bytes(head[at : at + 2], "big")
        if head[at + 2] != 0 or at + length >= len(head):
            return _ENOUGH
        at += length
    return count


def _followed(head: bytes, at: int) -> bool:
    """True if `head` has the end of the record at `at`, and another header or the input's end after it."""
    end = at + int.from_bytes(head[at : at + 2], "big")
    return end == len(head) or end + HEADER_BYTES <= len(head)


def strict_framing(head: bytes) -> str:
    """`rdw` or `bdw` if the input starts with sound records, else ''."""
    if plausible_block(head[: 8 + HEADER_BYTES]) and _records(head, 4):
        return "bdw"
    return "rdw" if _records(head, 0) >= 2 else ""


def framing(head: bytes) -> str:
    """`rdw`, `bdw` or '' for the first bytes of an input, also if its start is damaged."""
    if strict := strict_framing(head):
        return strict
    if diagnose(head):
        return ""
    # damaged start: search for two consecutive records
    place = find_header(head, 1, len(head), len(head) < 1 << 16)
    if place is None or not _followed(head, place):
        return ""
    return "bdw" if place >= 4 and plausible_block(head[place - 4 : place + 4 + HEADER_BYTES]) else "rdw"


def diagnose(head: bytes) -> str:
    """The kind of an input unreadable as SMF, and the remedy; '' if it does not resemble SMF at all."""
    # without the RDW all fields are four bytes earlier: the date is at 6
    if header_date_good(b"\0\0\0\0" + head[:10]) and len(head) >= 14:
        return (
            "looks like an SMF dump without record descriptor words, so record boundaries are lost: "
            "transfer again in binary, with SITE RDW"
        )
    # the system id of a record is EBCDIC text: if it is ASCII, the dump was translated
    system = head[14:18]
    if len(system) == 4 and system.isascii() and system.decode("ascii").strip().isalnum() and head[2:4] == b"\0\0":
        return "looks like an SMF dump translated to ASCII: transfer again in binary, with SITE RDW"
    return ""
