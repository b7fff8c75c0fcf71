"""Start the Spark session of a process, with a one-line error."""

import atexit
import logging
import os
import re
import shutil
import socket
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.toolkit.errors import RequestError
from iosq.toolkit.spark.installed import java_at_hand, pyspark_at_hand
from iosq.toolkit.spark.message import message
from iosq.toolkit.sql.limits import IN_FORCE, too_long

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLACE = "--master"
AGAIN_S = 0.5  # seconds between attempts to stop a query
ANSWER_S = 5.0  # timeout of a connection to the master
_LOCAL = re.compile(r"local(\[(\*|N)(, *N)?\])?|local-cluster\[N, *N, *N\]".replace("N", r"[1-9]\d*"))
_HOSTS = re.compile(r"spark://([^/]+)|k8s://(?:https?://)?([^/]+)/?")
_SET = ("PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS")  # set by `spark-submit` or the caller
_YARN = ("HADOOP_CONF_DIR", "YARN_CONF_DIR")
_KNOWN = "local[4], yarn, spark://HOST:7077 or k8s://https://HOST:6443"
# settings for one machine: no network listener, and no 200 partitions for a small answer
_ONE_MACHINE = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": str(os.cpu_count() or 1),
    "spark.ui.enabled": "false",
    # most of the work is planning, for which Java's second compiler takes more time than it saves
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
}


def begin(master: str | None = None) -> "SparkSession":
    """The session of this process, started by the first call.

    `master`: None for that of `spark-submit` or `spark-defaults.conf`, else this machine, `local[*]`. RequestError if
    PySpark or Java is missing or too old, there is no such master, or Spark does not start.
    """
    pyspark_at_hand()
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    ours = SparkContext._active_spark_context is None
    if ours:
        java_at_hand()
        insist_master(master)
        master = master or _usual()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # executors need a Python with iosq too
    builder = SparkSession.builder.appName("iosq").config("spark.ui.showConsoleProgress", "false")
    for name, value in _settings(master).items() if ours else ():  # a session that already exists is not changed
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except Exception as error:
        raise RequestError(
            f"Spark does not start: {message(error)}", place=master or "", remedy="see its own messages"
        ) from error
    _be_quiet(session)
    if ours:
        atexit.register(_stop, session)
    return session


def _stop(session: "SparkSession") -> None:
    """Stop the session; otherwise a cluster would treat the end as a failure and restart executors."""
    with suppress(Exception):  # Java may have ended already
        session.stop()


def _be_quiet(session: "SparkSession") -> None:
    """Reduce logging, so that errors are one line instead of pages of a plan."""
    from pyspark.logger import PySparkLogger

    session.sparkContext.setLogLevel("ERROR")
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def timed(spark: "SparkSession") -> Iterator[None]:
    """Stop the Spark jobs of a query at its deadline (`iosq.toolkit.sql.limits`), with a RequestError."""
    if IN_FORCE.timeout_s is None:
        yield
        return
    context, group, first_s = spark.sparkContext, uuid.uuid4().hex, IN_FORCE.timeout_s
    up, ended = threading.Event(), threading.Event()

    def stop() -> None:
        wait_s = first_s
        while not ended.wait(wait_s):  # a query still in planning has no job to stop
            up.set()
            context.cancelJobGroup(group)
            wait_s = AGAIN_S

    context.setJobGroup(group, "iosq", interruptOnCancel=True)
    threading.Thread(target=stop, daemon=True).start()
    try:
        yield
    except Exception as error:
        if up.is_set():
            raise too_long() from error
        raise
    finally:
        ended.set()


def insist_master(master: str | None) -> None:
    """RequestError if the master is invalid or does not answer; Spark would try for a minute, with pages of text."""
    if master == "yarn" and not any(os.environ.get(name) for name in _YARN):
        what = f"yarn needs a configuration, but neither {' nor '.join(_YARN)} is set"
        raise RequestError(what, place=PLACE, remedy="set one to the folder with the cluster's yarn-site.xml")
    if master is None or master == "yarn" or _LOCAL.fullmatch(master):
        return
    found = _HOSTS.fullmatch(master)
    if not found:
        raise RequestError(f"{master!r} is not a Spark master", place=PLACE, remedy=f"write {_KNOWN}")
    default = 7077 if found[1] else 443
    hosts = [(found[1] or found[2])] if found[2] else found[1].split(",")
    if not any(_answers(host, default) for host in hosts):
        raise RequestError(f"{master} does not answer", place=PLACE, remedy="is it running, and is its port right?")


def _answers(place: str, default: int) -> bool:
    host, _, port = place.rpartition(":") if ":" in place else (place, "", str(default))
    if not port.isdecimal():
        return False
    try:
        with socket.create_connection((host.strip("[]"), int(port)), ANSWER_S):
            return True
    except OSError:
        return False


def _usual() -> str | None:
    """The default master: this machine, or None if settings name another."""
    conf = Path(os.environ.get("SPARK_CONF_DIR") or f"{os.environ.get('SPARK_HOME') or _package()}/conf")
    is_set = any(os.environ.get(name) for name in _SET) or (conf / "spark-defaults.conf").exists()
    return None if is_set else "local[*]"


def _package() -> str:
    import pyspark

    return str(Path(pyspark.__file__).parent)


def _settings(master: str | None) -> dict[str, str]:
    if master is None:
        return {}
    if not master.startswith("local") or master.startswith("local-cluster"):
        return {"spark.master": master}
    # Java gets half of a query's memory limit, which leaves room for Python
    memory = f"{max((IN_FORCE.memory_bytes or 0) >> 21, 1024)}m"
    return {
        "spark.master": master, "spark.driver.memory": memory, "spark.sql.warehouse.dir": _no_tables(), **_ONE_MACHINE
    }  # fmt: skip


def _no_tables() -> str:
    """A temporary warehouse folder, never used; without it Spark creates one in the current folder."""
    folder = tempfile.mkdtemp(prefix="iosq-spark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
