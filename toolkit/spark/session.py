"""The Spark session of a command: started once, with a one-line error."""

from __future__ import annotations

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
AGAIN_S = 0.5  # between attempts to stop what takes too long
ANSWER_S = 5.0  # a master that takes longer to answer is not there
_LOCAL = re.compile(r"local(\[(\*|N)(, *N)?\])?|local-cluster\[N, *N, *N\]".replace("N", r"[1-9]\d*"))
_HOSTS = re.compile(r"spark://([^/]+)|k8s://(?:https?://)?([^/]+)/?")
_SET = ("PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS")  # by `spark-submit`, or by who starts us
_YARN = ("HADOOP_CONF_DIR", "YARN_CONF_DIR")
_KNOWN = "local[4], yarn, spark://HOST:7077 or k8s://https://HOST:6443"
# settings for one machine: no network listener, and no 200 partitions for a small answer
_ONE_MACHINE = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": str(os.cpu_count() or 1),
    "spark.ui.enabled": "false",
    # where most of the work is planning, Java's second compiler takes more time than it saves
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
}


def begin(master: str | None = None) -> SparkSession:
    """The session of this process; further calls give the same one.

    Args:
        master: where Spark runs; None for what `spark-submit` or `spark-defaults.conf` says, else this machine,
            `local[*]`.

    Raises:
        RequestError: PySpark or Java is missing or too old, there is no such master, or Spark does not start.
    """
    pyspark_at_hand()
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    ours = SparkContext._active_spark_context is None
    if ours:
        java_at_hand()
        insist_master(master)
        master = master or _usual()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # one on the executors too that has iosq
    builder = SparkSession.builder.appName("iosq").config("spark.ui.showConsoleProgress", "false")
    for name, value in _settings(master).items() if ours else ():  # one that is there stays as it is
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


def _stop(session: SparkSession) -> None:
    """Stop the session: otherwise a cluster takes the end for a failure and starts executors again."""
    with suppress(Exception):  # Java may have ended before
        session.stop()


def _be_quiet(session: SparkSession) -> None:
    """Errors are one line, not pages of a plan."""
    from pyspark.logger import PySparkLogger

    session.sparkContext.setLogLevel("ERROR")
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def timed(spark: SparkSession) -> Iterator[None]:
    """Stop the Spark jobs of a query at its deadline (`iosq.toolkit.sql.limits`).

    Raises:
        RequestError: it is.
    """
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
    """Refuse an invalid or unreachable master: Spark would try for a minute, with pages of text.

    Raises:
        RequestError: says which are known.
    """
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
    """This machine, unless settings name another master."""
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
    # Java takes no more than it gets; half of a query's limit leaves room for Python
    memory = f"{max((IN_FORCE.memory_bytes or 0) >> 21, 1024)}m"
    return {
        "spark.master": master, "spark.driver.memory": memory, "spark.sql.warehouse.dir": _nothing(), **_ONE_MACHINE
    }  # fmt: skip


def _nothing() -> str:
    """A temporary folder for tables that are never written; without it Spark leaves one in the current folder."""
    folder = tempfile.mkdtemp(prefix="iosq-spark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
