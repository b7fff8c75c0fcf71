"""Mutations that know how inputs are built: lengths, triplets, dates, digits, the width of printed numbers.

A changed byte somewhere is mostly a changed measurement; what leads a reader astray is a length, an offset or a count
that is nearly right, and a number that no longer fits where it is printed.
"""

import re
from collections.abc import Sequence
from random import Random

LOOKS = 24  # places looked at for something that may be a length
PRINTED = re.compile(rb"(?<= )[0-9]+(?:\.[0-9]+)?")
EBCDIC_DIGITS = re.compile(rb"[\xf0-\xf9]{2,8}")
PACKED_DATE = re.compile(rb"[\x00-\x01][\x00-\x99][\x00-\x36][\x0c\x0f\x1c-\x9f]")
DATES = (b"\x01\x00\x00\x0f", b"\x01\x26\x36\x6f", b"\x01\x26\x36\x7f", b"\xff" * 4, b"\0" * 4, b"\x01\xaa\xbb\xcf",
         b"\x09\x99\x36\x5f", b"\x00\x00\x00\x1f")  # fmt: skip


def near(random: Random, value: int, most: int, size: int) -> int:
    """A value next to a length: off by little, at the bounds of a field or of the input, a multiple."""
    edge = (1 << 8 * size) - 1
    next_to = value + random.choice((-8, -4, -2, -1, 1, 2, 4, 8))
    found = (next_to, value * 2, value // 2, 0, 1, 3, 4, most, most + 1, edge, edge >> 1, random.randint(0, edge))
    return random.choice(found) & edge


def length(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """Something that may be a length, an offset or a count is another one."""
    size, order = random.choice((1, 2, 2, 2, 4, 4)), random.choice(("big", "big", "little"))
    for _look in range(LOOKS if len(data) > size else 0):
        at = random.randrange(len(data) - size) & (-2 if size > 1 else -1)
        value = int.from_bytes(data[at : at + size], order)  # type: ignore[arg-type]
        if 0 < value <= len(data):
            data[at : at + size] = near(random, value, len(data), size).to_bytes(size, order)  # type: ignore[arg-type]
            return


def triplets(data: bytes) -> list[int]:
    """Where offset, length and number of sections may stand: what they describe lies inside the input."""
    found = []
    for at in range(0, min(len(data) - 8, 512), 4):
        offset, size, count = (int.from_bytes(data[at + a : at + b], "big") for a, b in ((0, 4), (4, 6), (6, 8)))
        if 24 <= offset < len(data) and size >= 4 and count >= 1 and offset + size * count <= len(data):
            found.append(at)
    return found


def triplet(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """One number of a triplet is another, or the triplet is that of other sections."""
    if not (found := triplets(bytes(data))):
        return
    at = random.choice(found)
    if random.random() < 0.2:
        other = random.choice(found)
        data[at : at + 8] = data[other : other + 8]
        return
    start, size = random.choice(((0, 4), (4, 2), (6, 2)))
    value = int.from_bytes(data[at + start : at + start + size], "big")
    data[at + start : at + start + size] = near(random, value, len(data), size).to_bytes(size, "big")


def packed_date(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """A packed date that no calendar has, or another day."""
    if found := list(PACKED_DATE.finditer(bytes(data))):
        data[slice(*random.choice(found).span())] = random.choice(DATES)


def digits(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """EBCDIC digits: others, blanks, letters, or what is no character."""
    if found := list(EBCDIC_DIGITS.finditer(bytes(data))):
        start, end = random.choice(found).span()
        data[start:end] = bytes(random.choice(b"\xf0\xf1\xf9\x40\xc1\x00\xff\x60") for _ in range(end - start))


def width(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """A printed number of more digits in the same line: it takes blanks before it, or pushes what follows."""
    if not (found := list(PRINTED.finditer(bytes(data)))):
        return
    start = random.choice(found).start()
    more = random.choice((b"1", b"9" * 3, b"*", b"12345", b"-", b"1.", b"9" * 12))
    before = bytes(data[max(0, start - len(more)) : start])
    taken = len(more) if not before.strip(b" ") and random.random() < 0.7 else 0
    data[start - taken : start] = more


def calendar(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """A printed date or time of the same width that may not exist."""
    if found := list(re.finditer(rb"[0-9]{2,4}[/.:-][0-9]{2}(?:[/.:-][0-9]{2,4})?", data)):
        start, end = random.choice(found).span()
        data[start:end] = re.sub(rb"[0-9]", lambda _: random.choice(b"0123459").to_bytes(1), bytes(data[start:end]))


def lines(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """Two lines change places, one is lost, or one is shifted by a column."""
    parts = bytes(data).split(b"\n")
    here, there = random.randrange(len(parts)), random.randrange(len(parts))
    match random.randrange(4):
        case 0:
            parts[here], parts[there] = parts[there], parts[here]
        case 1:
            del parts[here]
        case 2:
            parts[here] = b" " + parts[here]
        case _:
            parts[here] = parts[here][1:]
    data[:] = b"\n".join(parts)


BINARY = (length, length, length, triplet, triplet, triplet, packed_date, digits)
TEXT = (width, width, calendar, lines)
