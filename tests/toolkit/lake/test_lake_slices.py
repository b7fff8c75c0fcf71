"""A large dump in slices: the same lake however many processes read it, the same rows however it is cut."""

import random
from collections import Counter
from pathlib import Path

import pytest
from lake_fakes import about, rows

from iosq.parsers.api import Issue
from iosq.toolkit.lake import slices
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.issues import KEEP, IssueLog
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write


def spanned(record: bytes) -> bytes:
    """The same record in three segments."""
    body, third = record[4:], len(record) // 3
    pieces = body[:third], body[third : 2 * third], body[2 * third :]
    codes = (b"\1\0", b"\3\0", b"\2\0")
    return b"".join((len(p) + 4).to_bytes(2, "big") + code + p for p, code in zip(pieces, codes, strict=True))


def records(data: bytes) -> list[bytes]:
    found, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 2], "big")
        found.append(data[at : at + size])
        at += size
    return found


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A dump with duplicates and spanned records; the same in blocks; both with wounds."""
    folder = tmp_path_factory.mktemp("sample")
    write(folder, intervals=range(36, 44), packed=())
    found = records((folder / "sysa.smf").read_bytes())
    found[-3:-3] = found[5:9]
    found = [spanned(r) if n % 60 == 3 and len(r) > 100 else r for n, r in enumerate(found)]
    blocks = (b"".join(found[n : n + 2]) for n in range(0, len(found), 2))
    made = {"rdw": b"".join(found), "bdw": b"".join((len(b) + 4 | 1 << 31).to_bytes(4, "big") + b for b in blocks)}
    for form in ("rdw", "bdw"):
        hurt, draw = bytearray(made[form]), random.Random(7)
        for at in range(100_000, len(hurt), 300_000):
            hurt[at : at + 150] = draw.randbytes(150)
        made[f"hurt {form}"] = bytes(hurt[:-500])
    return made


def stored(lake: Path, dump: Path, pieces: int, monkeypatch: pytest.MonkeyPatch, jobs: int = 1) -> Lake:
    monkeypatch.setattr(slices, "SMALLEST", dump.stat().st_size // pieces)
    (outcome,) = ingest(Lake(lake), [dump], jobs=jobs)
    assert outcome.status == "stored"
    assert outcome.balance.balanced
    return Lake(lake)


def given(lake: Lake) -> dict[str, Counter[str]]:
    return {name: Counter(map(repr, found)) for name, found in about(lake).items()}


@pytest.mark.parametrize("form", ["rdw", "hurt bdw"])
def test_rows_issues_and_balance_do_not_depend_on_the_cuts(
    forms: dict[str, bytes], form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = tmp_path / "dump.smf"
    dump.write_bytes(forms[form])
    whole = stored(tmp_path / "1", dump, 1, monkeypatch)
    seven = stored(tmp_path / "7", dump, 7, monkeypatch)
    assert rows(seven) == rows(whole)
    assert given(seven) == given(whole)
    assert any(f.name.endswith("-002.parquet") for f in seven.parts()["smf74_1_device_data"]), "it was cut"
    codes = {i["code"] for i in about(whole)["lake_issues"]}
    assert {"duplicate_record"} <= codes
    assert ("hurt" in form) == bool(codes & {"lost_framing", "bad_length", "truncated"})


def listed(lake: Lake) -> dict[str, bytes]:
    """Every byte of a lake."""
    files = (p for p in lake.path.rglob("*") if p.is_file() and ".staging" not in p.parts)
    return {str(p.relative_to(lake.path)): p.read_bytes() for p in files}


def test_bytes_do_not_depend_on_the_number_of_processes(
    forms: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump, progress = tmp_path / "dump.smf", []
    dump.write_bytes(forms["hurt rdw"])
    one = stored(tmp_path / "one", dump, 3, monkeypatch)
    monkeypatch.setattr(slices, "WORTH_PROCESSES", 0)
    ingest(Lake(tmp_path / "two"), [dump], jobs=2, progress=lambda *counts: progress.append(counts))
    assert listed(Lake(tmp_path / "two")) == listed(one)
    assert progress[-1][0] == progress[-1][1] == dump.stat().st_size
    assert [n for n, _, _ in progress] == sorted(n for n, _, _ in progress)
    assert [o.status for o in ingest(one, [dump], jobs=2)] == ["already"]


@pytest.mark.parametrize(("size", "count"), [(1, 1), (127 << 20, 1), (128 << 20, 2), (1 << 30, 8), (10 << 30, 20)])
def test_slices_are_of_like_size_and_neither_small_nor_huge(size: int, count: int) -> None:
    assert len(slices.wanted(size)) + 1 == count


def test_issue_logs_of_slices_together_are_one_log() -> None:
    draw = random.Random(3)
    issues = [Issue(draw.choice(["a", "b", "c"]), "info", str(n), n) for n in range(6 * KEEP)]
    whole = IssueLog()
    for issue in issues:
        whole.add(issue)
    together = IssueLog()
    for begin in range(0, len(issues), KEEP + 700):
        log = IssueLog()
        for issue in issues[begin : begin + KEEP + 700]:
            log.add(issue)
        together.absorb(log)
    assert together.rows() == whole.rows()
