"""Cache counters of z/VM monitor samples: what grew between two, also where a counter began again."""

import datetime as dt

import pytest
from sql_lake import START, Lake, one

WRAP = 2**32
# what each counter grows by
GROWN = {
    "read_normal": 500, "read_normal_hits": 400, "read_seq": 100, "read_seq_hits": 90, "read_cfw": 20,
    "read_cfw_hits": 10, "write_normal": 200, "write_fast_normal_hits": 150, "write_seq": 40,
    "write_fast_seq_hits": 30, "write_cfw": 6, "write_cfw_hits": 3, "inhibit_cache_load": 7, "bypass_cache": 5,
    "dasd_to_cache": 60, "seq_dasd_to_cache": 11, "cache_to_dasd": 70, "fw_normal": 123, "fw_seq": 25,
    "fw_delayed_nvs": 9,
}  # fmt: skip


@pytest.mark.parametrize("first", [0, 17, WRAP - 1, WRAP - 8])
def test_what_grew_between_two_samples_is_what_was_done(first: int) -> None:
    lake = Lake()
    lake.add("mon_d1r6", system="VMA", MTRDEV_RDEVSID=1, MTRDEV_RDEVDEV="A100", MRHDRTOD=START)
    for n in (0, 1):
        at = START + dt.timedelta(seconds=60 * n)
        given = {f"CALPSF_{name}": (first + n * more) % WRAP for name, more in GROWN.items()}
        sample = {"CALPSF_ssid": "2105", "CALPSF_flags": 0, "IODCAD_RDEVSID": 1, "IODCAD_PSFLEN": 96}
        lake.add("mon_d6r4", system="VMA", MRHDRTOD=at, **sample, **given)
    row = one(lake.connect(), "SELECT * FROM cache_interval")
    counts = ("read_count", "write_count", "read_hit_count", "write_hit_count", "sequential_count", "io_count")
    assert tuple(row[n] for n in counts) == (620, 246, 500, 183, 140, 878)
    fast = ("fast_write_count", "fast_write_ratio", "nvs_delay_count", "nvs_delay_rate", "nvs_delay_ratio")
    assert tuple(row[n] for n in fast) == pytest.approx((148, 148 / 246, 9, 0.15, 9 / 246))
    assert (row["inhibit_rate"], row["bypass_rate"]) == pytest.approx((7 / 60, 5 / 60))
