"""What stands in the files: every record decodes but the damaged one, and its counters are the truth's."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from sample_reading import Read, kind_of, unpacked

from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample import write
from iosq.toolkit.show import stages
from tests.shipped import INTERVALS

# copies of the LCUs that don't fit one 78.3 record
MANY = 12
SHIPPED = Path(__file__).parents[3] / "sample-data" / "smf"


def facts(read: Read) -> dict:
    return json.loads(read.paths[-1].read_text())


def test_only_the_damaged_record_is_refused(shipped: Read) -> None:
    assert shipped.refused == [("sysb.smf.gz", (78, 3), "triplet_outside")]
    assert {p["finding"] for p in facts(shipped)["planted"]} >= {"triplet_outside"}


def test_kinds_are_all_there(shipped: Read) -> None:
    kinds = Counter(kind_of(r)[0] for rs in shipped.records.values() for r in rs)
    assert {2, 3, 30, 42, 70, 71, 72, 73, 74, 75, 78, 94, 99} == set(kinds)
    decoded = {"smf70_1_record", "smf72_3_record", "smf74_1_record", "smf74_5_record", "smf74_7_record"}
    assert decoded <= {n for n, rows in shipped.rows.items() if rows}


def test_records_stay_below_32_kb_and_are_written_once(shipped: Read) -> None:
    everything = [r for rs in shipped.records.values() for r in rs]
    assert max(map(len, everything)) <= 32_760
    assert len(set(everything)) == len(everything)


def test_more_than_there_is_room_for_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RequestError, match="9600 intervals of 120 volumes are too many at once: at most 5952"):
        write(tmp_path, days=100)
    monkeypatch.setattr("iosq.toolkit.sample.writer.MOST_WRITTEN", 96 * 120)
    with pytest.raises(RequestError, match="at most 96"):
        write(tmp_path, days=2)
    write(tmp_path, days=2, intervals=[191])
    assert (tmp_path / "sysa.smf").exists()


def test_many_lcus_are_split_below_32_kb(tmp_path: Path) -> None:
    read = Read(write(tmp_path, scale=MANY, intervals=[40], names=["healthy"]))
    read.decode()
    assert read.refused == []
    assert max(len(r) for rs in read.records.values() for r in rs) <= 32_760
    rows = [r for r in read.rows["smf78_3_data"] if r["system"] == "SYSA"]
    assert [r["section_index"] for r in rows] == list(range(1, 6 * MANY + 1))
    aliases = {r["section_index"]: r for r in read.rows["smf78_3_hyperpav"] if r["system"] == "SYSA"}
    assert all(aliases[r["R783HIX"]]["R783HLCU"] == r["R783ID2"] for r in rows if r["R783HCNT"])


def test_truth_counts_the_records_of_each_file(shipped: Read) -> None:
    for path in shipped.paths[:-1]:
        given = facts(shipped)["files"][path.name]
        assert sum(given["records"].values()) == len(shipped.records[path.name])
        assert given["unpacked_bytes"] == len(unpacked(path))


def test_device_sums_are_the_truths(shipped: Read) -> None:
    for sid, sums in facts(shipped)["device_sums"].items():
        rows = [r for r in shipped.rows["smf74_1_device_data"] if r["system"] == sid and r["SMF74DEV"] != "3490"]
        assert {name: sum(r[name] for r in rows) for name in sums} == sums


def test_cache_sums_are_the_truths_with_one_system_per_subsystem(shipped: Read) -> None:
    rows = [r for r in shipped.rows["smf74_5_cache_device"] if r["system"] == "SYSA"]
    for ssid, sums in facts(shipped)["cache_sums"].items():
        mine = [r for r in rows if r["R745DSID"] == ssid]
        assert {name: sum(r[name] for r in mine) for name in sums} == sums


def test_both_systems_gather_the_first_box_with_the_same_numbers(shipped: Read) -> None:
    def gathered(sid: str) -> dict:
        rows = [r for r in shipped.rows["smf74_5_cache_device"] if r["system"] == sid]
        return {(r["interval_start"], r["R745DVOL"]): r["R745DRCR"] for r in rows}

    one, two = gathered("SYSA"), gathered("SYSB")
    assert {volser[:3] for _, volser in two} == {"ONL", "BAT", "DB2"}
    assert {volser[:3] for _, volser in one} == {"ONL", "BAT", "DB2", "SYS", "EVE", "TSO"}
    assert all(one[key] == value for key, value in two.items())


def test_older_system_writes_shorter_sections(shipped: Read) -> None:
    rows = [r for r in shipped.rows["smf74_1_device_data"] if r["SMF74DEV"] == "33909"]
    assert {r["SMF74IOS"] is None for r in rows if r["system"] == "SYSB"} == {True}
    assert {r["SMF74IOS"] is None for r in rows if r["system"] == "SYSA"} == {False}
    assert max(r["SMF74QUE"] for r in rows if r["system"] == "SYSB") > 0


def test_large_record_is_split_and_counts_on(shipped: Read) -> None:
    pieces = [r for r in shipped.rows["smf74_1_record"] if r["SMF74RBR"]]
    assert {(r["system"], r["SMF74RBR"], r["SMF74RSQ"]) for r in pieces} == {("SYSA", 2, 1), ("SYSA", 2, 2)}
    first = min(r["interval_start"] for r in pieces)
    rows = [r for r in shipped.rows["smf74_1_device_data"] if (r["system"], r["interval_start"]) == ("SYSA", first)]
    disks = [r for r in rows if r["SMF74DEV"] == "33909"]
    assert [r["section_index"] for r in disks] == list(range(1, len(disks) + 1))


def test_queuing_paths_add_up_to_their_lcu(shipped: Read) -> None:
    paths = [r for r in shipped.rows["smf78_3_config_data"] if r["system"] == "SYSA"]
    rows = [r for r in shipped.rows["smf74_1_device_data"] if r["system"] == "SYSA" and r["SMF74DEV"] == "33909"]
    for lcu in ("0010", "0021"):
        assert sum(r["R783PT"] for r in paths if r["R783CU1"] == lcu) == sum(
            r["SMF74SSC"] for r in rows if r["SMF74LCU"] == lcu
        )


def test_superpav_sections_only_where_the_release_has_them(shipped: Read) -> None:
    rows = shipped.rows["smf78_3_hyperpav"]
    assert {r["R783XANC"] is None for r in rows if r["system"] == "SYSB"} == {True}
    assert {r["R783HLCU"] for r in rows if r["R783XANC"]} == {"0021", "0022"}


def test_measurement_groups_and_their_overlays(shipped: Read) -> None:
    rows = shipped.rows["smf73_channel_data"]
    for group, column in ((1, "SMF73TUT"), (2, "SMF73TUC"), (3, "SMF73PMS"), (4, "SMF73G4TUC"), (5, "SMF73G5TUC")):
        mine = [r[column] for r in rows if r["SMF73CMG"] == group]
        assert mine
        assert min(mine) > 0
    extended = len(shipped.rows["smf73_extended"])
    assert extended == sum(r["SMF73CMG"] == 2 for r in rows) > 0


def test_library_hours_come_from_both_systems(shipped: Read) -> None:
    mounts = Counter((r["interval_start"], r["SMF94MTO"]) for r in shipped.rows["smf94_1_mount"])
    assert set(mounts.values()) == {2}


def test_data_sets_do_a_share_of_their_volumes_io(shipped: Read) -> None:
    headers = shipped.rows["smf42_6_data_set_header"]
    assert {"DB2003", "EVE000", "BAT000"} <= {r["S42DSVOL"] for r in headers}
    assert len(shipped.rows["smf42_6_data_set_io"]) == len(headers)


def test_local_time_is_an_hour_ahead_of_utc(shipped: Read) -> None:
    row = shipped.rows["smf74_1_record"][0]
    assert row["utc_offset_s"] == 3600
    assert row["SMF74IST"] == INTERVALS[0] * 900
    assert row["interval_start"].hour * 3600 + row["interval_start"].minute * 60 == INTERVALS[0] * 900 - 3600
    assert (row["SMF74GIE"] - row["interval_start"]).total_seconds() == row["interval_s"] == 900


def test_same_seed_same_bytes_other_seed_others(tmp_path: Path) -> None:
    runs = [write(tmp_path / str(i), seed=seed, intervals=[40, 43], packed=()) for i, seed in enumerate((5, 5, 6))]
    one, same, other = ([p.read_bytes() for p in paths] for paths in runs)
    assert one == same
    assert one[0] != other[0]


def test_an_interval_does_not_depend_on_which_others_are_written(tmp_path: Path) -> None:
    short = write(tmp_path / "short", intervals=[40], packed=())[0].read_bytes()
    longer = write(tmp_path / "longer", intervals=[40, 41], packed=())[0].read_bytes()
    # without the dump's first and last record of 18 bytes
    assert longer[18:].startswith(short[18:-18])


def test_shipped_files_are_what_the_code_writes(shipped: Read) -> None:
    assert sorted(p.name for p in SHIPPED.iterdir()) == sorted(p.name for p in shipped.paths[:-1])
    for path in shipped.paths[:-1]:
        assert unpacked(SHIPPED / path.name) == unpacked(path), f"{path.name}: write sample-data/smf anew"
    assert SHIPPED.with_name("smf-manifest.json").read_text() == shipped.paths[-1].read_text()
    assert sum(p.stat().st_size for p in SHIPPED.iterdir()) < 1_000_000


def test_a_folder_of_dumps_holds_nothing_else_in_sight(tmp_path: Path) -> None:
    paths = write(tmp_path, intervals=[40])
    assert paths[-1].name == ".truth.json"
    visible = [p for p in tmp_path.iterdir() if not p.name.startswith(".")]
    assert sorted(visible) == sorted(paths[:-1])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"intervals": []}, "intervals"),
        ({"intervals": [96]}, "intervals"),
        ({"names": ["nope"]}, "no scenario nope"),
        ({"seed": -1}, "seed"),
    ],
)
def test_requests_that_make_no_sense(tmp_path: Path, arguments: dict, text: str) -> None:
    with pytest.raises(RequestError, match=text):
        write(tmp_path, **arguments)


def test_a_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    shutil.copy(__file__, tmp_path / "file")
    with pytest.raises(RequestError, match="can't write"):
        write(tmp_path / "file", intervals=[40])


def test_the_progress_of_the_work_never_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The head of a dump names its last interval, and is made first."""
    given: list[float] = []
    monkeypatch.setattr(stages, "progress", lambda _, done, total: given.append(done / total))
    write(tmp_path, intervals=range(3), names=("healthy",))
    assert given == sorted(given)
    assert given[0] < 0.2
    assert given[-1] <= 1
