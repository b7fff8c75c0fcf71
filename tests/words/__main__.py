"""Check all texts (`python -m tests.words`), or count banned words per folder (`python -m tests.words count`)."""

from __future__ import annotations

import sys
from collections import Counter

from tests.words.check import faults, pending, texts, verdict


def main() -> int:
    """1 if a text outside the pending folders has a banned word, or a pending folder has none."""
    if sys.argv[1:] == ["count"]:
        counts = Counter("/".join(path.split("/")[:2]) for path, text in texts() for _ in faults(path, text))
        print("\n".join(f"{count:5} {place}" for place, count in sorted(counts.items())))
        return 0
    found = verdict(texts(), pending())
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
