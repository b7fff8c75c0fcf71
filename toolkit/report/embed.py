"""Embed data for the script of a page as elements of the document, and the drawing library; large data is compressed.

Rows of thousands of volumes and pages of hundreds of LCUs are repetitive: compressed they take a fifth and a fifteenth,
so that a page of 20,000 devices can be mailed. `data.js` unpacks them, which needs a browser of 2023 or later; a page
of a small lake is not compressed.

The library is Vega, Vega-Lite and their loader as one script. vl-convert takes more than a second to bundle it, so the
script is stored in the user's cache.
"""

import base64
import gzip
import os
import zlib
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from markupsafe import Markup

from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.bounds import opened, user_cache

DATA_FROM, PAGES_FROM, LIBRARY_FROM = 50_000, 250_000, 2_000_000
"""Sizes (characters) from which rows and pages of places are compressed, and size of the data from which the drawing
library is too. Our choice: rows need the script anyway, but pages of some dozen LCUs can be read without it, and any
browser can draw the charts of a small lake."""


def is_large(pages: str) -> bool:
    """True if the pages of places are to be compressed."""
    return len(pages) >= PAGES_FROM


def embedded(text: Markup, name: str) -> Markup:
    """A script element with the id `name` that contains a safe text, compressed if large."""
    kind, content = ("gzip", packed(text)) if len(text) >= DATA_FROM else ("json", text)
    return Markup('<script type="application/{}" id="{}">{}</script>').format(kind, name, content)


def library(script: Markup, data: str) -> Markup:
    """A script element to run before anything is drawn; compressed if the page has much `data`."""
    if len(data) < LIBRARY_FROM:
        return Markup("<script>{}</script>").format(script)
    return Markup('<script type="application/gzip" data-runs>{}</script>').format(packed(script))


def placed(html: Markup, name: str) -> Markup:
    """The HTML itself or, if large, its compressed form and a placeholder that the script fills."""
    if not is_large(html):
        return html
    return embedded(html, name) + Markup('\n<div data-from="{}"></div>').format(name)


def packed(text: str) -> Markup:
    """The gzipped text in base64."""
    return Markup(base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode())


@cache
def bundle() -> str:
    """The drawing library, escaped for a script element."""
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
