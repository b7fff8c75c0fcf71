"""A naive TERSE decoder, written straight from the rules: lists for orders and queues, symbols 0-256 (256 = mark)."""

from collections.abc import Sequence

BLANK = 0x40
ENTRIES = range(258, 4096)


class ImpossibleCodeError(Exception):
    """A code that no sound file has."""


class NaivePack:
    def __init__(self) -> None:
        self.symbols = {code: [code - 1] for code in range(1, 258)}
        self.symbols |= {code: [BLANK] * (code - 256) for code in ENTRIES}
        self.parent = {code: code - 1 for code in ENTRIES} | {258: BLANK + 1}
        self.newest_first = list(ENTRIES)
        self.unfinished = 0

    def step(self, code: int) -> list[int]:
        oldest = self.newest_first.pop()
        if code == oldest:
            raise ImpossibleCodeError
        chain, above = [], code
        while above >= 258:
            chain.insert(0, above)
            above = self.parent[above]
        front = [*chain, oldest]
        for entry in chain:
            self.newest_first.remove(entry)
        self.newest_first = front + self.newest_first
        if self.unfinished:
            self.symbols[self.unfinished] = [*self.symbols[self.unfinished], self.symbols[code][0]]
        self.parent[oldest] = code
        self.symbols[oldest] = list(self.symbols[code])
        self.unfinished = oldest
        return list(self.symbols[code])


class NaiveSpack:
    def __init__(self) -> None:
        self.symbols = {code: [code - 1] for code in range(1, 258)}
        self.parts: dict[int, tuple[int, int]] = {}
        self.users = dict.fromkeys(ENTRIES, 0)
        self.queue: list[int] = []
        self.unused = list(ENTRIES)
        self.before = 0

    def step(self, code: int) -> list[int]:
        if not self.before:
            if code not in self.symbols:
                raise ImpossibleCodeError
            self.before = code
            return list(self.symbols[code])
        if not self.unused:
            self._free(self.queue[0])
        if code not in self.symbols:
            raise ImpossibleCodeError
        written = list(self.symbols[code])
        self._fill(self.unused.pop(0), self.before, code)
        self.before = code
        return written

    def _free(self, entry: int) -> None:
        self.queue.remove(entry)
        del self.symbols[entry]
        for part in self.parts.pop(entry):
            if part >= 258:
                self.users[part] -= 1
                if self.users[part] == 0:
                    self.queue.append(part)
        self.unused.append(entry)

    def _fill(self, entry: int, left: int, right: int) -> None:
        self.symbols[entry] = self.symbols[left] + self.symbols[right]
        self.parts[entry] = (left, right)
        for part in (left, right):
            if part >= 258:
                if self.users[part] == 0:
                    self.queue.remove(part)
                self.users[part] += 1
        self.queue.append(entry)


NAIVE = {2: NaivePack, 5: NaiveSpack}


def codes_of(data: bytes) -> list[int]:
    """All 12-bit codes behind the header, up to the end code."""
    nibbles = data[12:].hex()
    codes = [int(nibbles[at : at + 3], 16) for at in range(0, len(nibbles) - 2, 3)]
    return codes[: codes.index(0)] if 0 in codes else codes


def decode(version: int, codes: Sequence[int]) -> list[int]:
    """All symbols of `codes`."""
    decoder = NAIVE[version]()
    return [symbol for code in codes for symbol in decoder.step(code)]
