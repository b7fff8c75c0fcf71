"""Terminal output: no character of the data controls the terminal, and omissions are reported."""

from __future__ import annotations

import os
import re
import shutil
import sys
from typing import IO

from iosq.toolkit.errors import printable
from iosq.toolkit.show import stages

# controls but tab and line end; marks, embeddings, overrides and isolates of direction
_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


def safe(text: str) -> str:
    """The text, its control letters and those that change the direction of reading spelled out; lines stay lines."""
    if text.isprintable():
        return text
    return "\n".join(line if line.isprintable() else printable(line) for line in text.split("\n"))


def spelled(text: str) -> str:
    """The text with letters spelled out that act instead of being seen: controls, and changes of direction."""
    return _ACTING.sub(lambda found: printable(found[0]), text)


def echo(text: str, *, err: bool = False) -> None:
    """Print data, or talk to the user (`err`)."""
    stages.rest()
    print(safe(text), file=sys.stderr if err else sys.stdout)


def width(stream: IO[bytes] | IO[str] | None = None) -> int | None:
    """Width in characters of the terminal behind a stream (standard output); None without a terminal."""
    stream = sys.stdout if stream is None else stream
    return shutil.get_terminal_size().columns if stream.isatty() else None


def bold(stream: IO[bytes] | IO[str] | None = None) -> bool:
    """True if the terminal takes escape codes and NO_COLOR is not set."""
    dumb = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return width(stream) is not None and not dumb
