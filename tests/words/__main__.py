"""`python -m tests.words` checks all texts; `count` counts faults per folder; `goldens REVISION` compares goldens."""

import sys
from collections import Counter

from tests.words import goldens
from tests.words.check import faults, texts


def _counted() -> list[str]:
    counts = Counter("/".join(path.split("/")[:2]) for path, text in texts() for _ in faults(path, text))
    return [f"{count:5} {place}" for place, count in sorted(counts.items())]


def main(words: list[str]) -> int:
    """1 if there is a fault."""
    if words == ["count"]:
        print(*_counted(), sep="\n")
        return 0
    all_faults = (fault for path, text in texts() for fault in faults(path, text))
    found = goldens.since(words[1]) if words[:1] == ["goldens"] else list(all_faults)
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
