"""Finds banned words in texts and names: every text file of the repository but data read from outside."""

import csv
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KINDS = frozenset(["", ".py", ".sql", ".toml", ".csv", ".md", ".txt", ".html", ".j2", ".js", ".css"])
# inputs in the words of others, and this list
EXEMPT = ("sample-data/", "tests/golden/rmf/", "tests/golden/fcx/", "tests/broken/", "tests/words/", "LICENSE")


def _rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@cache
def _banned() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns with what to write instead; an underscore ends a word, as a space does."""
    return tuple(
        (re.compile(rf"(?<![a-z])(?:{row['pattern']})(?![a-z])".replace(" ", r"[\s_]+"), re.IGNORECASE), row["instead"])
        for row in _rows("banned.csv")
    )


@cache
def _stable() -> re.Pattern[str]:
    """Names that users may have used: they stay for a version."""
    return re.compile(rf"\b(?:{'|'.join(row['name'] for row in _rows('names.csv')) or '(?!)'})\b")


def faults(path: str, text: str) -> Iterator[str]:
    """One line per banned word in a file's path and text."""
    for number, line in enumerate([path, *text.splitlines()]):
        plain = _stable().sub("", line)
        for pattern, instead in _banned():
            if found := pattern.search(plain):
                yield f"{path}:{number}: {found[0]!r}; write: {instead}"


def texts() -> Iterator[tuple[str, str]]:
    """Every text file that is checked, with its path from the root."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for path in listed.splitlines():
        file = ROOT / path
        if file.suffix in KINDS and not path.startswith(EXEMPT) and file.is_file():
            yield path, file.read_text("utf-8", errors="replace")
