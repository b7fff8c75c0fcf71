"""Pseudonyms of names, made with a secret key so that guesses of names can't be tested.

A name is split into atoms (qualifiers of a data set name, words of a label). Equal atoms of equal width get equal
pseudonyms everywhere, so that joins remain valid.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from itertools import count

from iosq.toolkit.anonymize.columns import Kind, words

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALNUM = LETTERS + "0123456789"
HEX = "0123456789ABCDEF"
NAME_WIDTH, VOLSER_WIDTH, SYSTEM_WIDTH = 8, 6, 4
# shorter strings occur by chance, so the proof searches for them only as whole words
SHORTEST_PART = 6
MOST_ATTEMPTS = 100

_ATOM = re.compile(r"[^.\s()]+")
_NUMBER = re.compile(r"[\s\d.,:;%/*+\-<>()=]*")

_LCU = re.compile(r"[0-9A-F]{4}")


class Pseudonyms:
    """All pseudonyms of one lake.

    Args:
        key: the secret, 16 bytes or more.
        originals: every text of each kind in the lake; pseudonyms avoid them, and collisions are resolved in
            their alphabetical order, so that the same lake and key always give the same pseudonyms.
        keep: further words to leave unchanged.
    """

    def __init__(self, key: bytes, originals: Mapping[Kind, Iterable[str]], keep: Iterable[str] = ()) -> None:
        self._key, self._keep = key, words() | set(keep)
        self._known: dict[tuple[str, str, int], str] = {}
        self._taken: set[str] = set()
        self.maps: dict[Kind, dict[str, str]] = {}
        texts = {kind: sorted(set(found)) for kind, found in originals.items()}
        self.replaced = frozenset(a for kind, found in texts.items() for t in found for a in self._atoms(kind, t))
        self._lengths = sorted({len(a) for a in self.replaced if len(a) >= SHORTEST_PART})
        for kind in sorted(texts):
            self.maps[kind] = (
                self._ordered(texts[kind]) if kind == "system" else {t: self._text(kind, t) for t in texts[kind]}
            )

    def digits(self, text: str, length: int) -> str:
        """Hexadecimal digits that replace an identifier such as a file's digest, and contain no original."""
        for attempt in range(MOST_ATTEMPTS):
            made = hmac.digest(self._key, f"{attempt}:{text}".encode(), "sha256").hex()[:length]
            if not self._shows(made):
                break
        return made

    def device(self, text: str) -> str:
        """Another device number, independent of leading zeros."""
        bare = text.lstrip("0").zfill(4)
        made = self._spell(f"device {bare}", HEX, len(bare))
        return "0" * (len(text) - len(bare)) + made

    def number(self, value: int) -> int:
        """A positive 63-bit number that replaces a record id, itself a digest of the record."""
        data = value.to_bytes(8, "big", signed=True)
        digest = hashlib.blake2b(data, digest_size=8, key=self._key[:64]).digest()
        return int.from_bytes(digest, "big") >> 1

    def _ordered(self, texts: list[str]) -> dict[str, str]:
        """Pseudonyms of systems in the same alphabetical order, because views take the first of several systems."""
        short = all(len(text) <= SYSTEM_WIDTH for text in texts)
        width = SYSTEM_WIDTH if short else NAME_WIDTH
        named = [text for text in texts if text]
        return {"": ""} | dict(zip(named, sorted(self._draw(t, ALNUM, width) for t in named), strict=True))

    def _atoms(self, kind: Kind, text: str) -> list[str]:
        if kind == "text":
            return [] if _NUMBER.fullmatch(text) else [a for a in _ATOM.findall(text) if self._identifies(a)]
        if kind == "words":
            return [a for a in _ATOM.findall(text) if self._identifies(a)]
        if kind == "dsn":
            return [a for a in _ATOM.findall(text) if a not in self._keep]
        if kind == "lcu" and _LCU.fullmatch(text):
            return []
        if kind in ("hex", "serial"):
            bare = text.strip("0")
            return [text.lstrip("0") if kind == "serial" else text] if bare else []
        return [text] if text else []

    def _identifies(self, atom: str) -> bool:
        return len(atom) > 2 and atom not in self._keep and not _NUMBER.fullmatch(atom)

    def _text(self, kind: Kind, text: str) -> str:
        if kind in ("dsn", "words", "text"):
            width = VOLSER_WIDTH if kind == "words" else NAME_WIDTH
            kept = set(self._atoms(kind, text))
            return _ATOM.sub(lambda m: self._draw(m[0], ALNUM, width) if m[0] in kept else m[0], text)
        if kind == "lcu" and _LCU.fullmatch(text):
            return text
        if kind == "serial":
            bare = text.lstrip("0")
            return text[: len(text) - len(bare)] + self._draw(bare, ALNUM, len(bare))
        if kind == "hex":
            return self._draw(text, HEX, len(text)) if text.strip("0") else text
        return self._draw(text, ALNUM, VOLSER_WIDTH if kind == "volser" else NAME_WIDTH)

    def _draw(self, atom: str, alphabet: str, width: int) -> str:
        """The pseudonym of an atom; retried if it is taken or contains an original."""
        if not atom:
            return atom
        key = (atom, alphabet, width)
        if key not in self._known:
            tries = (self._spell(f"{attempt}:{atom}", alphabet, width) for attempt in count())
            self._known[key] = next(t for attempt, t in enumerate(tries) if self._fits(t, attempt))
            self._taken.add(self._known[key])
        return self._known[key]

    def _fits(self, candidate: str, attempt: int) -> bool:
        crowded = attempt > MOST_ATTEMPTS  # all names of one or two characters may be taken
        return crowded or (candidate not in self._taken and not self._shows(candidate))

    def _shows(self, candidate: str) -> bool:
        size = len(candidate)
        parts = (candidate[i : i + n] for n in self._lengths if n <= size for i in range(size - n + 1))
        return candidate in self.replaced or any(part in self.replaced for part in parts)

    def _spell(self, text: str, alphabet: str, width: int) -> str:
        digest = hashlib.shake_256(hmac.digest(self._key, text.encode(), "sha256")).digest(width + 8)
        value = int.from_bytes(digest, "big")
        first = HEX if alphabet is HEX else LETTERS
        value, place = divmod(value, len(first))
        spelt = first[place]
        while len(spelt) < width:
            value, place = divmod(value, len(alphabet))
            spelt += alphabet[place]
        return spelt
