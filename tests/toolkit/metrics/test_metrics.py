"""Metrics: the last interval for Prometheus and OpenTelemetry, every interval for a back-fill."""

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import iosq
from iosq.toolkit import post
from iosq.toolkit.metrics.families import families
from iosq.toolkit.sample import write

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
SAMPLE = re.compile(r'(\w+)\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\} (\S+)(?: (\S+))?')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> iosq.Lake:
    folder = tmp_path_factory.mktemp("metrics")
    write(folder / "dumps", intervals=[40, 41], packed=(), names=["hot_volume"])
    iosq.ingest(folder / "lake", [folder / "dumps"])
    return iosq.open(folder / "lake")


def samples(text: str) -> Iterator[tuple[str, dict[str, str], float, str]]:
    for line in text.splitlines():
        if not line.startswith("#"):
            found = SAMPLE.fullmatch(line)
            assert found, line
            yield found[1], dict(LABEL.findall(found[2])), float(found[3]), found[4]


@pytest.fixture(scope="module")
def last(lake: iosq.Lake, tmp_path_factory: pytest.TempPathFactory) -> str:
    target = tmp_path_factory.mktemp("text") / "iosq.prom"
    lake.metrics(target)
    return target.read_text()


def test_values_are_those_of_the_last_interval_in_base_units(lake: iosq.Lake, last: str) -> None:
    expected = lake.sql("""
        SELECT volume, response_ms / 1000 AS s FROM volume_interval WHERE system = 'SYSA' AND io_rate >= 1
        AND interval_start = (SELECT max(interval_start) FROM volume_interval WHERE system = 'SYSA')""")
    name = "iosq_volume_response_seconds"
    found = {ls["volume"]: v for n, ls, v, _ in samples(last) if n == name and ls["system"] == "SYSA"}
    assert found == pytest.approx(dict(expected.rows()))
    assert found


def test_every_family_has_its_type_and_unit_once_and_the_text_ends(last: str) -> None:
    heads = re.findall(r"^# TYPE (\w+) gauge$", last, re.MULTILINE)
    assert len(set(heads)) == len(heads)
    assert set(heads) <= {f.name for f in families()}
    assert all(name.endswith(f"_{unit}") for name, unit in re.findall(r"^# UNIT (\w+) (\w+)$", last, re.MULTILINE))
    assert last.endswith("# EOF\n")


def test_no_two_samples_have_the_same_labels(last: str) -> None:
    found = [(name, tuple(labels.items())) for name, labels, _, _ in samples(last)]
    assert len(set(found)) == len(found)


def test_a_backfill_has_every_interval_in_the_order_of_time(lake: iosq.Lake, tmp_path: Path) -> None:
    lake.metrics(tmp_path / "all.prom", backfill=True, floor=0)
    times: dict[str, list[float]] = {}
    for name, labels, _, stamp in samples((tmp_path / "all.prom").read_text()):
        times.setdefault(f"{name}{labels}", []).append(float(stamp))
    assert all(found == sorted(set(found)) for found in times.values())
    assert max(map(len, times.values())) == 2


def test_hostile_names_stay_inside_their_labels(tmp_path: Path) -> None:
    from iosq.toolkit.metrics.openmetrics import _line

    name = 'A"\\\nB'
    line = _line(families()[0], next(_made(name)), backfill=False)
    ((_, labels, _, _),) = samples(line)
    assert labels["volume"].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\") == name
    assert line.count("\n") == 1


def _made(volume: str) -> Iterator[Any]:
    from iosq.toolkit.metrics.families import Sample

    yield Sample({"volume": volume}, 0, 1.0)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_takes_the_text_and_makes_blocks(lake: iosq.Lake, last: str, tmp_path: Path) -> None:
    subprocess.run(["promtool", "check", "metrics"], input=last.encode(), check=True)
    lake.metrics(tmp_path / "all.prom", backfill=True)
    subprocess.run(
        ["promtool", "tsdb", "create-blocks-from", "openmetrics", tmp_path / "all.prom", tmp_path / "tsdb"], check=True
    )
    listed = subprocess.run(["promtool", "tsdb", "list", tmp_path / "tsdb"], check=True, capture_output=True, text=True)
    assert len(listed.stdout.splitlines()) > 1


@contextmanager
def collector(*codes: int) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """Answers with these codes in turn, then with 200; the paths and contents that it got."""
    got: list[tuple[str, Any]] = []
    answers = iter(codes)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            self.send_response(next(answers, 200))
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", got
    server.shutdown()
    server.server_close()


def attributes(of: list[dict[str, Any]]) -> dict[str, str]:
    return {one["key"]: one["value"]["stringValue"] for one in of}


def test_a_collector_gets_the_same_values_by_system_and_sysplex(lake: iosq.Lake, last: str) -> None:
    with collector() as (url, got):
        sent = lake.send_metrics(url)
    ((path, content),) = got
    assert path == "/v1/metrics"
    resources = {attributes(r["resource"]["attributes"]).get("zos.smf.id", ""): r for r in content["resourceMetrics"]}
    assert set(resources) == {"SYSA", "SYSB", ""}
    sysplex = lake.sql("SELECT max(SMF74XNM) FROM smf74_1_record").item().strip()
    assert attributes(resources["SYSA"]["resource"]["attributes"])["zos.sysplex.name"] == sysplex
    metrics = [m for r in resources.values() for m in r["scopeMetrics"][0]["metrics"]]
    values = sorted(p["asDouble"] for m in metrics for p in m["gauge"]["dataPoints"])
    assert values == pytest.approx(sorted(v for _, _, v, _ in samples(last)))
    assert sent == len(values)


def test_an_overloaded_collector_is_asked_again_and_a_refusal_is_one_line(
    lake: iosq.Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post, "WAITS_S", (0.0, 0.0))
    with collector(503) as (url, got):
        lake.send_metrics(url)
    assert len(got) == 2
    with collector(400) as (url, got), pytest.raises(iosq.RequestError, match="the collector answers 400"):
        lake.send_metrics(url)
    assert len(got) == 1
    with pytest.raises(iosq.RequestError, match="does not answer"):
        lake.send_metrics("http://127.0.0.1:9")
    with pytest.raises(iosq.RequestError, match="no web address"):
        lake.send_metrics("file:///etc/passwd")


READY = [REFERENCE / "grafana-dashboard.json", REFERENCE / "prometheus-alerts.json"]


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_ready_files_name_metrics_and_labels_that_there_are(path: Path) -> None:
    known = {family.name: family.labels for family in families()}
    expressions = re.findall(r'"(?:expr|query)": "((?:[^"\\]|\\.)*iosq_(?:[^"\\]|\\.)*)"', path.read_text("utf-8"))
    assert expressions
    for text in expressions:
        names = re.findall(r"iosq_\w+", text)
        assert set(names) <= known.keys(), text
        labels = re.findall(r"[{(,]\s*(\w+)\s*(?==~|[,)]\s)", text)
        common = set.intersection(*(set(known[name]) for name in names))
        assert set(labels) - {"10"} <= common | set(names), text


def test_panels_have_titles_units_and_places_of_their_own() -> None:
    content = json.loads(READY[0].read_text("utf-8"))
    places = {(p["gridPos"]["x"], p["gridPos"]["y"]) for p in content["panels"]}
    assert len(places) == len(content["panels"]) == len({p["id"] for p in content["panels"]}) > 5
    assert all(p["title"] and p["fieldConfig"]["defaults"]["unit"] for p in content["panels"])


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_takes_the_alert_rules() -> None:
    done = subprocess.run(["promtool", "check", "rules", READY[1]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
