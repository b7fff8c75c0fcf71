"""Settings of a site: `iosq.toml` in the working folder, and the path of the lake."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path

from iosq.toolkit.errors import RequestError
from iosq.toolkit.toml import MOST, read_toml

SETTINGS = Path("iosq.toml")


@cache
def settings() -> Mapping[str, object]:
    """The content of `iosq.toml` in the working folder, empty if there is none; RequestError if it is not TOML."""
    try:
        with SETTINGS.open("rb") if SETTINGS.is_file() else BytesIO() as file:
            return read_toml(file.read(4 * MOST + 1).decode(), str(SETTINGS))
    except UnicodeDecodeError as error:
        raise RequestError(f"is not valid TOML: {error}", place=str(SETTINGS), remedy="correct it") from error


def thresholds() -> dict[str, dict[str, float]]:
    """The site's own thresholds by rule: `[thresholds.CODE]` of `iosq.toml`.

    Raises:
        RequestError: there is no such rule or threshold, or a value is not a number.
    """
    from iosq.toolkit.advise.settings import thresholds

    return thresholds(settings())


def lake_path(given: str | Path | None) -> Path:
    """The lake's folder: the given one, or $IOSQ_LAKE, or `lake` of iosq.toml, or ./lake; RequestError for no path."""
    named = given or os.environ.get("IOSQ_LAKE") or settings().get("lake") or "lake"
    if not isinstance(named, str | Path) or "\0" in str(named):
        raise RequestError(f"lake = {named!r:.80} is not a folder", place=str(SETTINGS), remedy="correct it")
    return Path(named)
