"""Statements for Spark: allow only reads, convert parameters, and show errors in one line."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from iosq.toolkit.errors import RequestError, nearest
from iosq.toolkit.spark.message import message
from iosq.toolkit.sql.engine import Parameters
from iosq.toolkit.sql.guard import ONLY_READS
from iosq.toolkit.sql.unknown import unknown_column

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Given: TypeAlias = dict[str, object] | list[object] | None
_COMMAND = "org.apache.spark.sql.catalyst.plans.logical.Command"
_READING = re.compile(r"(Show|Describe|Explain)\w*")
_WRITING = re.compile(r"\w*(Insert|Merge|Update|Delete)\w*|\w*ExecuteImmediate\w*")  # EXECUTE IMMEDIATE runs a string
_QUOTED = r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/"
# functions that call Java or build a name from text; also in comments, which quotes could turn into code
_CALLS = re.compile(
    r"\b(reflect|try_reflect|java_method|identifier(?=(?:\s|--[^\n]*\n|/\*.*?\*/)*\())", re.IGNORECASE | re.DOTALL
)
_MARK = re.compile(rf"({_QUOTED})|\$(\w+)", re.DOTALL)
_TRANSFORM = "ScriptTransformation"  # runs an operating system command
_CONDITION = re.compile(r"^\[[\w.]+\] ?| SQLSTATE: \w+")


def check(spark: "SparkSession", sql: str) -> None:
    """RequestError unless it is a single statement that reads, because Spark runs commands immediately."""
    session: Any = spark
    plan = session._jsparkSession.sessionState().sqlParser().parsePlan(sql)
    kinds = list(_kinds(plan))
    refused = [kind for kind, is_command in kinds if is_command and not _READING.fullmatch(kind)]
    refused += [kind for kind, _ in kinds if _WRITING.fullmatch(kind)]
    calls = [m[1].lower() for m in _CALLS.finditer(sql)]
    if _TRANSFORM in str(plan.treeString()):
        calls.append("TRANSFORM")
    if refused or calls:
        raise RequestError(f"{(calls or refused)[0]} is not allowed here", remedy=ONLY_READS)


def _kinds(plan: Any) -> Iterator[tuple[str, bool]]:
    """The kind of each node of a parsed plan, and true if it is a command."""
    from py4j.java_gateway import is_instance_of
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    yield str(plan.getClass().getSimpleName()), is_instance_of(gateway, plan, _COMMAND)
    below = plan.children()
    for number in range(below.size()):
        yield from _kinds(below.apply(number))


def marked(sql: str) -> str:
    """The statement in Spark's syntax: `:name` for `$name`, and backslashes in strings doubled."""
    return _MARK.sub(lambda m: m[1].replace("\\", "\\\\") if m[1] else f":{m[2]}", sql)


def given(parameters: Parameters) -> Given:
    """Parameter values as Spark expects them."""
    if isinstance(parameters, Mapping):
        return {name: _value(value) for name, value in parameters.items()} or None
    return [_value(value) for value in parameters] or None


def _value(value: object) -> object:
    """A parameter value; an instant as text, because Spark would take it for local time of this machine."""
    return value.isoformat(sep=" ") if isinstance(value, dt.datetime) else value


def request(error: Exception, known: Sequence[str]) -> RequestError:
    """A one-line error from Spark's; `known`: names of existing tables, views and columns."""
    condition, details = _parts(error)
    if condition.startswith("TABLE_OR_VIEW_NOT_FOUND"):
        name = details.get("relationName", "").replace("`", "")
        return RequestError(
            f"there is no table or view {name}", remedy=nearest(name, known) or "lake_views lists the views"
        )
    if condition.startswith("UNRESOLVED_COLUMN"):
        name = details.get("objectName", "").replace("`", "").rpartition(".")[2]
        return unknown_column(name, "", known, "lake_dictionary lists the columns")
    if "spark.driver.maxResultSize" in str(error):
        return RequestError("the result is larger than spark.driver.maxResultSize", remedy="narrow the query")
    return RequestError(f"Spark: {_CONDITION.sub('', message(error))}")


def _parts(error: Exception) -> tuple[str, Mapping[str, str]]:
    from pyspark.errors import PySparkException

    if not isinstance(error, PySparkException):
        return "", {}
    return error.getCondition() or "", error.getMessageParameters() or {}
