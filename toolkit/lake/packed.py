"""Packing of daily facts: opening a file takes longer than reading a view's few rows of a small day."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from iosq.toolkit.lake.facts import PACKED, ROW_GROUP, Piece, Sets, key, making, packs, read_sets
from iosq.toolkit.late import pa, pq


def pack(lake: Path, sets: Sets) -> None:
    """Store complete sets, in the order of their days, in one folder; those that have them now can go.

    LakeError if the disk refuses; former sets stay.
    """
    name = PACKED + key({}, " ".join(sets))
    with making(lake, [name]) as now:
        for view in sorted({view for of in sets.values() for view in of}):
            pieces = [of[view] for of in sets.values() if view in of]
            now.pack(view, name, pieces, _gathered(_rows(pieces)))


def unpack(lake: Path, to: Path, wanted: Iterable[str]) -> None:
    """Store some sets on their own, in the lake or the cache, that are packed with others no longer wanted.

    Errors as of `pack`.
    """
    names = set(wanted)
    for sets, _ in packs(lake):
        some = sets.keys() & names
        if some and some < sets.keys() and (left := some - read_sets(to, names, read=()).keys()):
            _unpack(to, left, read_sets(lake, sets))


def _unpack(to: Path, names: set[str], sets: Sets) -> None:
    packed = {name: of for name, of in sets.items() if name in names}
    days = {piece.day: name for name, of in packed.items() for piece in of.values()}
    with making(to, packed) as now:
        for view in sorted({view for of in packed.values() for view in of}):
            now.keep_days(view, days, _rows([of[view] for of in packed.values() if view in of]))
        now.pieces = [p._replace(rows_hash=packed[p.folder][p.view].digest) for p in now.pieces]


def _rows(pieces: Sequence[Piece]) -> "Iterator[pa.RecordBatch]":
    for path in dict.fromkeys(f"{piece.root}/{piece.path}" for piece in pieces if piece.rows):
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(ROW_GROUP)


def _gathered(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    """The same rows in batches of at least a row group, the last one excepted."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(b.num_rows for b in held) >= ROW_GROUP:
            yield from pa.Table.from_batches(held).combine_chunks().to_batches()
            held = []
    if held:
        yield from pa.Table.from_batches(held).combine_chunks().to_batches()
