"""Write a day as files: one dump per system, one of the tape library, and a file that describes them (the truth)."""

import gzip
import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day, make_day
from iosq.toolkit.sample.planting import Record, scenarios
from iosq.toolkit.sample.records import MAKERS
from iosq.toolkit.sample.records.other import DUMP_HEADER, DUMP_TRAILER, plain
from iosq.toolkit.sample.records.tape_library import KIND as LIBRARY_KIND
from iosq.toolkit.sample.records.tape_library import ends_hour, library_record
from iosq.toolkit.sample.sysplex import SAMPLE, Sysplex, sysplex
from iosq.toolkit.sample.truth import describe, of_day
from iosq.toolkit.show import stages

# block size of a z/OS dump data set on disk
BLOCK_BYTES = 27_998
# hidden, so that it is not ingested along with the folder
TRUTH = ".truth.json"
# maximum of volumes times intervals, for the memory of a laptop: 62 days of 120 volumes
MOST_WRITTEN = 62 * 96 * 120


def _dump(day: Day, records: Iterator[Record], system: int, last: int, minutes: int) -> Iterator[Record]:
    """Records between the dump program's first and last one, damaged by scenarios.

    The dump program runs some minutes after the last interval, on `system`.
    """
    sid = day.sysplex.systems[system].sid
    begun = day.written(last) + timedelta(minutes=minutes)
    ended = begun + timedelta(seconds=20)
    yield Record("2", sid, last, plain((DUMP_HEADER, None), begun, sid, b""))
    for record in records:
        for scenario in day.scenarios:
            record = scenario.damage(record)
        yield record
    yield Record("3", sid, last, plain((DUMP_TRAILER, None), ended, sid, b""))


def system_records(day: Day, system: int, intervals: Sequence[int]) -> Iterator[Record]:
    """All records of one system except those of tape libraries, in order of writing."""
    sid = day.sysplex.systems[system].sid
    makers = [make(day, system) for make in MAKERS]
    for interval in intervals:
        for make in makers:
            for kind, data in make(interval):
                if kind not in day.sysplex.left_out:
                    yield Record(kind, sid, interval, data)


def library_records(day: Day, intervals: Sequence[int]) -> Iterator[Record]:
    """The library's hourly records, from every system."""
    for interval in intervals:
        if ends_hour(day, interval):
            for number, system in enumerate(day.sysplex.systems):
                yield Record(LIBRARY_KIND, system.sid, interval, library_record(day, number, interval))


def dumps(day: Day, intervals: Sequence[int]) -> dict[str, Iterator[Record]]:
    """Records by file name; no record is in two files."""
    plex = day.sysplex
    found = {
        f"{s.sid.lower()}.smf": _dump(day, system_records(day, i, intervals), i, intervals[-1], 5)
        for i, s in enumerate(plex.systems)
    }
    tape = _dump(day, library_records(day, intervals), 0, intervals[-1], 7)
    return {**found, "tapelib.bdw.smf": tape}


def blocked(records: Sequence[bytes]) -> bytes:
    """Records in blocks, each block with its descriptor (BDW)."""
    blocks: list[bytes] = []
    body = b""
    for record in [*records, b""]:
        if body and (not record or len(body) + len(record) > BLOCK_BYTES - 4):
            blocks.append((len(body) + 4).to_bytes(2, "big") + b"\0\0" + body)
            body = b""
        body += record
    return b"".join(blocks)


def content(name: str, records: Sequence[Record]) -> bytes:
    """The unpacked bytes of a file."""
    data = [r.data for r in records]
    return blocked(data) if ".bdw." in name else b"".join(data)


def _save(path: Path, data: bytes) -> Path:
    if path.suffix == ".gz":
        data = gzip.compress(data, 6, mtime=0)
    path.write_bytes(data)
    return path


def write(
    directory: str | Path,
    *,
    seed: int = 1,
    scale: int = 1,
    intervals: Sequence[int] | None = None,
    packed: Sequence[str] = ("sysb.smf",),
    names: Sequence[str] | None = None,
    truth_file: str | Path | None = None,
    plan: str = SAMPLE,
    days: int | range = 1,
) -> list[Path]:
    """Write synthetic SMF dumps of one day, or several, into `directory` and return the files, the truth last.

    Args:
        seed: the same seed gives the same (unpacked) bytes on every machine.
        scale: multiplies LCUs and volumes (1 = 120 volumes), 1 to 28.
        intervals: the 15-minute intervals to write, ascending, by default all; the simulation is not affected.
        names: scenarios to plant; all of them by default.
        days: how often to repeat the day, with growth, quiet weekends and recurring problems. A range selects some of
            many days, in the time and memory of these: the volumes and growth are the same as for all days written
            together, but not the noise.

    Raises:
        RequestError: scale, days, intervals or a scenario name is invalid, or the directory can't be written.
    """
    which = days if isinstance(days, range) else range(days)
    plex = sysplex(scale, plan, len(which), which.start)
    span = _checked(plex, range(plex.intervals) if intervals is None else intervals)
    day = make_day(seed, scale, _known(names, plan), plan, len(which), which.start)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _write(day, folder, span, packed, Path(truth_file or folder / TRUTH))
    except OSError as error:
        raise RequestError(f"can't write sample data: {error.strerror}", place=str(folder)) from error


def _write(day: Day, folder: Path, intervals: Sequence[int], packed: Sequence[str], truth_file: Path) -> list[Path]:
    paths: list[Path] = []
    facts: NewRow = {}
    files = dumps(day, intervals)
    for number, (name, stream) in enumerate(files.items()):
        records = _with_progress(stream, number, len(files), intervals)
        data = content(name, records)
        target = f"{name}.gz" if name in packed else name
        paths.append(_save(folder / target, data))
        facts[target] = describe(records, data)
    truth = json.dumps({**of_day(day, intervals), "files": facts}, indent=1) + "\n"
    return [*paths, _save(truth_file, truth.encode())]


def _with_progress(stream: Iterator[Record], number: int, files: int, intervals: Sequence[int]) -> list[Record]:
    """The records of a file; reports progress by the number of intervals read."""
    seen: set[int] = set()
    records = []
    for record in stream:
        records.append(record)
        seen.add(record.interval)
        stages.progress("sample dumps", number + min(len(seen) / len(intervals), 1.0), files)
    return records


def _known(names: Sequence[str] | None, plan: str) -> tuple[str, ...] | None:
    known = list(scenarios(plan))
    unknown = sorted(set(names or ()) - set(known))
    if unknown:
        raise RequestError(f"no scenario {unknown[0]}", remedy=f"known are {', '.join(known)}")
    return None if names is None else tuple(names)


def _checked(plex: Sysplex, intervals: Sequence[int]) -> list[int]:
    span = list(intervals)
    if not span or span != sorted(set(span)) or not 0 <= span[0] <= span[-1] < plex.intervals:
        raise RequestError(f"intervals must ascend and lie between 0 and {plex.intervals - 1}")
    if len(span) > (most := MOST_WRITTEN // len(plex.volumes)):
        raise RequestError(
            f"{len(span)} intervals of {len(plex.volumes)} volumes are too many at once: at most {most}",
            remedy="choose fewer --days or a smaller --scale; a program can write some intervals at a time",
        )
    return span
