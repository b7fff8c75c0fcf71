"""Data of a page for its script, as elements of the document; large data is compressed.

Rows of thousands of volumes and the pages of hundreds of LCUs are the same few words again and again: packed they take
a fifth and a fifteenth, and a page of 20,000 devices can be mailed. `data.js` unpacks them, which takes a browser of
2023 or later; a page of a small lake has nothing to unpack.
"""

from __future__ import annotations

import base64
import gzip

from markupsafe import Markup

DATA_FROM, PAGES_FROM, LIBRARY_FROM = 50_000, 250_000, 2_000_000
"""Letters from which on rows, and pages of places, are packed; letters of rows of places from which on the drawing
library is as well. Our choice: rows need the script anyway, but a reader without it gets the pages of some dozen
LCUs, and charts of a small lake are drawn by any browser."""


def is_large(pages: str) -> bool:
    """True if pages of places are packed."""
    return len(pages) >= PAGES_FROM


def embedded(text: Markup, name: str) -> Markup:
    """A script element with this id around a safe text."""
    kind, held = ("gzip", packed(text)) if len(text) >= DATA_FROM else ("json", text)
    return Markup('<script type="application/{}" id="{}">{}</script>').format(kind, name, held)


def library(script: Markup, data: str) -> Markup:
    """A script of a page that carries so much data, to be run before anything is drawn."""
    if len(data) < LIBRARY_FROM:
        return Markup("<script>{}</script>").format(script)
    return Markup('<script type="application/gzip" data-runs>{}</script>').format(packed(script))


def placed(html: Markup, name: str) -> Markup:
    """HTML in place; a large text as a placeholder that the script fills."""
    if not is_large(html):
        return html
    return embedded(html, name) + Markup('\n<div data-from="{}"></div>').format(name)


def packed(text: str) -> Markup:
    """The gzipped text in base64."""
    return Markup(base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode())
