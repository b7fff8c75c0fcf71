"""Headless Chromium without a network."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--virtual-time-budget=8000", "--host-resolver-rules=MAP * ~NOTFOUND"),
)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine: the page is not looked at")


def browse(page: Path, profile: Path, *flags: str, zone: str = "UTC", at: str = "") -> str:
    """What Chromium writes to stdout about a page, opened at an anchor without any name resolved."""
    assert BROWSER
    command = [BROWSER, *_FLAGS, f"--user-data-dir={profile}", *flags]
    done = subprocess.run(
        [*command, page.resolve().as_uri() + at],
        env={**os.environ, "TZ": zone},
        capture_output=True,
        timeout=120,
        check=True,
    )
    return done.stdout.decode()


def dom(page: Path, profile: Path, *flags: str, zone: str = "UTC", at: str = "") -> str:
    """The document after its scripts ran, without the scripts."""
    text = browse(page, profile, "--dump-dom", *flags, zone=zone, at=at)
    return re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def body(document: str) -> dict[str, str]:
    """The `data-` attributes of the body."""
    tag = re.search(r"<body([^>]*)>", document)
    assert tag
    return dict(re.findall(r'data-([\w-]+)="([^"]*)"', tag[1]))
