"""The drawing library that a page carries: Vega, Vega-Lite and their loader as one script.

vl-convert bundles it anew at every call, which takes more than a second: the script is kept in the user's cache.
"""

from __future__ import annotations

import gzip
import os
import zlib
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.bounds import opened, user_cache


@cache
def bundle() -> str:
    """The script, safe inside a script element."""
    kept = _place()
    if kept and (script := _read(kept)):
        return script
    import vl_convert

    made = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub makes an optional argument a must
    made = made.replace("</script", "<\\/script").replace("\r\n", "\n")
    if kept:
        _keep(kept, made)
    return made


def _place() -> Path | None:
    """The cache folder; None if the user has no trusted cache."""
    try:
        return user_cache("vega") / f"vl-convert-{version('vl-convert-python')}.js.gz"
    except (OSError, RuntimeError, LakeError):
        return None


def _read(path: Path) -> str:
    """Empty where it is not there or damaged."""
    with suppress(OSError, EOFError, zlib.error, LakeError), opened(path) as file:
        return gzip.decompress(file.read()).decode()
    return ""


def _keep(path: Path, script: str) -> None:
    """Store the script atomically."""
    own = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        own.write_bytes(gzip.compress(script.encode(), mtime=0))
        own.replace(path)
