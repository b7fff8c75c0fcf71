"""Records that are missing altogether: a notice with the findings says what is unknown without them."""

from functools import partial

from advise_rows import at, cached, pool, volume
from advise_rows import database as of_rows

from iosq.toolkit.advise.data_quality import missing_records, questions

database = partial(of_rows, asks=" ".join(questions()))

DEVICES = "No per-volume analysis: SMF 74.1 (or a device listing) for this period is missing."
CACHE = "No cache and NVS analysis: SMF 74.5 (or a cache report) for this period is missing."


def test_cache_and_nvs_take_cache_records() -> None:
    alone = database(volume_interval=[volume(0)])
    assert (
        missing_records(alone, "nvs") == missing_records(alone, "all") == CACHE and missing_records(alone, "pav") == ""
    )
    assert missing_records(database(volume_interval=[volume(0)], cache_interval=[cached()]), "nvs") == ""
    assert missing_records(database(volume_interval=[volume(0, rate=0.0)]), "all") == "", "nothing was done"
    assert missing_records(database(volume_interval=[volume(0, subsystem="3021")]), "nvs") == "", (
        "another system gathered"
    )


def test_what_devices_do_takes_their_records() -> None:
    queues = database(lcu_interval=[pool(0, lcu="0011")])
    assert missing_records(queues, "pav") == missing_records(queues, "migrate") == DEVICES
    assert missing_records(queues, "nvs") == f"{DEVICES} {CACHE}", "nothing found is no all-clear"
    assert missing_records(database(cache_interval=[cached()]), "nvs") == DEVICES


def test_volumes_without_a_rate_are_no_all_clear() -> None:
    rows = [volume(0, io_rate=None), volume(0, "VOL002", system="SYSB"), volume(1, io_rate=None, system="SYSB")]
    reported = missing_records(database(volume_interval=rows), "pav")
    assert reported.startswith("No I/O rate of a volume of SYSA was read.") and reported.endswith("no all-clear.")


def test_two_systems_of_one_name_are_reported() -> None:
    row = {"platform": "z/OS", "system": "SYSA", "interval_start": at(0), "interval_s": 900.0, "devices": 3}
    reported = missing_records(database(volume_interval=[volume(0)], conflicting_interval=[row]), "pav")
    assert reported.startswith("1 interval of SYSA is in the lake twice, with different numbers, as of two systems")


def test_hyperpav_pools_take_queuing_records() -> None:
    rows = [volume(0, "VOL001", lcu="0012", is_hyperpav=True), volume(0, "VOL002", lcu="0011", is_hyperpav=True)]
    both = missing_records(database(volume_interval=rows), "pav")
    assert both == (
        "HyperPAV alias usage of LCUs 0011, 0012 is unknown: SMF 78.3 (or the I/O queuing report) is missing."
    )
    one = missing_records(database(volume_interval=rows, lcu_interval=[pool(0, lcu="0011")]), "pav")
    assert "usage of LCU 0012 is unknown" in one, "0011 has its record"
    many = [volume(0, f"VOL{n:03}", lcu=f"{n:04X}", is_hyperpav=True) for n in range(7)]
    assert "0004, 0005 and 1 more is unknown" in missing_records(database(volume_interval=many), "pav")
    assert missing_records(database(volume_interval=[volume(0, is_hyperpav=False)]), "pav") == ""


def test_groups_without_an_lcu_are_named() -> None:
    common = {"platform": "z/OS", "system": "SYSA", "interval_start": at(0), "io_rate": 1482.9, "lcu_rate": 0.0}
    cut = {**common, "alias_group": "00000001", "denied_ratio": 2.013, "lcus": 0}
    part = {**common, "alias_group": "00000003", "lcus": 2, "lcu_rate": 775.0}
    reported = missing_records(database(volume_interval=[volume(0)], alias_group_interval=[cut, part]), "pav")
    assert (
        "no LCU of alias management group 00000001 of SYSA (1,480 I/Os a second, up to 2 refusals per I/O)." in reported
    )
    assert "00000003" not in reported


def test_ids_that_stand_in_two_boxes_are_reported() -> None:
    row = {"subsystem": "3021", "box": "CD999", "boxes": "CD472|CD999"}
    con = database(volume_interval=[volume(0)], cache_interval=[cached()], box_subsystem=[row])
    for topic in ("all", "pav", "nvs", "migrate"):
        assert "Subsystem ids 3021 are used by more than one box (CD472 and CD999)" in missing_records(con, topic)
    assert missing_records(database(volume_interval=[volume(0)], cache_interval=[cached()]), "nvs") == ""


def test_listings_that_lack_rows_are_named() -> None:
    common = {"platform": "z/OS", "system": "SYSA", "interval_start": at(0), "total": "devices", "adds_up": False}
    short = {**common, "id": "0010", "printed_rate": 910.546, "rows_rate": 485.9}
    paths = {**common, "id": "0041", "total": "paths of an LCU", "printed_rate": 495.13, "rows_rate": 500.13}
    fine = {**common, "system": "SYSB", "adds_up": True, "id": "0010", "printed_rate": 900.0, "rows_rate": 900.0}
    one = missing_records(database(volume_interval=[volume(0)], listing_total=[short, fine]), "pav")
    assert one == (
        "A listing of SYSA lacks rows, or prints a wrong total (view listing_total). For LCU 0010 it prints 910.5 I/Os "
        "a second in all, and devices of 485.9."
    )
    both = missing_records(database(volume_interval=[volume(0)], listing_total=[short, paths]), "pav")
    assert both.startswith(
        "A listing of SYSA contradicts its own totals (view listing_total). For LCU 0010 it prints 910.5 I/Os"
    )
    assert both.endswith("and devices of 485.9, the worst of 2 such totals.")


def test_no_finding_is_no_all_clear_where_queues_are_unknown() -> None:
    """Of most I/Os of a system; a volume that does little says nothing."""
    known = [volume(0), volume(0, "VOL002", rate=1.0) | {"wait_ms": None}]
    assert missing_records(database(volume_interval=known), "pav") == ""
    unknown = [volume(0) | {"wait_ms": None, "platform": "z/VM", "system": "VMA"}, volume(0) | {"system": "SYSB"}]
    reported = missing_records(database(volume_interval=unknown), "pav")
    assert "Whether I/Os wait on VMA is unknown: what was read has no queue length for most of them. " in reported
    assert missing_records(database(volume_interval=unknown), "nvs") == CACHE
