"""What a command costs before its work begins: CPU time in bare starts of Python, measured in turns in one run.

`python -m tests.benchmarks start` prints the cheapest of twelve starts each. `libraries` loads what an answer can't do
without, the command line's library and the database, and asks the same of it.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import iosq

ROUNDS = 12
SAMPLE = Path(__file__).parents[2] / "sample-data" / "rmf" / "pp-cpu-zosv2r5.xml"
LIBRARIES = "import typer, duckdb; duckdb.connect(':memory:').execute('SELECT 1').fetchall()"
IOSQ = [sys.executable, "-m", "iosq"]


def main() -> list[tuple[str, str, str]]:
    """Rows of (what, times a bare start, wanted)."""
    with tempfile.TemporaryDirectory() as folder:
        iosq.ingest(folder, [SAMPLE])
        starts = {
            "python -c pass": ([sys.executable, "-c", "pass"], ""),
            "libraries": ([sys.executable, "-c", LIBRARIES], ""),
            "iosq --help": ([*IOSQ, "--help"], "8"),
            "iosq describe volume_interval": ([*IOSQ, "describe", "volume_interval"], "12"),
            "iosq sql 'SELECT 1'": ([*IOSQ, "sql", "SELECT 1", "--lake", folder], "12"),
        }
        best = dict.fromkeys(starts, float("inf"))
        for _ in range(ROUNDS):
            for name, (command, _wanted) in starts.items():
                best[name] = min(best[name], _cpu(command))
    bare = best["python -c pass"]
    return [(name, f"{seconds / bare:.1f} ({seconds:.2f} s)", starts[name][1]) for name, seconds in best.items()]


def environment() -> dict[str, str]:
    """The environment of a command, in which compiled modules may be kept (as they are for users)."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _cpu(command: list[str]) -> float:
    """CPU seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
