"""`python -m tests.words` checks all texts; `count` counts faults per folder; `goldens REVISION` compares goldens."""

from __future__ import annotations

import sys
from collections import Counter

from tests.words import goldens
from tests.words.check import faults, pending, texts, verdict


def _counted() -> list[str]:
    counts = Counter("/".join(path.split("/")[:2]) for path, text in texts() for _ in faults(path, text))
    return [f"{count:5} {place}" for place, count in sorted(counts.items())]


def main(words: list[str]) -> int:
    """1 if there is a fault."""
    if words == ["count"]:
        print(*_counted(), sep="\n")
        return 0
    found = goldens.since(words[1]) if words[:1] == ["goldens"] else verdict(texts(), pending())
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
