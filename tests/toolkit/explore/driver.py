"""A headless Chromium that is driven over its debugging port: real mouse and key events, no script in the page."""

import base64
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chromium import BROWSER
from websockets.sync.client import ClientConnection, connect

WAIT_S = 180
AGAIN_S = 5  # a page that has not changed by then missed the click: its element was being drawn anew
HOSTILE = "<b>"  # in place of the letters of a volume serial, also in the name of its data sets
# elements of custom components are below shadow roots
DEEP = """
const deep = (root, css) => [...root.querySelectorAll(css), ...[...root.querySelectorAll('*')]
    .filter(e => e.shadowRoot).flatMap(e => deep(e.shadowRoot, css))];
const words = root => [...root.childNodes].map(n => n.nodeType === 3 ? n.data
    : ['SCRIPT', 'STYLE'].includes(n.nodeName) ? '' : words(n.shadowRoot || n)).join(' ');
const within = e => e?.shadowRoot?.activeElement ? within(e.shadowRoot.activeElement) : e;
const focused = () => within(document.activeElement);
const shown = e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0 };
"""


class Tab:
    """A page in the browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._number, self.address = socket, 0, ""

    def send(self, method: str, **parameters: Any) -> Any:
        """The answer to a command of the protocol."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(timeout=WAIT_S))
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def run(self, script: str) -> Any:
        """The value of an expression; `deep`, `words`, `focused` and `shown` look below shadow roots."""
        whole = f"(() => {{ {DEEP} return {script} }})()"
        found = self.send("Runtime.evaluate", expression=whole, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def text(self) -> str:
        """All words of the page."""
        return " ".join((self.run("document.body && words(document.body)") or "").split())

    def until(self, check: Callable[[], Any], what: str = "", seconds: float = WAIT_S) -> Any:
        """The first true value of `check`."""
        end = time.monotonic() + seconds
        while not (found := check()):
            assert time.monotonic() < end, f"{what} did not come: {self.text()[:4000]}"
            time.sleep(0.1)
        return found

    def reads(self, words: str) -> str:
        """The text of the page, as soon as it holds some words."""
        return str(self.until(lambda: text if words in (text := self.text()) else "", repr(words)))

    def place(self, css: str, words: str = "", number: int = 0) -> tuple[float, float, float, float]:
        """Left, top, width and height of a visible element, scrolled into view."""
        script = f"""(() => {{
            const e = deep(document, {json.dumps(css)}).filter(e => shown(e)
                && (words(e) + (e.value || '')).includes({json.dumps(words)}))[{number}];
            if (!e) return null;
            e.scrollIntoView({{block: 'center'}});
            const r = e.getBoundingClientRect();
            return [r.left, r.top, r.width, r.height] }})()"""
        found = self.until(lambda: self.run(script), f"{css} {words!r}")
        time.sleep(0.3)  # a scroll ends
        again = self.run(script) or found
        return again[0], again[1], again[2], again[3]

    def mouse(self, kind: str, x: float, y: float, buttons: int = 1) -> None:
        """An event of the left button."""
        button = "none" if kind == "mouseMoved" and not buttons else "left"
        self.send(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=1,
        )  # fmt: skip

    def click(self, css: str, words: str = "", number: int = 0) -> None:
        """A click in the middle of an element."""
        left, top, width, height = self.place(css, words, number)
        x, y = left + width / 2, top + height / 2
        self.mouse("mouseMoved", x, y, 0)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y, 0)

    def press(self, css: str, words: str = "", number: int = 0, *, until: Callable[[], Any]) -> None:
        """Clicks an element until the effect is there."""
        self.repeated(lambda: self.click(css, words, number), until, f"{css} {words!r}")

    def repeated(self, action: Callable[[], None], until: Callable[[], Any], what: str) -> None:
        """An action, again and again until its effect is there."""
        end = time.monotonic() + WAIT_S
        while not until():
            assert time.monotonic() < end, f"{what} had no effect: {self.text()[:4000]}"
            action()
            soon = time.monotonic() + AGAIN_S
            while time.monotonic() < soon and not until():
                time.sleep(0.1)

    def check(self, number: int) -> None:
        """Checks a box among all that are visible."""
        state = f"deep(document, '[role=checkbox]').filter(shown)[{number}]?.getAttribute('aria-checked')"
        self.press("[role=checkbox]", number=number, until=lambda: self.run(state) == "true")

    def show(self, panel: str, words: str) -> None:
        """Turns to a panel, and waits for some words of it."""
        self.run("window.scrollTo(0, 0)")
        self.press("button", panel, until=lambda: f"{panel}: lake " in self.text())
        self.reads(words)

    def type(self, words: str, number: int = 0) -> None:
        """Writes into a text field, in place of what is there, and leaves it with Enter."""
        field = f"deep(document, 'input[type=text]').filter(shown)[{number}]?.value"

        def written() -> None:
            self.click("input[type=text]", number=number)
            self.write(words)
            self.key("Enter")

        self.repeated(written, lambda: self.run(field) == words, f"field {number}")

    def drag(self, css: str, begin: float, end: float, number: int = 0) -> None:
        """Press at a share of an element's width, release at another one."""
        left, top, width, height = self.place(css, number=number)
        y = top + height / 2
        self.mouse("mouseMoved", left + begin * width, y, 0)
        self.mouse("mousePressed", left + begin * width, y)
        for step in range(1, 9):
            self.mouse("mouseMoved", left + (begin + (end - begin) * step / 8) * width, y)
        self.mouse("mouseReleased", left + end * width, y, 0)

    def key(self, name: str, text: str = "") -> None:
        """A key goes down and up."""
        code = {"Enter": 13, "Tab": 9, "ArrowRight": 39, "ArrowDown": 40, "ArrowLeft": 37, "Escape": 27}.get(name, 0)
        known = {"key": name, "code": name, "windowsVirtualKeyCode": code} | ({"text": text} if text else {})
        self.send("Input.dispatchKeyEvent", type="keyDown", **known)
        self.send("Input.dispatchKeyEvent", type="keyUp", **known)

    def write(self, words: str) -> None:
        """Words typed into what has the focus, in place of what is there."""
        self.send("Input.dispatchKeyEvent", type="keyDown", key="a", code="KeyA", modifiers=2, commands=["selectAll"])
        self.send("Input.dispatchKeyEvent", type="keyUp", key="a", code="KeyA", modifiers=2)
        self.send("Input.insertText", text=words)

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        """The size of the window, and the scheme that the system prefers."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def shot(self) -> bytes:
        """The window as a PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])


@contextmanager
def browser(profile: Path) -> Iterator[Tab]:
    """A tab of a new browser; it resolves no name, so that the app is seen without a network."""
    assert BROWSER
    command = [
        BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost", f"--user-data-dir={profile}", "about:blank",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with connect(_address(profile), max_size=None) as socket:
            tab = Tab(socket)
            tab.send("Page.enable")
            yield tab
    finally:
        process.terminate()
        process.wait(timeout=WAIT_S)


def _address(profile: Path) -> str:
    """The address of the first page's debugger, which the browser writes to its profile."""
    file, end = profile / "DevToolsActivePort", time.monotonic() + WAIT_S
    while not file.exists() or not file.read_text().strip():
        assert time.monotonic() < end, "the browser did not start"
        time.sleep(0.1)
    with urllib.request.urlopen(f"http://127.0.0.1:{file.read_text().split()[0]}/json/list") as answer:
        return str(next(page for page in json.load(answer) if page["type"] == "page")["webSocketDebuggerUrl"])


@contextmanager
def served(lake: Path, *words: str) -> Iterator[str]:
    """The address of the app, with its token; its lake has a short name, which the pictures show."""
    command = [sys.executable, "-m", "iosq", "explore", "--lake", lake.name, "--no-browser", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=lake.parent, text=True, **pipes)
    try:
        assert process.stdout
        found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stdout)), None)
        assert found, "the app did not start"
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=60)


@contextmanager
def opened(lake: Path, profile: Path) -> Iterator[Tab]:
    with served(lake) as address, browser(profile) as tab:
        tab.address = address
        tab.size(1280, 1000)
        tab.send("Page.navigate", url=address)
        tab.reads("Hours of each box")
        yield tab
