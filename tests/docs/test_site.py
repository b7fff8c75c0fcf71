"""The site of docs/ builds without a warning, has every page in its navigation, and needs no network."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
LOADED = re.compile(r'<(?:script|img|iframe|link rel="(?:stylesheet|preload|icon)")[^>]*"((?:https?:)?//[^"]*)"')


@pytest.mark.skipif(find_spec("zensical") is None, reason="the extra `docs` is not installed")
def test_the_site_builds_strictly_and_loads_nothing_from_a_network(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "site"
    texts = {page: page.read_text("utf-8") for page in site.rglob("*.html")}
    assert {str(page.relative_to(site).with_suffix(".md")) for page in texts} >= PAGES
    assert {page.name: LOADED.findall(text) for page, text in texts.items() if LOADED.search(text)} == {}
    assert not [
        sheet
        for sheet in site.rglob("*.css")
        if re.search(r"(?:url\(|@import )['\"]?(?:https?:)?//", sheet.read_text("utf-8"))
    ]
    assert "iframe-worker.js" in texts[site / "index.html"], "the search works in pages opened from files"
    assert len(json.loads((site / "search.json").read_text("utf-8"))["items"]) > len(PAGES)


def test_every_page_is_in_the_navigation() -> None:
    def pages(entry: object) -> list[str]:
        children = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
        return [entry] if isinstance(entry, str) else [page for child in children for page in pages(child)]

    named = pages(tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"])
    assert sorted(named) == sorted(PAGES)
