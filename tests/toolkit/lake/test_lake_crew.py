"""Several files at once: the lake is the one that a single process makes."""

import importlib
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write


@pytest.fixture
def dumps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two systems, then the second hour of one of them again, the same file under another name, and no dump."""
    monkeypatch.setattr(importlib.import_module("iosq.toolkit.lake.ingest"), "WORTH_A_PROCESS", 1)
    folder = tmp_path / "dumps"
    write(folder, intervals=range(36, 39), packed=())
    write(tmp_path / "again", intervals=range(37, 38), packed=())
    (folder / "zz-again.smf").write_bytes((tmp_path / "again/sysa.smf").read_bytes())
    (folder / "zz-copy.smf").write_bytes((folder / "sysa.smf").read_bytes())
    (folder / "zz-other.txt").write_text("no dump\n" * 100)
    return folder


def listed(lake: Lake) -> dict[str, Any]:
    """All a lake says of itself, and the bytes of its files."""
    tables = {name: rows.to_pylist() for name, rows in lake.about().items()}
    parts = {
        str(Path(p).relative_to(lake.path)): Path(p).read_bytes() for paths in lake.parts().values() for p in paths
    }
    return {"tables": tables, "parts": parts}


def test_rows_and_bytes_are_those_of_one_process(dumps: Path, tmp_path: Path) -> None:
    one, three = Lake(tmp_path / "one"), Lake(tmp_path / "three")
    given: list[tuple[int, int, int]] = []
    alone = ingest(one, [dumps])
    together = ingest(three, [dumps], jobs=3, progress=lambda *counts: given.append(counts))
    assert together == alone
    assert {o.status for o in together} == {"stored", "already", "left_out"}
    assert listed(three) == listed(one)
    assert given[-1][0] == given[-1][1] and given[-1][2] > 0
    assert [n for n, _, _ in given] == sorted(n for n, _, _ in given)


def test_a_process_that_dies_is_reported_and_what_was_stored_stays(dumps: Path, tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")

    def kill(*_: int) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    with pytest.raises(LakeError, match="died while it read a file; ingest again"):
        ingest(lake, [dumps], jobs=2, progress=kill)
    ingest(lake, [dumps])
    whole = Lake(tmp_path / "whole")
    ingest(whole, [dumps])
    assert listed(lake) == listed(whole)
