"""Metric families: one gauge for one kind of subject, with its samples from a view of the lake."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from iosq.toolkit.rows import Row, toml
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.guard import rows

# suffix of a column: suffix of the metric, its unit in OpenMetrics, in UCUM (OpenTelemetry), and factor
UNITS = {
    "_ms": ("_seconds", "seconds", "s", 0.001),
    "_bytes_rate": ("_bytes_per_second", "", "By/s", 1.0),
    "_rate": ("_per_second", "", "1/s", 1.0),
    "_bytes": ("_bytes", "bytes", "By", 1.0),
    "_ratio": ("_ratio", "ratio", "1", 1.0),
    "": ("", "", "1", 1.0),
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A value at the end of its interval (microseconds since 1970, UTC); `labels` without unknown ones."""

    labels: Mapping[str, str]
    end_us: int
    value: float


@dataclass(frozen=True, slots=True)
class Family:
    """One gauge for one kind of subject.

    `labels`: columns of the view that distinguish its samples. `floor`: the column that must reach the floor, or empty.
    `stem`: the column without its unit; `name`: that of Prometheus, `iosq_volume_response_seconds`. `unit` (may be
    empty), `ucum` and `factor` as in UNITS.
    """

    subject: str
    column: str
    view: str
    labels: Sequence[str]
    floor: str
    meaning: str
    stem: str
    name: str
    unit: str
    ucum: str
    factor: float


def samples(con: Connection, floor: float, *, is_last: bool) -> Iterator[tuple[Family, Iterator[Sample]]]:
    """Every family with its samples; samples with the same labels are in order of time.

    `floor`: samples below it are left out, if the subject has a floor. `is_last`: only the last interval of each
    system, or of each box if the view has no systems: one query reads all families of a subject, otherwise one each.
    """
    for _, found in groupby(families(), key=lambda family: family.subject):
        group = list(found)
        for asked in [group] if is_last else [[family] for family in group]:
            with rows(con, _statement(asked, floor, is_last=is_last)) as (_, given):
                every = list(given) if is_last else given
                for place, family in enumerate(asked):
                    yield family, _samples(family, every, place)


def _samples(family: Family, rows: Iterable[Sequence[Any]], place: int) -> Iterator[Sample]:
    width = len(family.labels)
    for row in rows:
        value = row[width + 1 + place]
        if value is not None:
            known = {n: str(v) for n, v in zip(family.labels, row[:width], strict=True) if v is not None}
            yield Sample(known, row[width], value * family.factor)


def _statement(asked: Sequence[Family], floor: float, *, is_last: bool) -> str:
    """The SELECT of the samples of families of one subject: labels, end of the interval in microseconds, values."""
    one = asked[0]
    within = "system" if "system" in one.labels else one.labels[0]
    last = f"({within}, interval_start) IN (SELECT ({within}, max(interval_start)) FROM {one.view} GROUP BY {within})"
    conditions = ["interval_start IS NOT NULL"]
    conditions += [f"{one.floor} >= {floor!r}"] if one.floor else []
    conditions += [last] if is_last else [f"{one.column} IS NOT NULL"]
    end = "unix_micros(interval_start) + CAST(round(interval_s * 1000000) AS BIGINT) AS end_us"
    values = ", ".join(f"CAST({family.column} AS DOUBLE) AS {family.column}" for family in asked)
    labels = ", ".join(one.labels)
    return (
        f"SELECT {labels}, {end}, {values} FROM {one.view} WHERE {' AND '.join(conditions)} ORDER BY {labels}, end_us"
    )


def families() -> list[Family]:
    """All families, grouped by subject."""
    meanings = {(v.name, c.name): c.meaning for v in views() for c in v.columns}
    subjects = toml(__package__, "subjects.toml").items()
    return [_family(name, of, column, meanings[of["view"], column]) for name, of in subjects for column in of["gauges"]]


def _family(subject: str, of: Row, column: str, meaning: str) -> Family:
    ending = next(ending for ending in UNITS if column.endswith(ending))
    stem, (suffix, unit, ucum, factor) = column.removesuffix(ending), UNITS[ending]
    name, labels = f"iosq_{subject}_{stem}{suffix}", tuple(of["labels"])
    return Family(subject, column, of["view"], labels, of.get("floor", ""), meaning, stem, name, unit, ucum, factor)
