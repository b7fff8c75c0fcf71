"""Groups the pieces of split ("broken") records."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from iosq.parsers.api import Issue
from iosq.parsers.smf.codes import issue

Key = tuple[object, ...]


@dataclass(slots=True)
class _Set:
    record_id: int
    offset: int
    pieces: int
    seen: set[int] = field(default_factory=set)


@dataclass(slots=True)
class SplitSets:
    """Collects pieces of the whole input: pieces with the same key and different numbers are one logical record."""

    sets: dict[Key, list[_Set]] = field(default_factory=dict)

    def join(self, key: Key, number: int, pieces: int, record_id: int, offset: int) -> int:
        """Add a piece; return the record id of its logical record, which is that of the first piece."""
        known = self.sets.setdefault((*key, pieces), [])
        # records are written one after the other, so the piece belongs to the latest set without its number
        home = next((s for s in reversed(known) if number not in s.seen), None)
        if home is None:
            home = _Set(record_id, offset, pieces)
            known.append(home)
        home.seen.add(number)
        return home.record_id

    def issues(self) -> Iterator[Issue]:
        for known in self.sets.values():
            for s in known:
                if len(s.seen) < s.pieces:
                    yield issue("split_incomplete", s.offset, found=len(s.seen), expected=s.pieces)
