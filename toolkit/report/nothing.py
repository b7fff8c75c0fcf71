"""The error for a lake without data to report: the data it has, and what to collect."""

from iosq.parsers.registry import tables
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.show.records import ZVM_DEVICES
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.guard import query

RECORDS = "SELECT DISTINCT kind FROM lake_records WHERE decoded > 0 ORDER BY kind"
READERS = "SELECT DISTINCT kind FROM lake_files"
LOST = """
    SELECT message FROM lake_issues
    WHERE severity = 'data_loss' OR code IN ('mon.system', 'fcx.report')
    ORDER BY count DESC, message LIMIT 1"""
ASKED = (RECORDS, READERS, LOST)
NAMED = 4  # kinds of records or reports to name; of further ones only the number is given
_ZVM_READERS = {"fcx", "monwrite"}
_ANY = "ingest SMF dumps with types 74.1, 74.5 and 78.3, RMF listings or XML, or MONWRITE or listings of z/VM"
_ZVM = f"ingest {ZVM_DEVICES} of the same time (MONITOR SAMPLE ENABLE I/O)"


def refusal(con: Connection) -> RequestError:
    """The error for a lake without measurements of devices or LCUs."""
    readers = {row["kind"] for row in query(con, READERS).to_pylist()}
    if not readers:
        return RequestError("nothing to report on: the lake is empty", remedy=_ANY)
    # the cache rows of FCX110 are a kind of their own
    kinds = list(dict.fromkeys(row["kind"].partition("_")[0] for row in query(con, RECORDS).to_pylist()))
    collect = _ZVM if readers <= _ZVM_READERS else _ANY
    lack = "nothing to report on: the lake has no intervals of devices or LCUs of a known system"
    return RequestError(f"{lack}{_held(kinds)}{_lost(con)}", remedy=collect + _shown(kinds))


def _held(kinds: list[str]) -> str:
    named = [f"{kind.upper()}{_title(kind)}" for kind in kinds[:NAMED]]
    more = [f"{len(kinds) - NAMED} more"] if len(kinds) > NAMED else []
    return f". It holds {listed(named + more)}" if named else ""


def _title(kind: str) -> str:
    table = _table(kind)
    return f" ({tables()[table].title.rpartition(': ')[2]})" if table else ""


def _table(kind: str) -> str:
    """The raw table of a kind of records; empty for a kind that fills several."""
    return next((name for name in (kind, f"mon_{kind}") if name in tables()), "")


def _lost(con: Connection) -> str:
    return "".join(f". Reading it met: {row['message'].rstrip('.')}" for row in query(con, LOST).to_pylist())


def _shown(kinds: list[str]) -> str:
    table = next(filter(None, map(_table, kinds)), "")
    return f'. To see its rows: iosq sql "SELECT * FROM {table}"' if table else ""
