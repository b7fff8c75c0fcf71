"""The drawing library is bundled once and kept; a copy that is damaged, strange or can't be kept is made anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from iosq.toolkit.report.embed import bundle

SCRIPT = "var vega = 1; // <\\/script>"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's cache, and a library that is bundled at once."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda: "var vega = 1; // </script>")
    yield tmp_path / "iosq" / "vega"
    bundle.cache_clear()


def anew() -> str:
    """The library as another run of the program gets it."""
    bundle.cache_clear()
    return bundle()


def test_it_is_bundled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert anew() == SCRIPT
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda: "another")
    assert anew() == SCRIPT
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("damage", [lambda data: data[:-5], lambda _: b"", lambda data: data[:12] + b"?" + data[13:]])
def test_a_damaged_copy_is_replaced(cache: Path, damage: object) -> None:
    anew()
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))  # type: ignore[operator]
    assert anew() == SCRIPT
    assert kept.read_bytes() == whole


def test_a_link_in_its_place_is_not_followed(cache: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    cache.parent.mkdir()
    cache.symlink_to(other)
    assert anew() == SCRIPT
    assert not list(other.iterdir())
