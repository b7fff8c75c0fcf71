"""The published study through the whole product: its listings into a lake, its numbers out of the promised views."""

from pathlib import Path

from lakes import filled, opened

from iosq.parsers.fcx import study

QUERY = Path(study.__file__).with_name("zvm_pav.sql").read_text()


def test_the_published_study_comes_back_exactly(tmp_path: Path, study_listings: list[Path]) -> None:
    lake, outcomes = filled(tmp_path / "lake", {p.name: p for p in study_listings})
    assert {o.status for o in outcomes.values()} == {"stored"}
    assert sum(o.balance.failed for o in outcomes.values()) == 0
    found = {r[:4]: r[4:] for r in opened(lake).execute(QUERY).fetchall()}
    expected = {
        (c.remark.partition(":")[0], c.read_pct, c.workers, c.aliases): (c.rate, c.service_ms, c.response_ms)
        for c in study.published()
    }
    assert len(expected) == 420
    assert found == expected
