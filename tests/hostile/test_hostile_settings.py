"""Settings in the working folder that somebody else wrote: each gives one line, whatever it holds."""

from pathlib import Path

import pytest

from iosq import settings
from iosq.toolkit.errors import RequestError
from iosq.toolkit.toml import MOST

LIMITS = "[thresholds.alias_pool_dry]\ndenied_ratio = {}"


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 20_000,
        "x = 1\n" + "#" * MOST,
        f"x = {'9' * 5000}",
        'lake = "a\\u0000b"',
        "lake = 1",
        *(LIMITS.format(value) for value in ("nan", "inf", "-inf", "1e400", "-1", f"1{'0' * 400}", "[1]", "true")),
    ],
    ids=range(13),
)
def test_odd_settings_are_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "iosq.toml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("IOSQ_LAKE", raising=False)
    settings.settings.cache_clear()
    with pytest.raises(RequestError) as refused:
        settings.lake_path(None)
        settings.thresholds()
    settings.settings.cache_clear()
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400
