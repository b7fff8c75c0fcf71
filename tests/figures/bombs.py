"""Small or simple inputs that request excessive resources: refused or bounded, at a named limit.

Each input is generated while it is read. The steps of `iosq ingest` read it in a separate process, whose memory is
measured. `docs/explanation/limits.md` lists the limits and how to set them.
"""

import bz2
import gzip
import lzma
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import iosq
from tests.figures.children import asked, warm
from tests.figures.kept import ROOT, Figure, Line, failures, number

MOST_MB = 512
ZEROS = 1 << 28
LINE_BYTES = 500_000_000
UNPACK = "--unpack-limit"
Input = Callable[[Path], Path]


def _writers():  # type: ignore[no-untyped-def]
    sys.path.append(str(ROOT / "tests/parsers/packaging"))
    import packaging_writers

    return packaging_writers


def _packed(name: str, pack: Callable[[bytes], bytes]) -> Input:
    def write(folder: Path) -> Path:
        (path := folder / name).write_bytes(pack(bytes(ZEROS)))
        return path

    return write


def _nested(folder: Path) -> Path:
    data = gzip.compress(bytes(1 << 20))
    for _ in range(12):
        data = gzip.compress(data)
    (path := folder / "nested.gz").write_bytes(data)
    return path


def _terse(_: bytes) -> bytes:
    """Codes that write 1, 1, 2, 3, 5 … bytes."""
    return bytes(_writers().terse_file([2, 2, *range(258, 3000)], version=5, variable=False, lrecl=1))


def _xmit(data: bytes) -> bytes:
    return gzip.compress(bytes(_writers().xmit_file([data[:60000]] * 4000)))


def _entities(folder: Path) -> Path:
    names = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 30))
    sound = (ROOT / "tests/golden/rmf/reports.xml").read_text("utf-8")
    head, mark, rest = sound.partition("?>")
    text = f'{head}{mark}<!DOCTYPE x [<!ENTITY e0 "lol">{names}]>{rest}' if mark else f"<!DOCTYPE x [{names}]>{sound}"
    (path := folder / "entities.xml").write_text(text, "utf-8")
    return path


def _line(folder: Path) -> Path:
    path = folder / "line.txt"
    with path.open("wb") as file:
        file.write((ROOT / "tests/golden/fcx/fcx108.txt").read_bytes()[:2500])
        for _ in range(LINE_BYTES >> 20):
            file.write(b"9" * (1 << 20))
    return path


def _sections(folder: Path) -> Path:
    """A triplet whose count is the most that its bytes can say."""
    data = (ROOT / "tests/broken/smf/triplet-count-overflow.smf").read_bytes()
    assert b"\xff\xff" in data
    (path := folder / "sections.smf").write_bytes(data)
    return path


BOMBS: dict[str, tuple[Input, str]] = {
    "zip": (_packed("bomb.zip", lambda d: bytes(_writers().zip_file({"a": d}))), UNPACK),
    "gzip": (_packed("bomb.gz", gzip.compress), UNPACK),
    "bzip2": (_packed("bomb.bz2", bz2.compress), UNPACK),
    "xz": (_packed("bomb.xz", lambda d: lzma.compress(d, preset=1)), UNPACK),
    "zstd": (_packed("bomb.zst", lambda d: bytes(_writers().zstd_file(d))), UNPACK),
    "terse": (_packed("bomb.trs", _terse), UNPACK),
    "XMIT in gzip": (_packed("bomb.xmi.gz", _xmit), UNPACK),
    "13 gzip in each other": (_nested, "3 deep"),
    "XML entities, 10 to the 30th": (_entities, ""),
    "a line of 500 MB": (_line, ""),
    "65,535 sections in a record of 100 bytes": (_sections, ""),
}
"""Inputs, and a word of the refusal; '' where they are read within bounds, and reported as issues."""


def outcome(path: Path) -> Line:
    """Ingest one, with 64 MiB to unpack to: the output, and what it took."""
    size, begun, before = path.stat().st_size, time.process_time(), _peak_mb()
    (done,) = iosq.ingest(path.parent / "lake", [path], unpack_limit_bytes=1 << 26)
    reported = done.reason or f"{len(done.issues)} issues: {done.issues[0].message if done.issues else ''}"
    seconds = round(time.process_time() - begun, 1)
    reported = reported.replace(f"{path.parent}/", "")
    return {"bytes": size, "status": done.status, "stated": reported[:130], "mb": _peak_mb() - before, "cpu_s": seconds}


def _peak_mb() -> int:
    # not getrusage: its peak counts the process that started this one, too
    return int(Path("/proc/self/status").read_text("ascii").partition("VmHWM:")[2].split()[0]) >> 10


def dropped(what: str) -> Line:
    """What became of one bomb."""
    write, word = BOMBS[what]
    with tempfile.TemporaryDirectory(prefix="iosq-bombs-") as name:
        path = asked(lambda: write(Path(name)))
        try:
            line = asked(lambda: outcome(path))
        except RuntimeError as error:
            return {"what": what, "wrong": [str(error)]}
    wrong = [f"takes {line['mb']} MB"] if number(line, "mb") > MOST_MB else []
    if (
        word not in str(line["stated"])
        or "\n" in str(line["stated"])
        or (not word and str(line["stated"]).startswith("0"))
    ):
        wrong.append(f"printed {line['stated']}")
    return {"what": what, **line, "wrong": wrong}


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Those that are not kept yet, at most `count`."""
    warm()
    left = [what for what in BOMBS if what not in {n["what"] for n in kept}]
    yield from map(dropped, left[:count])


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """Bombs with what became of them."""
    return [
        ("input", "bytes", "status", "message", "MB more", "CPU s", "failed"),
        *(
            (str(n["what"]), f"{number(n, 'bytes'):,}", str(n.get("status")), str(n.get("stated")), str(n.get("mb")),
             str(n.get("cpu_s")), str(len(failures([n]))))
            for n in kept
        ),
    ]  # fmt: skip


FIGURE = Figure(
    "bombs",
    "Inputs that request excessive resources",
    f"refused or bounded at a named limit, at most {MOST_MB} MB",
    run,
    table,
    failures,
)
