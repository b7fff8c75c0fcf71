"""`iosq advise` and what it prints, on a lake from sample dumps; machines ranked."""

import json
from functools import cache
from pathlib import Path

import pytest
from advise_rows import database, volume

from iosq.settings import settings
from iosq.toolkit.advise.migrate import GROWTHS, rank, targets
from iosq.toolkit.errors import RequestError
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write
from tests.command import invoked


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("advise")
    write(place / "dumps", intervals=range(38, 42), names=("hot_volume",))
    done = invoked(["ingest", str(place / "dumps"), "--lake", str(place / "lake")])
    assert done.exit_code == 0, done.output
    return place


@cache
def advise(folder: Path, *arguments: str) -> str:
    done = invoked(["advise", *arguments, "--lake", str(folder / "lake")], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_advice_names_the_volume_and_what_to_expect(folder: Path) -> None:
    text = advise(folder, "pav")
    assert text.startswith("2 systems (SYSA and SYSB)")
    assert "\n\n1. ACT  Volume DB2003 waits on SYSA" in text
    for part in ("Do:", "Expect:", "Confidence:"):
        assert part in text
    assert advise(folder, "nvs").endswith("\nno findings\n")


def test_the_evidence_of_one_finding_or_of_all_comes_on_request(folder: Path) -> None:
    evidence = ("Numbers:", "Rule:    ", "SQL:     SELECT")
    brief, all_of_them, first = advise(folder, "pav"), advise(folder, "pav", "-v"), advise(folder, "pav", "1")
    assert not any(part in brief for part in evidence)
    assert all(part in all_of_them and part in first for part in evidence)
    assert "\n\n1. ACT  " in first and "\n2. " not in first
    for wrong in (["99"], ["1", "--every"]):
        done = invoked(["advise", "pav", *wrong, "--lake", str(folder / "lake")])
        assert isinstance(done.exception, RequestError), wrong


def test_programs_get_an_array_of_objects(folder: Path) -> None:
    (first, *_) = json.loads(advise(folder, "pav", "--format", "json"))
    assert first["code"] == "pav_add_alias"
    assert first["effect"]["low"] <= first["effect"]["value"] <= first["effect"]["high"] < first["effect"]["now"]
    assert {n["unit"] for n in first["numbers"]} >= {"ms", "I/Os"}
    assert first["first_seen"] <= f"{first['hours'][0]['local_time'][-10:]}T{first['hours'][0]['local_time'][:5]}:00"
    assert advise(folder, "pav").replace("\n", " ").startswith(first["rests_on"])
    (every, *_) = json.loads(advise(folder, "pav", "--every", "--format", "json"))
    assert every["rests_on"] == first["rests_on"]
    assert json.loads(advise(folder, "nvs", "--format", "json")) == []


def test_all_topics_come_in_one_list(folder: Path) -> None:
    every, pav = (json.loads(advise(folder, topic, "--format", "json")) for topic in ("all", "pav"))
    assert {f["code"] for f in every} > {f["code"] for f in pav}


def test_a_site_sets_its_own_threshold(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "iosq.toml").write_text("[thresholds.pav_add_alias]\nqueue_length = 50\n")
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    try:
        assert "pav_add_alias" not in advise.__wrapped__(folder, "pav")
    finally:
        settings.cache_clear()


def test_machines_are_ranked_by_response_and_grow_slower_with_load() -> None:
    rows = [volume(0, f"VOL00{n}", rate=150.0, read_ratio=0.7, exposures=4.0) for n in range(6)]
    found = rank(database(volume_interval=rows), targets())
    assert {str(f.subject) for f in found} == set(targets())
    times = [[n.value for n in f.numbers if n.name.startswith("response at")] for f in found]
    # a growth that a machine can't carry has no response
    assert all(1 <= len(t) <= len(GROWTHS) for t in times)
    assert max(map(len, times)) == len(GROWTHS)
    assert [t[0] for t in times] == sorted(t[0] for t in times)
    for grown in times:
        assert grown == sorted(grown)
    for f in found:
        if f.effect:
            assert f.effect.low <= f.effect.value <= f.effect.high
            assert f.effect.now == pytest.approx(1.0)
            assert "stay as measured" in f.effect.basis


def test_an_empty_lake_and_an_unknown_machine_are_refused() -> None:
    with pytest.raises(RequestError, match="no volume with any I/O"):
        rank(database(), ["ds8100"])
    with pytest.raises(RequestError, match="ds8101"):
        rank(database(volume_interval=[volume(0)]), ["ds8101"])


def test_a_lake_without_measurements_is_no_lake_without_troubles(tmp_path: Path) -> None:
    Lake(tmp_path / "lake").create()
    for more in ([], ["--every"]):
        done = invoked(["advise", "pav", "--lake", str(tmp_path / "lake"), *more])
        assert isinstance(done.exception, RequestError)
        assert "nothing to report on" in str(done.exception)


def test_an_option_of_another_topic_is_refused(folder: Path) -> None:
    for topic, option in (("nvs", ["--every"]), ("migrate", ["--machine", "ds8100"]), ("pav", ["--to", "ds8100"])):
        done = invoked(["advise", topic, *option, "--lake", str(folder / "lake")])
        assert isinstance(done.exception, RequestError)
        assert option[0] in str(done.exception)
