"""The published RMF files through a lake: every line and byte accounted for, and the table in the documentation."""

from pathlib import Path

from lakes import ROOT, filled, opened, rows

PAGE = ROOT / "docs" / "explanation" / "rmf-listings.md"


def real_files() -> dict[str, bytes | Path]:
    return {
        p.name: p for p in sorted((ROOT / "sample-data/rmf").iterdir()) if p.name[0].islower() and p.suffix != ".csv"
    }


def test_the_published_files_are_fully_accounted_for(tmp_path: Path) -> None:
    lake, outcomes = filled(tmp_path, real_files())
    assert {o.status for o in outcomes.values()} == {"stored"}
    con = opened(lake)
    sql = "SELECT * FROM lake_files ORDER BY path"
    text = PAGE.read_text("utf-8")
    for row in rows(con, sql):
        assert row["records_read"] == row["decoded"] + row["skipped"] + row["failed"]
        assert (row["total_bytes"], row["lost_bytes"]) == (row["bytes"], 0)
        counts = " | ".join(f"{row[c]:,}" for c in ("records_read", "decoded", "skipped", "failed", "total_bytes"))
        assert f"| `{Path(row['path']).name}` | {counts} |" in text
    lost = rows(con, "SELECT message FROM lake_issues WHERE severity = 'data_loss'")
    assert all(r["message"].startswith("line not understood: #") for r in lost)  # notes of whoever transcribed the page
