"""Whether what Spark needs is there, said in one line where it isn't."""

from __future__ import annotations

from importlib import metadata

from iosq.toolkit.errors import RequestError

OLDEST = 4  # the first PySpark with data sources in Python
INSTALL = "pip install 'iosq[spark]'"


def pyspark_at_hand() -> None:
    """
    Raises:
        RequestError: PySpark is missing or too old; says what to install.
    """
    try:
        version = metadata.version("pyspark")
    except metadata.PackageNotFoundError as error:
        raise RequestError("Spark is asked for, and PySpark is not installed", remedy=INSTALL) from error
    if int(version.split(".")[0]) < OLDEST:
        raise RequestError(f"PySpark {version} is too old: {OLDEST} or later is needed", remedy=INSTALL)
