"""Write OpenMetrics text, version 1.0, for Prometheus to scrape, read from a file, or import as blocks.

https://prometheus.io/docs/specs/om/open_metrics_spec/
"""

from collections.abc import Iterator

from iosq.toolkit.metrics.families import Family, Sample, samples
from iosq.toolkit.sql.engine import Connection

ENDINGS = (".prom", ".om", ".txt")
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


def lines(con: Connection, floor: float, *, backfill: bool) -> Iterator[str]:
    """The lines of the exposition; `backfill`: every interval with its time stamp, in place of the last one without."""
    for family, found in samples(con, floor, is_last=not backfill):
        for number, sample in enumerate(found):
            if not number:
                yield from _head(family)
            yield _line(family, sample, backfill=backfill)
    yield "# EOF\n"


def _head(family: Family) -> Iterator[str]:
    yield f"# TYPE {family.name} gauge\n"
    if family.unit:
        yield f"# UNIT {family.name} {family.unit}\n"
    yield f"# HELP {family.name} {family.meaning.translate(_ESCAPED)}\n"


def _line(family: Family, sample: Sample, *, backfill: bool) -> str:
    labels = ",".join(f'{name}="{value.translate(_ESCAPED)}"' for name, value in sample.labels.items())
    stamp = f" {sample.end_us / 1e6}" if backfill else ""
    return f"{family.name}{{{labels}}} {sample.value!r}{stamp}\n"
