"""Talk to the user, on standard error: standard output is for data."""

from collections.abc import Iterator
from contextlib import contextmanager

from iosq.toolkit.show import terminal

_SILENT: list[bool] = []


def say(text: str, *, trouble: bool = False) -> None:
    """One line: a note, which `--quiet` suppresses, or trouble, which it does not."""
    if trouble or not _SILENT:
        terminal.echo(text, err=True)


@contextmanager
def silent() -> Iterator[None]:
    """Suppress notes in the block."""
    _SILENT.append(True)
    try:
        yield
    finally:
        _SILENT.pop()
