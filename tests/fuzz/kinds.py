"""The kinds of input that are mutated: sound ones to begin with, and what reading one means."""

import atexit
import bz2
import gzip
import hashlib
import io
import lzma
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp

from iosq.parsers.api import Balance, Batch, Context, Issue
from iosq.parsers.arrow import encoded_schema, schema
from iosq.parsers.packaging import unpack
from iosq.parsers.registry import certain, diagnose, readers, recognise
from iosq.toolkit.errors import InputError

ROOT = Path(__file__).parents[2]
HEAD_BYTES = 1 << 16
UNPACK_BYTES = 1 << 20
LARGEST_SEED = 1 << 15
SMALL_SEED = 1 << 13
"""Where each byte costs much: four times as many inputs in the same time."""
SMALLER_SEED = 1 << 11
"""Where a byte becomes a thousand."""


# every array with times looks for it on the disk, again and again
sys.modules["dateutil"] = None  # type: ignore[assignment]
sys.path += [str(ROOT / "tests/parsers/packaging"), str(ROOT / "tests/parsers/monwrite"), str(ROOT / "tests/parsers")]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of input: its sound examples, and a function that reads one and gives what must not change.

    `parts` are examples; many may stand in one file, `fitted` makes a mutated one stand there, `headed` parts
    one into its heading and its rows.
    """

    name: str
    seeds: Callable[[], list[bytes]]
    read: Callable[[bytes, Random], object]
    text: bool = False
    parts: Callable[[], list[bytes]] | None = None
    fitted: Callable[[bytes], bytes] = bytes
    headed: Callable[[bytes], tuple[bytes, bytes]] | None = None


ROW = re.compile(rb"^.*(?:(?<= )(?:[0-9]+\.?[0-9]*|\.+|\.[0-9]+)(?: .*|$)){4}", re.M)
"""A line of four numbers."""


class Pieces(io.BytesIO):
    """A stream that gives what it likes, up to what it is asked for."""

    name = "mutated"

    def __init__(self, data: bytes, random: Random) -> None:
        super().__init__(data)
        self._random = random

    def read(self, size: int | None = -1, /) -> bytes:
        whole = size is None or size < 2 or self._random.random() < 0.5
        return super().read(size if whole else self._random.randint(1, size or 1))


def reading(name: str) -> Callable[[bytes, Random], object]:
    """Reads with the reader called `name` and checks what every reader promises."""

    def read(data: bytes, random: Random) -> object:
        head = data[:HEAD_BYTES]
        recognise(head), certain(head), diagnose(head)
        reader = next(r for r in readers() if r.kind == name)
        tables, balance, rows, reported = {t.name: t for t in reader.tables()}, Balance(), Counter[str](), 0
        try:
            for item in reader.read(Pieces(data, random), balance, Context(), **_sized(name, random)):
                if isinstance(item, Issue):
                    reported += 1
                    continue
                assert item.rows.schema in (schema(tables[item.table]), encoded_schema(tables[item.table]))
                rows.update(_digests(item))
        except InputError as error:
            assert "\n" not in str(error), "an error is one line"
            return "refused"
        assert balance.balanced, f"out of balance: {balance}"
        assert balance.total_bytes == len(data), f"{balance.total_bytes} of {len(data)} bytes accounted for"
        assert reported or not (balance.failed or balance.lost_bytes), "something was lost and nothing reported"
        return rows

    return read


def _sized(name: str, random: Random) -> dict[str, int]:
    """Chunks of a size that small inputs reach; clearing one of 32 MB for each would be nearly all the time."""
    return {"chunk": random.choice((1, 1 << 18))} if name == "smf" else {}


def _digests(batch: Batch) -> Iterator[str]:
    for row in batch.rows.to_pylist():
        yield hashlib.blake2b(f"{batch.table}{row}".encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


@cache
def _place() -> Path:
    """Where every package stands while it is read: making a file anew each time takes longer than many a read."""
    folder = Path(mkdtemp())
    atexit.register(rmtree, folder, ignore_errors=True)
    return folder / "package"


def unpacking(data: bytes, random: Random) -> object:
    """Takes the packaging off and gives a digest of what came out; bounded by `UNPACK_BYTES`."""
    given: list[object] = []
    (place := _place()).write_bytes(data)
    try:
        for member in unpack(place, UNPACK_BYTES):
            digest, size = hashlib.blake2b(), 0
            try:
                while piece := member.read(HEAD_BYTES):
                    digest.update(piece)
                    size += len(piece)
            except InputError as error:
                assert "\n" not in str(error), "an error is one line"
                given.append("refused")
            assert size <= UNPACK_BYTES
            given += [digest.hexdigest(), member.layers, sorted(i.message for i in member.issues)]
    except InputError as error:
        given += ["refused", str(error).removeprefix(str(place))]
    return given


def _files(*patterns: str, most: int = LARGEST_SEED) -> list[bytes]:
    return [p.read_bytes()[:most] for pattern in patterns for p in sorted(ROOT.glob(pattern))]


@cache
def _records() -> list[bytes]:
    """One record of each kind in the sample dumps."""
    found: dict[tuple[int, bytes], bytes] = {}
    for path in sorted((ROOT / "sample-data/smf").glob("*.gz")):
        data, at = gzip.decompress(path.read_bytes()), 0
        while at + 24 < len(data):
            size = int.from_bytes(data[at : at + 2], "big")
            record = data[at : at + size]
            found.setdefault((record[5], record[22:24]), record)
            at += max(size, 4)
    return [r for r in found.values() if len(r) <= LARGEST_SEED]


def _small_records() -> list[bytes]:
    return [r for r in _records() if len(r) <= SMALL_SEED]


@cache
def _smf() -> list[bytes]:
    """Records, alone and in pairs, and dumps: broken ones that were kept, published ones, one in blocks."""
    records = _records()
    pairs = [a + b for a, b in zip(records, records[1:] + records[:1], strict=True)]
    return [
        *records,
        *pairs,
        *_files("tests/broken/smf/*.smf", "sample-data/smf/*.bdw.smf", "sample-data/real-smf/TEST*"),
    ]


def _record(data: bytes) -> bytes:
    """Under its true length, so that the next record is found."""
    return len(data).to_bytes(2, "big") + data[2:] if 4 <= len(data) < 1 << 15 else b""


def _line(data: bytes) -> bytes:
    return data.rstrip(b"\n") + b"\n"


def _headed(data: bytes) -> tuple[bytes, bytes]:
    """A listing up to its first line of numbers, and from there on."""
    first = ROW.search(data)
    assert first, "no listing without rows is among the examples"
    return data[: first.start()], data[first.start() :]


def _page(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4096)


def _rmf() -> list[bytes]:
    return _files("tests/golden/rmf/*.txt", "sample-data/rmf/*[23].txt")


def _documents(largest: int = SMALL_SEED) -> list[bytes]:
    """Those that are whole: what follows half a document is lost with it."""
    return [data for data in _files("tests/golden/rmf/*.xml", "sample-data/rmf/*.xml") if len(data) < largest]


def _fcx() -> list[bytes]:
    return _files("tests/golden/fcx/*.txt")


@cache
def _monwrite() -> list[bytes]:
    import mon_support as mon

    records = [mon.system(), mon.device(1, "0200", "VOL001")]
    samples = [mon.encode(name, mon.minute(i)) for name in mon.BY_NAME for i in range(3)]
    return [mon.file([*records, *samples[:3]]), mon.file(records, samples[:6]), mon.file(samples[1::3], records)]


@cache
def _small_files() -> list[bytes]:
    """A file with few samples of each kind, and one that names system and device."""
    import mon_support as mon

    samples = [mon.file([mon.encode(name, mon.minute(i)) for i in range(2)]) for name in mon.BY_NAME]
    return [mon.file([mon.system(), mon.device(1, "0200", "VOL001")]), *samples]


@cache
def _package(name: str) -> list[bytes]:
    """Small texts and dumps wrapped in a package, once and twice."""
    import packaging_writers as writers

    inner = [b"", *_files("tests/golden/fcx/fcx108.txt", "tests/broken/smf/garbage-between.smf")]
    wrap = {"bzip2": bz2.compress, "xz": lzma.compress, **writers.WRAPPERS}[name]
    packed = [wrap(data) for data in inner]
    again = [wrap(writers.gzip_file(inner[-1])), writers.zip_file({"a": packed[-1], "b": packed[1]})]
    real = {
        "terse": ("sample-data/packaging/*.?PACK", "sample-data/packaging/*.PACK"),
        "xmit": ("sample-data/packaging/*.xmit",),
    }
    return [*packed, *again, *_files(*real.get(name, ()), most=SMALLER_SEED)]


PACKAGES = ("gzip", "zip", "bzip2", "xz", "zstd", "terse", "xmit")
KINDS: dict[str, Kind] = {
    k.name: k
    for k in (
        Kind("smf", _smf, reading("smf"), parts=_small_records, fitted=_record),
        Kind(
            "rmf",
            _rmf,
            reading("rmf.listing"),
            text=True,
            parts=_rmf,
            fitted=_line,
            headed=_headed,
        ),
        Kind(
            "rmfxml",
            lambda: _files("tests/golden/rmf/*.xml", "sample-data/rmf/*.xml", most=SMALL_SEED),
            reading("rmf.xml"),
            text=True,
            parts=_documents,
            fitted=_line,
        ),
        Kind("fcx", _fcx, reading("fcx"), text=True, parts=_fcx, fitted=_line, headed=_headed),
        Kind("monwrite", _monwrite, reading("monwrite"), parts=_small_files, fitted=_page),
        *(Kind(name, lambda name=name: _package(name), unpacking) for name in PACKAGES),  # type: ignore[misc]
    )
}
