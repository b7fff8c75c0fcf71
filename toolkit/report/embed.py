"""Embed data for the script of a page as elements of the document; large data is compressed.

Rows of thousands of volumes and pages of hundreds of LCUs are repetitive: compressed they take a fifth and a fifteenth,
so that a page of 20,000 devices can be mailed. `data.js` unpacks them, which needs a browser of 2023 or later; a page
of a small lake is not compressed.
"""

import base64
import gzip

from markupsafe import Markup

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
