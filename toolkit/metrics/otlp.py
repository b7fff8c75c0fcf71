"""Send the gauges to an OpenTelemetry collector, by OTLP over HTTP in JSON.

https://opentelemetry.io/docs/specs/otlp/ ; `zos.smf.id` and `zos.sysplex.name` follow its semantic conventions.
"""

import json
from collections.abc import Mapping, Sequence

from iosq.toolkit.metrics.families import Family, Sample, samples
from iosq.toolkit.post import checked, post
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

SYSPLEXES = load(__package__, "sysplexes.sql")
Json = dict[str, object]


def send(con: Connection, url: str, floor: float) -> int:
    """Send the last interval to a collector; returns the number of values.

    `url` is such as http://localhost:4318; `/v1/metrics` is added if it has no path. RequestError if it is invalid, or
    the collector refuses or does not answer.
    """
    address = _address(url)
    found = [(family, sample) for family, own in samples(con, floor, is_last=True) for sample in own]
    if found:
        sysplexes = {r["system"]: r["sysplex"] for r in ask(con, SYSPLEXES).to_pylist()}
        content = json.dumps({"resourceMetrics": _resources(found, sysplexes)}).encode()
        post(address, content, option="--otlp", receiver="the collector")
    return len(found)


def _resources(found: Sequence[tuple[Family, Sample]], sysplexes: Mapping[str, str]) -> list[Json]:
    """The measurements as one resource per system; boxes and subsystems have an empty system."""
    grouped: dict[str, dict[str, tuple[Family, list[Json]]]] = {}
    for family, sample in found:
        metrics = grouped.setdefault(sample.labels.get("system", ""), {})
        metrics.setdefault(family.name, (family, []))[1].append(_point(sample))
    return [
        {
            "resource": {"attributes": _attributes(_resource(system, sysplexes.get(system, "")))},
            "scopeMetrics": [{"scope": {"name": "iosq"}, "metrics": [_metric(*of) for of in metrics.values()]}],
        }
        for system, metrics in grouped.items()
    ]


def _resource(system: str, sysplex: str) -> dict[str, str]:
    known = {"service.name": "iosq", "zos.smf.id": system, "zos.sysplex.name": sysplex}
    return {name: value for name, value in known.items() if value}


def _address(url: str) -> str:
    rest = checked(url, "--otlp", "http://localhost:4318").partition("://")[2]
    return url if "/" in rest.rstrip("/") else f"{url.rstrip('/')}/v1/metrics"


def _metric(family: Family, points: Sequence[Json]) -> Json:
    name = f"iosq.{family.subject}.{family.stem}"
    return {"name": name, "unit": family.ucum, "description": family.meaning, "gauge": {"dataPoints": points}}


def _point(sample: Sample) -> Json:
    own = {name: value for name, value in sample.labels.items() if name != "system"}
    return {"attributes": _attributes(own), "timeUnixNano": str(sample.end_us * 1000), "asDouble": sample.value}


def _attributes(values: Mapping[str, str]) -> list[Json]:
    return [{"key": name, "value": {"stringValue": value}} for name, value in values.items()]
