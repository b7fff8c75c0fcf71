"""Objects in a notebook: cards of findings, the summary of a lake, help with misspelt names."""

from pathlib import Path

import pytest

import iosq
from iosq.answers import Findings
from iosq.toolkit.advise.finding import Effect, Finding
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.sql.filter import Filter
from tests import notebook


def _finding(text: str, **more: object) -> Finding:
    return Finding("act", Subject("volume", ("V0",)), text, "Add 2 aliases", (), "SELECT 1", 60.0, **more)  # type: ignore[arg-type]


def test_findings_are_cards_and_hostile_names_are_text() -> None:
    effect = Effect("response", "ms", 5.0, 3.0, 2.5, 3.5, "measured")
    hostile = _finding("Volume <script>alert(1)</script> waits", effect=effect, details="<b>bold</b>", code="x")
    html = Findings([hostile], "SYSA & SYSB")._repr_html_()
    assert "<script>" not in html and "<b>bold" not in html and "&lt;script&gt;" in html and "SYSA &amp; SYSB" in html
    for shown in ("Add 2 aliases", "Expect:", "Confidence:", "SELECT 1"):
        assert shown in html
    assert "no findings" in Findings()._repr_html_()


def test_a_lake_shows_its_summary(tmp_path: Path) -> None:
    iosq.ingest(tmp_path / "lake", [Path(__file__).parents[1] / "golden" / "rmf" / "device.txt"])
    lake = iosq.open(tmp_path / "lake")
    assert lake.summary() in lake._repr_html_() and "system" in lake.summary()


@pytest.mark.slow
def test_the_example_notebook_has_the_outputs_of_a_run(tmp_path: Path) -> None:
    cells = notebook.read()
    assert notebook.executed(cells, tmp_path) == cells, "write them anew: python -m tests.notebook"
    assert (tmp_path / "report.html").exists()


def test_a_misspelt_attribute_is_answered_with_near_ones(tmp_path: Path) -> None:
    lake = iosq.Lake(tmp_path, Filter())
    with pytest.raises(AttributeError, match="did you mean open"):
        _ = iosq.opn
    with pytest.raises(AttributeError, match="did you mean volume_interval"):
        _ = lake.volume_intervall
    with pytest.raises(AttributeError, match=r"no attribute 'zzz'$"):
        _ = lake.zzz
