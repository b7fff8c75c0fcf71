"""Reading a listing or XML in a test, and the golden files next to it.

python tests/parsers/rmf/rmf_support.py     write the golden files anew (then read the differences)
"""

import hashlib
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from iosq.parsers.api import Balance, Context, Issue
from iosq.parsers.arrow import schema
from iosq.parsers.rmf.reader import RmfReader
from iosq.parsers.rmfxml.reader import RmfXmlReader

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "rmf"
SAMPLES = ROOT / "sample-data" / "rmf"
LARGEST = 50_000  # characters of a golden file; of what is larger a digest is kept
INPUTS = sorted([*GOLDEN.glob("*.txt"), *GOLDEN.glob("*.xml"), *SAMPLES.glob("[!L]*.txt"), *SAMPLES.glob("*.xml")])


class Bytes(io.BytesIO):
    name = "test"


@dataclass
class Result:
    """Everything a reader gave."""

    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    balance: Balance = field(default_factory=Balance)

    def codes(self) -> set[str]:
        return {i.code for i in self.issues}

    def lost(self) -> list[Issue]:
        return [i for i in self.issues if i.severity in ("data_loss", "error")]


def read(data: bytes) -> Result:
    """Read bytes with the reader that takes them, checking schemas and the balance on the way."""
    reader = RmfXmlReader() if RmfXmlReader().sniff(data[: 1 << 16]) else RmfReader()
    tables = {t.name: t for t in reader.tables()}
    result = Result()
    for item in reader.read(Bytes(data), result.balance, Context()):
        if isinstance(item, Issue):
            result.issues.append(item)
        else:
            assert item.rows.schema == schema(tables[item.table])
            result.rows.setdefault(item.table, []).extend(item.rows.to_pylist())
    for given in result.rows.values():
        given.sort(key=lambda row: row.get("line") or 0)  # rows come in no promised order
    assert result.balance.balanced, result.balance
    assert result.balance.total_bytes == len(data)
    return result


def golden(path: Path) -> str:
    """What the golden file of an input holds: rows without NULLs, issues and the balance, one JSON text per line."""
    result = read(path.read_bytes())
    lines: list[Any] = []
    for table in sorted(result.rows):
        lines += [[table, {k: v for k, v in row.items() if v is not None}] for row in result.rows[table]]
    lines += [["issue", i.code, i.severity, i.offset, i.message] for i in result.issues]
    counts = result.balance.kinds.items()
    lines += [["balance", kind, c.read, c.decoded, c.skipped, c.failed, c.bytes] for kind, c in sorted(counts)]
    text = "".join(json.dumps(line, default=str) + "\n" for line in lines)
    if len(text) < LARGEST:
        return text
    digest = json.dumps(["sha256", hashlib.sha256(text.encode()).hexdigest()])
    return "".join(json.dumps(line) + "\n" for line in lines if line[0] in ("issue", "balance")) + digest + "\n"


def golden_path(path: Path) -> Path:
    """Where the golden file of an input is."""
    return GOLDEN / f"{path.name}.jsonl"


if __name__ == "__main__":
    for source in INPUTS:
        golden_path(source).write_text(golden(source), "utf-8")
