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
    kinds = dict.fromkeys(row["kind"].partition("_")[0] for row in query(con, RECORDS).to_pylist())
    # the raw table of each kind of records; none of a kind that fills several
    raw = {kind: next((name for name in (kind, f"mon_{kind}") if name in tables()), "") for kind in kinds}
    named = [f"{kind.upper()}{_title(table)}" for kind, table in raw.items()]
    more = [f"{len(named) - NAMED} more"] if len(named) > NAMED else []
    held = f". It holds {listed(named[:NAMED] + more)}" if named else ""
    lost = "".join(f". Reading it met: {row['message'].rstrip('.')}" for row in query(con, LOST).to_pylist())
    lack = "nothing to report on: the lake has no intervals of devices or LCUs of a known system"
    table = next(filter(None, raw.values()), "")
    rows = f'. To see its rows: iosq sql "SELECT * FROM {table}"' if table else ""
    return RequestError(f"{lack}{held}{lost}", remedy=f"{_ZVM if readers <= _ZVM_READERS else _ANY}{rows}")


def _title(table: str) -> str:
    return f" ({tables()[table].title.rpartition(': ')[2]})" if table else ""
