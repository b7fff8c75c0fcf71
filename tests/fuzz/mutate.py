"""Seeded mutations of one input: the same seed gives the same bytes on every machine."""

import re
from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz import structure

MOST_CHANGES = 8
LONGEST_SPAN = 4096
NUMBER = re.compile(rb"[0-9]+(?:[.:/][0-9]+)*")
EXTREMES = (
    b"0", b"-1", b"9" * 19, b"9" * 25, b"9" * 400, b"9" * 5000, b"1E400", b"-9223372036854775809", b"nan", b"inf",
    b"9999/12/31", b"0001/01/01", b"12/31/9999", b"99/99/9999", b"23:59:59", b"24:00:00", b"99.99.99", b"1.2.3.4",
    b"\xb2\xb3", b"\xd9\xa3", b"", b"1e5", b"+", b".", b"9.9.9", b"18446744073709551615", b"0x10", b"1_0", b"1,,0",
)  # fmt: skip
FIELDS = (b"\0", b"\xff", b"\x7f", b"\x80")
WORDS = (
    b"\n",
    b"\r",
    b"\0",
    b"\f",
    b"1",
    b" " * 300,
    b"<",
    b"</",
    b"]]>",
    b"&",
    b"FCX",
    b">>",
    b"SYSTEM ID ",
    b"-" * 40,
)

Mutation = Callable[[Random, bytearray, Sequence[bytes]], None]


def _place(random: Random, data: bytearray) -> int:
    return random.randrange(len(data)) if data else 0


def _span(random: Random, data: bytearray) -> slice:
    at = _place(random, data)
    return slice(at, at + random.randint(1, random.choice((4, 80, LONGEST_SPAN))))


def flip(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """One bit the other way."""
    if data:
        data[_place(random, data)] ^= 1 << random.randrange(8)


def overwrite(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """One to eight bytes set to the least or greatest a field can hold, or to anything."""
    size = random.choice((1, 2, 4, 8))
    at = _place(random, data) & -random.choice((1, 1, 2, 4))
    if at + size <= len(data):
        data[at : at + size] = random.choice((*(f * size for f in FIELDS), random.randbytes(size)))


def drop(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """A span is lost."""
    del data[_span(random, data)]


def repeat(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """A span stands twice."""
    span = _span(random, data)
    data[span.start : span.start] = data[span]


def move(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """A span stands elsewhere."""
    span = _span(random, data)
    part = data[span]
    del data[span]
    at = _place(random, data)
    data[at:at] = part


def insert(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """Something foreign stands in between."""
    at = _place(random, data)
    data[at:at] = random.choice((*WORDS, random.randbytes(random.randint(1, 40))))


def cut(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """The end is missing."""
    del data[_place(random, data) :]


def extreme(random: Random, data: bytearray, _: Sequence[bytes]) -> None:
    """A printed number becomes one that nothing holds."""
    numbers = list(NUMBER.finditer(bytes(data)))
    if numbers:
        span = random.choice(numbers).span()
        data[slice(*span)] = random.choice(EXTREMES)


def splice(random: Random, data: bytearray, seeds: Sequence[bytes]) -> None:
    """A part of another input follows."""
    other = random.choice(seeds)
    at = random.randrange(len(other)) if other else 0
    data[_place(random, data) :] = other[at : at + 8 * LONGEST_SPAN]


BLIND: tuple[Mutation, ...] = (flip, flip, overwrite, overwrite, drop, repeat, move, insert, cut, extreme, splice)
MUTATIONS: tuple[Mutation, ...] = (*BLIND, *structure.BINARY)
TEXT_MUTATIONS: tuple[Mutation, ...] = (*BLIND, extreme, extreme, extreme, *structure.TEXT)


def mutated(seeds: Sequence[bytes], run: int, seed: int, *, text: bool, of: Sequence[bytes] = ()) -> bytes:
    """Input number `run`: a seed (one `of` some) with one to eight mutations, mostly few: many make it unreadable."""
    random = Random(f"{seed}/{run}")
    data = bytearray(random.choice(of or seeds))
    for _ in range(random.randint(1, random.choice((1, 2, MOST_CHANGES)))):
        random.choice(TEXT_MUTATIONS if text else MUTATIONS)(random, data, seeds)
    return bytes(data)
