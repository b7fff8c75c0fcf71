"""A file with every record we decode, kept as bytes, against what must come out of it.

`python tests/parsers/monwrite/test_monwrite_golden.py` writes both anew, to be read in the difference.
"""

import json

from mon_support import BY_NAME, ROOT, Read, encode, file, header, minute

from iosq.parsers.smf.tables import column_type

GOLDEN = ROOT / "tests/golden/monwrite"


def sample_file() -> bytes:
    """Two intervals; each number is its field's offset, so that a moved field shows."""
    configuration, sampled = [encode("D1R4", minute(0), SYSTMID="VMSYS1", SYSZONE=-18000)], []
    for record in BY_NAME.values():
        values = {f.name.split("_", 1)[1]: f.offset for f in record.fields if column_type(f) in ("integer", "bigint")}
        values = {k: v % 256 for k, v in values.items()}
        if record.name != "D1R4":
            configuration.append(encode(record.name, minute(1), **values))
            sampled.append(encode(record.name, minute(2), **values))
    other = header(0, 1, 64, minute(1)).ljust(64, b"\0")
    return file([*configuration, other], [*sampled, header(1, 11, 20, minute(2))])


def outcome(data: bytes) -> str:
    read = Read(data)
    assert read.balance.balanced
    found = {}
    for table in sorted(read.batches):
        found[table] = [{k: v for k, v in r.items() if v not in (None, "")} for r in read.rows(table)]
    kinds = {k: f"{c.read} = {c.decoded} + {c.skipped} + {c.failed}" for k, c in read.balance.kinds.items()}
    lines = [
        f'"{t}": [\n ' + ",\n ".join(json.dumps(r, default=str) for r in rows) + "\n]" for t, rows in found.items()
    ]
    return "{\n" + ",\n".join([*lines, f'"records": {json.dumps(kinds, indent=1)}']) + "\n}\n"


def test_sample_file_reads_as_expected() -> None:
    assert outcome((GOLDEN / "every_record.bin").read_bytes()) == (GOLDEN / "every_record.json").read_text()


if __name__ == "__main__":
    (GOLDEN / "every_record.bin").write_bytes(sample_file())
    (GOLDEN / "every_record.json").write_text(outcome(sample_file()))
