"""Write charts as self-contained HTML, SVG, PNG or PDF; text in the data is never interpreted as markup."""

import json
from pathlib import Path
from typing import Any

from iosq.toolkit.show import output, terminal
from iosq.toolkit.show.theme import Drawing

ENDINGS = (".svg", ".png", ".pdf", ".html")
WITH_ROWS = (*ENDINGS, ".json", ".csv")  # for answers that also have rows
_SCALE = 2.0
# private-use character that replaces < until the page is assembled, so that no name can end a script
_STAND_IN = "\ue0b1"
# unsafe-eval: Vega compiles its own expressions to functions; names in the data are not code
_POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' "
    "'unsafe-eval'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
)


def save(drawing: Drawing, path: Path) -> None:
    """Write a chart in the format of its file's extension; SVG to standard output, pipes and devices.

    RequestError if the file can't be written, or its extension is not in `ENDINGS`.
    """
    output.check(path, ENDINGS)
    output.write(path, picture(drawing, path.suffix.lower()))


def picture(drawing: Drawing, ending: str = ".svg") -> bytes:
    """The bytes of a chart's file."""
    import vl_convert as vlc

    specification = json.dumps(_spelled(drawing.to_dict()))
    if ending == ".png":
        return bytes(vlc.vegalite_to_png(specification, scale=_SCALE))
    if ending == ".pdf":
        return bytes(vlc.vegalite_to_pdf(specification))
    if ending == ".html":
        # in JSON < occurs only in strings
        html = str(vlc.vegalite_to_html(specification.replace("<", _STAND_IN), bundle=True))
        return html.replace(_STAND_IN, "\\u003c").replace("<head>", f"<head>\n    {_POLICY}", 1).encode()
    return str(vlc.vegalite_to_svg(specification)).encode()


def _spelled(value: Any) -> Any:
    """A specification with control characters escaped in its texts, because SVG forbids them."""
    if isinstance(value, str):
        return terminal.spelled(value)
    if isinstance(value, dict):
        return {_spelled(name): _spelled(part) for name, part in value.items()}
    return [_spelled(part) for part in value] if isinstance(value, list) else value
