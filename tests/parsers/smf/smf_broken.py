"""Makes `tests/broken/smf/`: one small dump for each kind of damage. Run it to write the files again.

`expected.csv` next to them has the expected result of each, written by hand.
"""

from collections.abc import Callable
from pathlib import Path

from smf_decoders import block, spanned
from smf_dumps import data_sets, devices, marker, other

FOLDER = Path(__file__).parents[2] / "broken" / "smf"
FIRST, LAST = marker(2), marker(3)
WHOLE = devices(1, 2)


def patched(data: bytes, at: int, text: str) -> bytes:
    """`data` with the bytes at `at` replaced by those of a hex text."""
    new = bytes.fromhex(text)
    return data[:at] + new + data[at + len(new) :]


def dump(*records: bytes) -> bytes:
    return b"".join((FIRST, *records, LAST))


def product(record: bytes) -> int:
    return int.from_bytes(record[28:32], "big")


def damaged(at: int, text: str) -> Callable[[], bytes]:
    """A dump whose second record is damaged between two sound ones."""
    return lambda: dump(devices(4, 1), patched(WHOLE, at, text), devices(5, 1))


def chained(text: str) -> bytes:
    """The chain of data set headers goes wrong at its second one."""
    record = data_sets(2)
    job = int.from_bytes(record[36:40], "big")
    first = int.from_bytes(record[job + 24 : job + 28], "big")
    second = int.from_bytes(record[first : first + 4], "big")
    return dump(patched(record, second, text or f"{first:08X}"))


def pieces() -> bytes:
    return dump(devices(6, 2, piece=(1, 3)), devices(6, 2, piece=(3, 3)))


def without_rdw() -> bytes:
    return b"".join(r[4:] for r in (FIRST, WHOLE, other(2, 90), LAST))


def as_ascii() -> bytes:
    # what a text transfer does: every byte translated, those without a letter become SUB
    return b"".join((FIRST, WHOLE, LAST)).decode("cp037").encode("ascii", "replace").replace(b"?", b"\x1a")


KINDS: dict[str, Callable[[], bytes]] = {
    "rdw-stripped": without_rdw,
    "ascii-translated": as_ascii,
    "truncated": lambda: dump(WHOLE)[:-300],
    "truncated-header": lambda: dump(WHOLE)[:-9],
    "truncated-block": lambda: block([FIRST, WHOLE]) + block([devices(4, 1), LAST])[: -len(LAST)],
    "truncated-descriptor": lambda: block([FIRST, WHOLE]) + block([devices(4, 1), LAST])[:6],
    "length-0": damaged(0, "0000"),
    "length-beyond-the-file": damaged(0, "FFF0"),
    "length-too-long": damaged(0, f"{len(WHOLE) + 40:04X}"),
    "length-too-short": damaged(0, "0100"),
    "garbage-between": lambda: dump(WHOLE, bytes(range(1, 120)), devices(4, 1)),
    "trailing-zeros": lambda: dump(WHOLE) + bytes(200),
    "lone-middle-segment": lambda: dump(spanned(WHOLE, 100, 100)[1], devices(4, 1)),
    "lone-last-segment": lambda: dump(spanned(WHOLE, 100)[1], devices(4, 1)),
    "no-last-segment": lambda: dump(*spanned(WHOLE, 100, 100)[:2], devices(4, 1)),
    "block-length-0": lambda: block([FIRST]) + patched(block([WHOLE]), 0, "0000") + block([devices(4, 1), LAST]),
    "block-length-too-long": lambda: block([FIRST]) + patched(block([WHOLE]), 0, "7000") + block([devices(4, 1), LAST]),
    "header-date": damaged(10, "A126063F"),
    "short-record": lambda: dump(b"\0\x16" + WHOLE[2:22], devices(4, 1)),
    "no-product": damaged(32, "0000 0000"),
    "product-outside": damaged(28, "0000 FF00"),
    "interval-date": damaged(product(WHOLE) + 14, "01260AAF"),
    "interval-length": damaged(product(WHOLE) + 18, "FFFFFFFF"),
    "triplet-outside": damaged(44, "0000 4000"),
    "triplet-offset-overflow": damaged(44, "FFFF FFF0"),
    "triplet-count-overflow": damaged(50, "FFFF"),
    "triplet-length-0": damaged(48, "0000"),
    "chain-loop": lambda: chained(""),
    "chain-outside": lambda: chained("00FFFFFF"),
    "split-piece-missing": pieces,
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in KINDS.items():
        (FOLDER / f"{name}.smf").write_bytes(make())


if __name__ == "__main__":
    main()
