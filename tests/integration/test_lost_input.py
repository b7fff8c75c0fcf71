"""A law: without one column of an input, findings say less about the same subjects, and nothing else.

Readers are tested to lose no value without an issue, so a column that is lost is one of NULLs in a raw table.
"""

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from memory_lake import filled
from test_dump_and_listing import listing

from iosq.parsers.api import Balance, Batch, Context
from iosq.parsers.registry import recognise, tables
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.sample.day import make_day
from iosq.toolkit.sql.catalog import views
from tests.days import CLINIC
from tests.length import tried
from tests.materialised import materialised
from tests.planted import TEXTS
from tests.scoring import memory
from tests.situations_independent.cp import Listing
from tests.situations_independent.run import names, situation_called

GOLDEN = Path(__file__).parents[1] / "golden" / "rmf"
PRINTED = ("xml-cache.xml", "xml-ioq.xml", "xml-chan.xml", "ess-ranks.txt")
Column = tuple[str, str]
READ = Counter(re.findall(r"\w+", " ".join(source.sql for view in views() for source in view.sources)))
# they say what a row is about and when it was measured, stand behind another value without a heading of their own, or
# have a second measure that stands in (`wait_source` says sampled)
IDENTITY = re.compile(
    r"(.*_id|(parent|section)_index|record_offset|line|system|interval_s\w*|utc_offset_s|device|volser|addr|lcu|path|"
    r"subsystem|serial|chpid|\w*mark|samples|SMF74(NUM|SER|LCU|SUB)|R745(DEVN|DVID|DVOL|SSID)|R783ID\d|R783CPID|SMF73PID|SMF74IOS)"
)
# of what is predicted: another input makes it wider, or another estimate
PREDICTED = re.compile(r"likely|at best|at worst|best rate|highest rate|fewest aliases|bound|aliases help")
# over the rows that are known, or the largest of the ratios that are
SUM = re.compile(r"open per channel|queue, mean of the worst|IOSQ of an LCU|other channels to disks")


def batches(data: bytes) -> dict[str, list[pa.RecordBatch]]:
    reader, found = recognise(data[: 1 << 16]), dict[str, list[pa.RecordBatch]]()
    assert reader is not None
    source = io.BytesIO(data)
    source.name = "input"  # type: ignore[attr-defined]
    for item in reader.read(source, Balance(), Context()):
        if isinstance(item, Batch):
            found.setdefault(item.table, []).append(item.rows)
    return found


def records() -> duckdb.DuckDBPyConnection:
    return memory.lake(make_day(1, plan=CLINIC))


def printed() -> duckdb.DuckDBPyConnection:
    """The same day as a device report, and reports of other kinds."""
    return filled([batches(listing(records())), *(batches((GOLDEN / name).read_bytes()) for name in PRINTED)])


def performance_toolkit(folder: Path) -> duckdb.DuckDBPyConnection:
    shops = {n: situation_called(n).shop for n in names() if n.startswith("cp_")}
    stories = [replace(shop, system=n[3:11].upper()) for n, shop in shops.items() if isinstance(shop, Listing)]
    return filled([batches(story.write(folder)[0].read_bytes()) for story in stories])


def columns(con: duckdb.DuckDBPyConnection, source: str) -> list[tuple[Column, ...]]:
    """Columns with values that views read, those that most of them read first; a field of bits with its bits."""
    found: list[tuple[Column, ...]] = []
    for table in tables().values():
        held = [c.name for c in table.columns if c.name in READ and not IDENTITY.fullmatch(c.name)]
        if not table.name.startswith(source) or table.name not in READ or not held:
            continue
        counts = con.execute(f"SELECT {', '.join(f'count({name})' for name in held)} FROM {table.name}").fetchone()
        every = [c.name for c in table.columns]
        whole = [name for name, count in zip(held, counts or (), strict=True) if count and _field(name, every) == name]
        found += [tuple((table.name, n) for n in every if n == name or _field(n, every) == name) for name in whole]
    return sorted(found, key=lambda group: (-READ[group[0][1]], group))


def _field(name: str, every: Sequence[str]) -> str:
    field = name.rpartition("_")[0]
    return field if field in every and field.isupper() else name


@contextmanager
def without(con: duckdb.DuckDBPyConnection, lost: Iterable[Column]) -> Iterator[None]:
    lost = list(lost)
    for table, name in lost:
        con.execute(f"CREATE TEMP TABLE lost_{table}_{name} AS SELECT rowid AS place, {name} AS value FROM {table}")
        con.execute(f"UPDATE {table} SET {name} = NULL")
    yield
    for table, name in lost:
        con.execute(f"UPDATE {table} SET {name} = value FROM lost_{table}_{name} WHERE place = {table}.rowid")
        con.execute(f"DROP TABLE lost_{table}_{name}")


def found_in(con: duckdb.DuckDBPyConnection) -> list[Finding]:
    with materialised(con, TEXTS) as copy:
        return [f for rule in all_rules() for f in apply(copy, rule)]


def zeros(f: Finding) -> int:
    return len(re.findall(r"(?<![\d.,:-])0(\.0+)? (%|ms|I/Os)", f"{f.whole_text} {f.advice}"))


def wrong(whole: list[Finding], less: list[Finding]) -> Iterator[str]:
    """What findings say that they did not say with the column."""
    codes, known = {f.code for f in whole}, {(f.code, str(f.subject)): f for f in whole}
    for f in less:
        before, text = known.get((f.code, str(f.subject))), f"{f.whole_text}. {f.advice}"
        if re.search(r"\bNone\b|\bnan\b", text) or (before and zeros(f) > zeros(before)):
            yield text
        # a cause that is no longer known makes its effect one without a cause; a box without a name is an LCU
        if before is None and f.code not in codes and f.confidence != "low" and not f.code.endswith("_unexplained"):
            yield f"new: {f.code} {text}"
        if before is not None:
            yield from other_numbers(before, f)


def other_numbers(before: Finding, after: Finding) -> Iterator[str]:
    """Measured numbers that are others than before; those that were unknown may be known otherwise."""
    numbers = {n.name: n.value for n in before.numbers if not (PREDICTED.search(n.name) or SUM.search(n.name))}
    for n in after.numbers:
        value = numbers.get(n.name)
        if None in (value, n.value) or isinstance(value, str):
            continue  # unknown, or the time of the worst interval
        if n.value != pytest.approx(value, rel=0.01):
            yield f"{after.code} {after.subject}: {n.name} was {value}, is {n.value}"


AT_ONCE = 4  # columns of different tables: each alone would take four times as long
SOURCES: dict[str, Callable[[Path], duckdb.DuckDBPyConnection]] = {
    "smf": lambda _: records(), "rmf": lambda _: printed(), "fcx": performance_toolkit,
}  # fmt: skip


def together(groups: list[tuple[Column, ...]]) -> Iterator[list[Column]]:
    left = list(groups)
    while left:
        chosen: list[tuple[Column, ...]] = []
        for group in left:
            if len(chosen) < AT_ONCE and group[0][0] not in {c[0][0] for c in chosen}:
                chosen.append(group)
        left = [group for group in left if group not in chosen]
        yield [column for group in chosen for column in group]


@pytest.mark.parametrize("source", SOURCES)
def test_without_a_column_of_the_input_findings_say_less_and_nothing_else(source: str, tmp_path: Path) -> None:
    con = SOURCES[source](tmp_path)
    whole = found_in(con)
    assert len(whole) > 5
    for lost in [*together(columns(con, source))][: tried(1, 1000)]:
        with without(con, lost):
            less = found_in(con)
        assert not [*wrong(whole, less)], lost
