"""Terminal output that no character in the data can control."""

import os
import re
import shutil
import sys
from typing import IO

from iosq.toolkit.errors import printable
from iosq.toolkit.show import stages

# control characters except tab and line end; marks, embeddings, overrides and isolates of text direction
_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")


def safe(text: str) -> str:
    """The text with unprintable characters escaped, except line ends."""
    if text.isprintable():
        return text
    return "\n".join(line if line.isprintable() else printable(line) for line in text.split("\n"))


def spelled(text: str) -> str:
    """The text with control characters and changes of text direction escaped."""
    return _ACTING.sub(lambda found: printable(found[0]), text)


def echo(text: str, *, err: bool = False) -> None:
    """Print data to standard output, or a message to standard error (`err`)."""
    stages.rest()
    print(safe(text), file=sys.stderr if err else sys.stdout)


def width(stream: IO[bytes] | IO[str] | None = None) -> int | None:
    """Width in characters of the terminal of a stream, by default standard output; None without a terminal."""
    stream = sys.stdout if stream is None else stream
    return shutil.get_terminal_size().columns if stream.isatty() else None


def bold(stream: IO[bytes] | IO[str] | None = None) -> bool:
    """True if the terminal supports escape codes and NO_COLOR is not set."""
    dumb = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return width(stream) is not None and not dumb
