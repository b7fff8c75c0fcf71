"""Goldens of text: former text, and how it is renewed."""

import os
from pathlib import Path


def held(golden: Path, text: str) -> None:
    """Hold a text against a golden, line ends too; after a change that is meant, `IOSQ_GOLDEN=write` renews it."""
    if os.environ.get("IOSQ_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8", newline="")
    with golden.open(encoding="utf-8", newline="") as kept:
        assert text == kept.read()
