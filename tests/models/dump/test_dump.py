"""Stand-alone dump: by hand where one part limits, and the stated directions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models import dump, machine
from iosq.models.studies import sadump
from iosq.models.studies.sadump import _DIRECTIONS
from iosq.toolkit.errors import RequestError

DISK, ESS = machine.load("sadump-3390-3"), machine.load("sadump-ess")


def test_one_volume_is_the_volumes_rate() -> None:
    assert dump.dump_time(DISK, 2.5e9).value == pytest.approx(60 + 2.5e9 / 4.2e6, rel=1e-3)


def test_one_virtual_volume_pays_for_no_further_one() -> None:
    rate = DISK.value("virtual_volume_bytes_rate")
    assert dump.dump_time(DISK, 3e9, is_virtual=True).value == pytest.approx(60 + 3e9 / rate, rel=1e-3)


def test_many_volumes_are_the_dump_programs_rate() -> None:
    assert dump.dump_time(ESS, 2.5e9, volumes=8).value == pytest.approx(60 + 2.5e9 / 14e6, rel=1e-3)


def test_the_band_is_ten_percent() -> None:
    time = dump.dump_time(DISK, 1e9, volumes=2)
    assert (time.low / time.value, time.high / time.value) == (pytest.approx(0.9), pytest.approx(1.1))


def test_virtual_dumps_rise_above_four_volumes_real_ones_do_not() -> None:
    for box in (DISK, ESS):
        four, eight = (dump.dump_time(box, 3e9, volumes=n, is_virtual=True).value for n in (4, 8))
        assert eight > four
        assert dump.dump_time(box, 3e9, volumes=8).value < dump.dump_time(box, 3e9, volumes=4).value


def test_four_volumes_are_reasonable_on_3390_3() -> None:
    assert dump.volumes_worth_having(DISK, 2.5e9) == 4
    assert dump.volumes_worth_having(DISK, 3e9, is_virtual=True) == 4
    assert dump.volumes_worth_having(ESS, 2.5e9) == 2


def test_ipcs_reads_one_volume_after_the_other_and_ess_gains_less_with_more() -> None:
    assert dump.ipcs_time(DISK, 4e9, volumes=4).value == pytest.approx(1000 + 20)
    gaps = [dump.ipcs_time(DISK, 2e9, volumes=n).value / dump.ipcs_time(ESS, 2e9, volumes=n).value for n in (1, 4, 8)]
    assert 3 > gaps[0] > gaps[1] > gaps[2] > 2


@settings(max_examples=40, deadline=None)
@given(st.floats(1e8, 1e12), st.integers(1, 31), st.booleans())
def test_more_storage_takes_longer_but_never_in_proportion(size: float, volumes: int, is_virtual: bool) -> None:
    one, two = (dump.dump_time(DISK, s, volumes=volumes, is_virtual=is_virtual).value for s in (size, 2 * size))
    assert one < two < 2 * one


def test_every_stated_direction_holds_and_nothing_is_sold_as_a_prediction() -> None:
    checks = sadump.checks()
    assert len([c for c in checks if c.role == "direction"]) == 6
    assert all(c.predicted == 1 for c in checks if c.role == "direction"), checks
    assert {c.role for c in checks} == {"direction", "calibration"}
    for check in checks:
        assert abs(check.error_ratio or 0) < 0.05, check


def test_the_directions_can_fail() -> None:
    """Swapped disks break what was stated about them."""
    broken = [name for name, holds in _DIRECTIONS.items() if not holds(ESS, DISK)]
    assert broken == [("real_storage_dump", "ess_vs_3390_3")]
    slow = DISK.varied(fixed_s=0.0)
    assert not _DIRECTIONS["real_storage_dump", "time_vs_size"](slow, slow)


@pytest.mark.parametrize(
    ("size", "volumes", "named"), [(0, 1, "storage_bytes"), (1e9, 0, "volumes"), (1e9, 33, "volumes")]
)
def test_nonsense_is_named(size: float, volumes: int, named: str) -> None:
    with pytest.raises(RequestError, match=named):
        dump.dump_time(DISK, size, volumes=volumes)
    with pytest.raises(RequestError, match=named):
        dump.ipcs_time(DISK, size, volumes=volumes)
