"""Charts as files: HTML that opens without a network, SVG, PNG, PDF."""

from __future__ import annotations

from pathlib import Path

from iosq.toolkit.show import output
from iosq.toolkit.show.theme import Drawing

ENDINGS = (".svg", ".png", ".pdf", ".html")
WITH_ROWS = (*ENDINGS, ".json", ".csv")  # of an answer that is rows as well
_SCALE = 2.0


def save(drawing: Drawing, path: Path) -> None:
    """Write a chart as its file's ending says; SVG to standard output, pipes and devices.

    Raises:
        RequestError: it can't be written, or the ending is none of `ENDINGS`.
    """
    output.check(path, ENDINGS)
    output.write(path, picture(drawing, path.suffix.lower()))


def picture(drawing: Drawing, ending: str = ".svg") -> bytes:
    """The bytes of a chart's file."""
    import vl_convert as vlc

    specification = drawing.to_json()
    if ending == ".png":
        return bytes(vlc.vegalite_to_png(specification, scale=_SCALE))
    if ending == ".pdf":
        return bytes(vlc.vegalite_to_pdf(specification))
    if ending == ".html":
        return str(vlc.vegalite_to_html(specification, bundle=True)).encode()
    return str(vlc.vegalite_to_svg(specification)).encode()
