"""A shell completes names of the product and of the lake."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import iosq

LISTING = Path(__file__).parents[2] / "golden" / "rmf" / "device.txt"
RUN = """
import sys
sys.argv = ["iosq"]
from iosq.toolkit.cli.start import run
try:
    run()
finally:
    print("duckdb" in sys.modules, file=sys.stderr)
"""


def completed(line: str) -> tuple[list[str], str]:
    """What bash offers for the last word of a line, and whether the database was loaded."""
    words = {"_IOSQ_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    env = {k: v for k, v in os.environ.items() if k != "IOSQ_LAKE"} | words
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=True, env=env)
    return done.stdout.split(), done.stderr.strip()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("iosq describe volume_int", ["volume_interval"]),
        ("iosq describe pav_add", ["pav_add_alias"]),
        ("iosq chart response_over", ["response_over_time"]),
        ("iosq describe machine ds8", ["ds8100"]),
        ("iosq simulate pav --machine ess-", ["ess-f20"]),
        ("iosq report --lake nowhere --volume A", []),
    ],
)
def test_names_are_completed_without_the_database(line: str, expected: list[str]) -> None:
    assert completed(line) == (expected, "False")


def test_names_in_the_lake_are_completed(tmp_path: Path) -> None:
    iosq.ingest(tmp_path / "lake", [LISTING])
    names = (
        iosq.open(tmp_path / "lake").sql("SELECT DISTINCT volume FROM volume_interval ORDER BY 1")["volume"].to_list()
    )
    offered, _ = completed(f"iosq report --lake {tmp_path}/lake --volume {names[0][:2].lower()}")
    assert offered == [name for name in names if name.startswith(names[0][:2])]


def test_every_chart_view_rule_and_machine_is_offered() -> None:
    from iosq.toolkit.cli import completion

    assert completion.charts("") == sorted(iosq.charts())
    assert completion.machines("") == sorted(r["machine"] for r in iosq.machines().rows if r["parameters"])
    assert set(iosq.views()) <= set(completion.described("")) | {n for n in iosq.views() if n.startswith("_")}
