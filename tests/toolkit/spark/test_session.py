"""What is missing for Spark is one line with its remedy, before anything starts. Hardly anything here needs Spark."""

import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from iosq.toolkit.cli.main import build
from iosq.toolkit.errors import RequestError
from iosq.toolkit.spark import installed, session
from iosq.toolkit.spark.message import message as in_one_line
from iosq.toolkit.spark.session import insist_master
from iosq.toolkit.sql.limits import IN_FORCE
from tests.command import invoked

REMEDY = "install Java 17 or 21, or set JAVA_HOME to where it is"


def java(folder: Path, version: str) -> Path:
    path = folder / "bin" / "java"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2020-01-01' >&2\n")
    path.chmod(0o755)
    return path


def text(work: Callable[[], None]) -> str:
    with pytest.raises(RequestError) as shown:
        work()
    return str(shown.value)


def test_a_missing_java_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(installed.importlib.util, "find_spec", lambda _: None)
    assert text(installed.java_at_hand) == f"Spark needs Java, which is not installed; {REMEDY}"
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert text(installed.java_at_hand) == f"JAVA_HOME={tmp_path}: there is no Java; {REMEDY}"


@pytest.mark.parametrize(("version", "number"), [("1.8.0_292", 8), ("11.0.11", 11)])
def test_an_old_java_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, number: int) -> None:
    path = java(tmp_path, version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert text(installed.java_at_hand) == f"{path}: is Java {number}: Spark needs 17 or later; {REMEDY}"


@pytest.mark.parametrize("version", ["17.0.15", "21", "25-ea"])
def test_a_java_that_does_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str) -> None:
    java(tmp_path, version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    installed.java_at_hand()


@pytest.mark.parametrize("master", [None, "local", "local[4]", "local[*]", "local[2,3]", "local-cluster[2,1,1024]"])
def test_masters_that_need_no_asking_are_taken(master: str | None) -> None:
    insist_master(master)


def test_yarn_is_taken_where_its_configuration_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert text(lambda: insist_master("yarn")) == (
        "--master: yarn needs a configuration, but neither HADOOP_CONF_DIR nor YARN_CONF_DIR is set; "
        "set one to the folder with the cluster's yarn-site.xml"
    )
    monkeypatch.setenv("YARN_CONF_DIR", "/etc/hadoop")
    insist_master("yarn")


@pytest.mark.parametrize(
    "master", ["lokal[2]", "spark:/host:7077", "local[two]", "local[0]", "", "mesos://host", "k8s://"]
)
def test_what_is_no_master_is_reported(master: str) -> None:
    assert text(lambda: insist_master(master)).startswith(
        f"--master: {master!r} is not a Spark master; write local[4], "
    )


def test_a_master_that_does_not_answer_is_reported_at_once_and_one_that_does_is_taken() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
        remedy = "is it running, and is its port right?"
        for scheme in ("spark://", "k8s://https://"):
            master = f"{scheme}127.0.0.1:{port}"
            assert text(lambda: insist_master(master)) == f"--master: {master} does not answer; {remedy}"  # noqa: B023
        server.listen()
        insist_master(f"spark://127.0.0.1:{port}")
        insist_master(f"spark://127.0.0.1:1,127.0.0.1:{port}")
        insist_master(f"k8s://https://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--engine", "flink"), "--engine: unknown engine flink; known are duckdb, spark"),
        (("--master", "yarn"), "--master: applies to Spark only; add --engine spark, or leave it out"),
    ],
)
@pytest.mark.parametrize("command", [("sql", "SELECT 1"), ("advise", "pav"), ("report",), ("ingest", "x")])
def test_options_that_do_not_go_together_are_reported(
    tmp_path: Path, command: tuple[str, ...], options: tuple[str, ...], line: str
) -> None:
    done = invoked([*command, *options, "--lake", str(tmp_path)])
    assert str(done.exception) == line


def test_a_file_that_is_missing_is_reported_before_a_session_is_begun(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="PySpark is not installed: make test-spark")
    lake, missing, hidden = tmp_path / "lake", tmp_path / "none.smf", tmp_path / "in" / ".smf"
    hidden.parent.mkdir()
    hidden.touch()
    shown = [invoked(["ingest", str(missing), str(hidden.parent), "--lake", str(lake), *more])
            for more in ((), ("--engine", "spark", "--master", "spark://127.0.0.1:1"))]  # fmt: skip
    local, spark = (done.output.splitlines()[-3:] for done in shown)  # how long it took may stand above
    assert local == spark and "none.smf" in spark[0]
    assert shown[0].exit_code == shown[1].exit_code == 1
    assert not lake.exists()


def test_a_session_that_can_not_be_begun_leaves_no_lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark", reason="PySpark is not installed: make test-spark")
    path, lake = tmp_path / "a.smf", tmp_path / "lake"
    path.write_bytes(b"any")
    monkeypatch.setattr(session, "begin", insist_master)  # another test's session may be there
    shown = CliRunner().invoke(
        build(), ["ingest", str(path), "--lake", str(lake), "--engine", "spark", "--master", "spark://127.0.0.1:1"]
    )
    assert str(shown.exception).startswith("--master: spark://127.0.0.1:1 does not answer; ")
    assert not lake.exists()


def test_without_a_master_it_is_this_machine_unless_settings_say_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert session._usual() == "local[*]"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master yarn pyspark-shell")
    assert session._usual() is None
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    (tmp_path / "spark-defaults.conf").touch()
    assert session._usual() == "local[*]"
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert session._usual() is None


def test_this_machine_keeps_its_empty_tables_out_of_the_way() -> None:
    one, other = (session._settings("local[2]")["spark.sql.warehouse.dir"] for _ in range(2))
    assert one != other and Path(one).parent == Path(tempfile.gettempdir())
    assert "spark.sql.warehouse.dir" not in session._settings("yarn")


def test_what_java_says_is_shown_not_how_it_was_called() -> None:
    called = "An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n"
    assert in_one_line(RuntimeError(f"{called}: org.apache.spark.SparkException: no\n\tat org")) == (
        "org.apache.spark.SparkException: no"
    )
    assert in_one_line(RuntimeError("Job aborted\n  at org")) == "Job aborted"
    assert in_one_line(RuntimeError()) == "RuntimeError"


def test_what_begins_when_the_time_is_up_is_stopped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question whose planning took all the time has no job yet when it is stopped first."""
    stopped: list[str] = []
    twice = threading.Event()

    def stop(group: str) -> None:
        stopped.append(group)
        if len(stopped) > 1:
            twice.set()

    context = SimpleNamespace(setJobGroup=lambda *_, **__: None, cancelJobGroup=stop)
    monkeypatch.setattr(session, "AGAIN_S", 0.01)
    monkeypatch.setattr(IN_FORCE, "timeout_s", 0.01)
    with pytest.raises(RequestError, match="took longer"), session.timed(SimpleNamespace(sparkContext=context)):
        assert twice.wait(30)
        raise RuntimeError("cancelled")


@pytest.mark.parametrize("is_there", [False, True])
def test_a_session_that_was_begun_is_ended_and_one_that_was_there_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    shown: list[str] = []

    class Builder:
        appName = getOrCreate = lambda self, *_: self  # noqa: N815 - as Spark calls them

        def config(self, name: str, _: str) -> "Builder":
            shown.append(name)
            return self

        def stop(self) -> None:
            shown.append("stop")

    context = SimpleNamespace(_active_spark_context=object() if is_there else None)
    monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace(SparkContext=context))
    monkeypatch.setitem(sys.modules, "pyspark.sql", SimpleNamespace(SparkSession=SimpleNamespace(builder=Builder())))
    for name in ("pyspark_at_hand", "java_at_hand", "_be_quiet"):
        monkeypatch.setattr(session, name, lambda *_: None)
    at_end: list[tuple[Any, ...]] = []
    monkeypatch.setattr(session, "atexit", SimpleNamespace(register=lambda *work, **_: at_end.append(work)))
    session.begin("local[2]")
    for work, *given in at_end:
        if work is session._stop:
            work(*given)
    assert ("stop" in shown, "spark.master" in shown) == (not is_there, not is_there)


def test_an_old_or_missing_pyspark_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed.metadata, "version", lambda _: "3.5.8")
    old = "PySpark 3.5.8 is too old: 4 or later is needed; pip install 'iosq[spark]'"
    assert text(installed.pyspark_at_hand) == old

    def missing(name: str) -> str:
        raise installed.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(installed.metadata, "version", missing)
    assert "PySpark is not installed; pip install" in text(installed.pyspark_at_hand)


def test_nothing_of_spark_is_imported_before_a_session_is_given() -> None:
    code = """
import sys
import iosq.toolkit.spark, iosq.toolkit.delta
from iosq.toolkit.cli.main import command
command()
print(*sorted({m.split(".")[0] for m in sys.modules} & {"pyspark", "py4j", "deltalake"}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")
