"""Errors the caller must fix. Defects of data are issues (`iosq.parsers.api.Issue`), never exceptions.

IosqError                 one line: what, where, what to do; exit code 1
├── InputError            a file or listing can't be read at all (place = file and offset)
├── RequestError          a request makes no sense: unknown view, negative rate, empty lake
└── LakeError             the lake itself is missing, locked or of another format
    └── ChangedError      files of it went while they were read: the same question can be asked again
"""

import difflib
from collections.abc import Sequence

DOCTOR = "run `iosq doctor --repair`, which names what it needs"
FULL_DOCTOR = "run `iosq doctor --repair --hashes`, which names what it needs"


def printable(name: object) -> str:
    """A file's name, or a text from a file, on one line and in plain UTF-8, from any bytes."""
    known = str(name).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in known)


class IosqError(Exception):
    """One line for the user: `what`, the `place` it was found at and the `remedy`.

    Args:
        what: found and expected, a clause without a full stop.
        place: file and offset, option name or table; empty where there is none.
        remedy: what the user can do about it; empty where the text already says it.
    """

    def __init__(self, what: str, *, place: str = "", remedy: str = "") -> None:
        self.what, self.place, self.remedy = printable(what), printable(place), printable(remedy)
        super().__init__(str(self))

    def __str__(self) -> str:
        text = f"{self.place}: {self.what}" if self.place else self.what
        return f"{text}; {self.remedy}" if self.remedy else text


class InputError(IosqError):
    """The input can't be read: wrong format, wrong transfer mode, limits exceeded."""


class RequestError(IosqError):
    """A request that cannot be fulfilled: unknown name, impossible value, unstable workload."""


class LakeError(IosqError):
    """The lake directory is missing, locked or written by another format version."""


class ChangedError(LakeError):
    """A file was merged or dropped by another command between being looked up and being read."""

    def __init__(self, place: str) -> None:
        super().__init__("the lake changed while it was read", place=place, remedy=f"try again; if it stays, {DOCTOR}")


def nearest(name: str, known: Sequence[str]) -> str:
    """`did you mean …?` with up to three known names, or an empty string."""
    by_lower = {k.lower(): k for k in known}
    close = difflib.get_close_matches(name.lower(), list(by_lower), n=3, cutoff=0.6)
    return f"did you mean {', '.join(by_lower[c] for c in close)}?" if close else ""
