"""TOML from others, within bounds: excessive length or depth is an error like any other."""

import tomllib
from typing import Any

from iosq.toolkit.errors import RequestError

MOST = 1 << 20  # letters; the largest file of a fitted box has some tens of thousands


def read_toml(text: str, place: str) -> dict[str, Any]:
    """The content of a TOML text.

    Raises:
        RequestError: it is not TOML, is too long, or is nested too deeply.
    """
    if len(text) > MOST:
        raise RequestError(f"is longer than {MOST} letters", place=place, remedy="shorten it")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise RequestError("is nested too deeply", place=place, remedy="correct it") from error
    except ValueError as error:  # a number with thousands of digits too
        raise RequestError(f"is not valid TOML: {str(error)[:200]}", place=place, remedy="correct it") from error
