"""Findings of rules whose trouble no made-up day has, in the words that they had before."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import test_advise_cache_lost as cache_lost
import test_advise_causes as causes
import test_advise_connect as connect
import test_advise_errors as errors
import test_advise_failed_drive as drive
import test_advise_goals as goals
import test_advise_iops as iops
import test_advise_one_path as one_path
import test_advise_paths as paths
import test_advise_pend as pend
import test_advise_space as space
import test_advise_switched_off as switched_off
import test_advise_sync as sync
import test_advise_tape as tape
import test_advise_unused as unused
import test_advise_zhpf as zhpf
import test_advise_zvm as zvm
from advise_rows import database

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.text import as_text
from tests.held import held

GOLDEN = Path(__file__).with_name("golden") / "elsewhere"
PLANTED: Mapping[str, Callable[[], list[Finding]]] = {
    "alias_unused": lambda: run(unused.waiting(1, 1, 1)),
    "cache_lost": lambda: cache_lost.found(256, 256, 128, 128),
    "cache_off": lambda: switched_off.made(1, ("cache",), [4, 5], is_reported=True),
    "channel_speed": lambda: paths.slowed(16e9, 5),
    "connect_unexplained": lambda: connect.found(connect.Work().tables()),
    "error_recovery": lambda: errors.made(errors.day(errors.late(5.0))),
    "goal_missed": lambda: goals.missed(*goals.starved()),
    "iop_busy": lambda: iops.found(iops.one_busy(iops.LATE), late=4),
    "interrupt_delay": lambda: iops.delayed(iops.interrupts(iops.LATE_INTERRUPTS), 0.99),
    "minidisk_cache": lambda: zvm.found("minidisk_cache", *zvm.cached("CMS001", 20.0, 180.0, 0.15)),
    "one_slow_path": lambda: one_path.found("one_slow_path", one_path.paths(cmr_ms=4.4, taken_rate=20.0)),
    "path_share": lambda: one_path.found("path_share", one_path.paths(taken_rate=5.0)),
    "paths_lost": lambda: zvm.found("paths_lost", *zvm.cut(4, 4, 3, 3)),
    "paging_volumes": lambda: run(database(["pav_candidate"], **zvm.slow_paging(0.88, 2.0))),
    "pinned_data": lambda: drive.pinned(pend.LATE),
    "rank_degraded": lambda: drive.lacking(pend.LATE),
    "pend_unexplained": lambda: pend.found(pend.day(4)),
    "queue_no_alias": lambda: zvm.found("queue_no_alias", *(zvm.emulated(n, 3.0) for n in range(4))),
    "space_full": lambda: space.pool([0.86, 0.9, 0.94, 0.96]) + space.spool([0.97] * 4),
    "volumes_moved": causes.moved,
    "zhpf_unused": lambda: zhpf.found((0.0,), (0.9,)),
    "zhyperlink_fails": lambda: sync.found(sync.tried("VOL001", sync.fallen())),
    "tape_drives_full": lambda: tape.found(*[(1.0, 0.75)] * 4, (0.25, 0.0)),
    "tape_mounts_slow": lambda: tape.slow_mounts(0.25),
}


@pytest.mark.parametrize("code", PLANTED)
def test_a_rule_no_made_up_day_has_trouble_for_gives_the_same_as_before(code: str) -> None:
    found = [f for f in PLANTED[code]() if f.code == code]
    assert found
    held(GOLDEN / f"{code}.txt", as_text(found) + "\n")
