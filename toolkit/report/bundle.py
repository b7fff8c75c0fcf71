"""The drawing library included in a page: Vega, Vega-Lite and their loader as one script.

vl-convert takes more than a second to bundle it, so the script is stored in the user's cache.
"""

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
    """The script, escaped for a script element."""
    cached = _cache_file()
    if cached and (script := _read(cached)):
        return script
    import vl_convert

    bundled = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub makes an optional argument a must
    bundled = bundled.replace("</script", "<\\/script").replace("\r\n", "\n")
    if cached:
        _store(cached, bundled)
    return bundled


def _cache_file() -> Path | None:
    """The cache file; None if the user has no trusted cache."""
    try:
        return user_cache("vega") / f"vl-convert-{version('vl-convert-python')}.js.gz"
    except (OSError, RuntimeError, LakeError):
        return None


def _read(path: Path) -> str:
    """The cached script; empty if missing or damaged."""
    with suppress(OSError, EOFError, zlib.error, LakeError), opened(path) as file:
        return gzip.decompress(file.read()).decode()
    return ""


def _store(path: Path, script: str) -> None:
    own = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        own.write_bytes(gzip.compress(script.encode(), mtime=0))
        own.replace(path)
