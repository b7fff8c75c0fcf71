"""What a made-up site measures: rows of the promised views, without the record types left out."""

import datetime as dt
from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.toolkit.rows import NewRow
from tests.scoring.site import (
    BEGIN,
    BOXES,
    CHANNELS,
    EACH,
    LCUS,
    LINKS,
    OFFSET_S,
    SYSTEMS,
    Floats,
    Site,
    box_of,
    is_pooled,
    lcu_name,
    subsystem_name,
    volume_name,
)  # fmt: skip

Table = dict[str, NDArray[Any]]
Columns = NewRow  # arrays of any type and shape, and scalars, that broadcast
NAMES = np.array(["SYSA", "SYSB"])
PATHS = np.array([f"{0x50 + n:02X}" for n in range(CHANNELS)])
VOLUMES = np.array([volume_name(v) for v in range(LCUS * EACH)])
LCU_OF = np.array([lcu_name(v // EACH) for v in range(LCUS * EACH)])
SSID_OF = np.array([subsystem_name(v // EACH) for v in range(LCUS * EACH)])
LCU_NAMES = np.array([lcu_name(n) for n in range(LCUS)])
SSIDS = np.array([subsystem_name(n) for n in range(LCUS)])
POOL_OF = np.array([f"{n:04X}" for n in range(LCUS)])
POOLED = np.array([is_pooled(n) for n in range(LCUS)])


def tables(site: Site, without: Collection[str] = ()) -> dict[str, pa.Table]:
    """Rows by view.

    Args:
        site: the truth.
        without: record types not collected: `73`, `74.5`, `74.8`, `78.3`.
    """
    made: dict[str, Table] = {"measured_interval": _measured(site), "box_subsystem": _boxes("74.5" not in without)}
    made["volume_interval"] = _volumes(site, "74.5" not in without)
    made["lcu_interval"] = _lcus(site, "78.3" not in without)
    if "78.3" not in without:
        made |= {"lcu_extra": _extra(site), "lcu_queue": _queues(site), "lcu_path_interval": _paths(site)}
    if "74.5" not in without:
        made |= {"cache_interval": _cache(site), "cache_subsystem_interval": _subsystems(site)}
    if "73" not in without:
        made["channel_interval"] = _channels(site)
    if "74.8" not in without:
        made |= {"rank_interval": _ranks(site), "link_interval": _links(site)}
    return {name: pa.table(columns) for name, columns in made.items() if columns}


def _spread(shape: tuple[int, ...], columns: Columns) -> Table:
    """Columns of one shape, flattened."""
    return {name: np.broadcast_to(np.asarray(values), shape).reshape(-1) for name, values in columns.items()}


def _times(site: Site) -> Columns:
    first = np.datetime64(BEGIN - dt.timedelta(seconds=OFFSET_S), "us")
    starts = first + np.arange(site.intervals) * np.timedelta64(site.interval_s, "s")
    return {"interval_start": starts, "interval_s": float(site.interval_s), "utc_offset_s": np.int32(OFFSET_S)}


def _seen(site: Site) -> Columns:
    return {"platform": "z/OS", "system": NAMES[:, None, None], **_times(site)}


def _measured(site: Site) -> Table:
    shape = (SYSTEMS, site.intervals)
    return _spread(shape, {"platform": "z/OS", "system": NAMES[:, None], **_times(site), "device_rows": 16})


def _boxes(reported: bool) -> Table:
    if not reported:
        return {}
    serials = np.array(["0000000" + BOXES[box_of(n)] for n in range(LCUS)])
    boxes = np.array([BOXES[box_of(n)] for n in range(LCUS)])
    return _spread(
        (LCUS,),
        {
            "subsystem": SSIDS,
            "box": boxes,
            "serial": serials,
            "control_unit_type": "002107-961",
            "boxes": None,
            "since": np.datetime64("1900-01-01", "us"),
            "until": np.datetime64("9999-12-31", "us"),
        },
    )


def _response(site: Site) -> dict[str, Floats]:
    shape = site.rate.shape
    disc, service, wait = np.broadcast_to(site.disc_ms, shape), site.service_ms, site.queued_ms
    return {
        "io_rate": site.rate, "total_io_rate": site.rate, "wait_ms": wait, "pend_ms": site.pend_ms,
        "cmr_ms": site.cmr_ms, "device_busy_ms": site.device_busy_ms, "disc_ms": disc, "conn_ms": site.conn_ms,
        "service_ms": service, "response_ms": wait + service, "in_service": site.rate * service / 1e3,
        "queue_length": site.rate * wait / 1e3,
    }  # fmt: skip


def _volumes(site: Site, cached: bool) -> Table:
    pooled = np.repeat(POOLED, EACH)[None, :, None]
    columns: Columns = {
        **_seen(site), "volume": VOLUMES[:, None], "volser": VOLUMES[:, None], "lcu": LCU_OF[:, None],
        "is_hyperpav": pooled, "exposures": np.where(pooled, 1.0, site.exposures[None]),
        "reserved_ratio": site.reserved, **_response(site),
    }  # fmt: skip
    if cached:
        writes = site.rate.sum(axis=0) * (1 - site.read_ratio)
        columns |= {
            "read_ratio": site.read_ratio, "read_hit_ratio": site.hit_ratio, "write_hit_ratio": 1.0,
            "subsystem": SSID_OF[:, None], "extent_pool": np.repeat(POOL_OF, EACH)[:, None],
            "nvs_delay_rate": writes * site.delayed_ratio,
        }  # fmt: skip
    return _spread(site.rate.shape, columns)


def _by_lcu(values: Floats) -> Floats:
    """Sums over the volumes of each LCU."""
    parts = (*values.shape[:-2], LCUS, EACH, values.shape[-1])
    return np.asarray(values.reshape(parts).sum(axis=-2))


def _lcus(site: Site, reported: bool) -> Table:
    shown = _response(site)
    rate = _by_lcu(shown["io_rate"])
    columns: Columns = {**_seen(site), "lcu": LCU_NAMES[:, None], "devices": EACH, "io_rate": rate}
    for name in ("wait", "pend", "cmr", "device_busy", "disc", "conn", "service", "response"):
        columns[f"{name}_ms"] = _by_lcu(shown["io_rate"] * shown[f"{name}_ms"]) / np.maximum(rate, 1e-9)
    columns["queue_length"] = _by_lcu(shown["queue_length"])
    columns["waiting_devices"] = _by_lcu((shown["wait_ms"] > 0.1).astype(float)).astype(np.int64)
    columns["hyperpav_aliases"] = _pooled(site.aliases)
    columns["alias_throttled_count"] = _pooled(np.round(site.throttled_ratio * rate * site.interval_s))
    if reported:
        columns |= _pool(site, rate)
    return _spread(rate.shape, columns)


def _pooled(values: Floats) -> Floats:
    """NaN, which stands for NULL, for LCUs without HyperPAV."""
    return np.where(POOLED[:, None], np.round(values), np.nan)


def _pool(site: Site, rate: Floats) -> Columns:
    requests = _pooled(rate * site.interval_s)
    denied = np.round(requests * site.denied_ratio)
    return {
        "alias_io_count": requests, "alias_denied_count": denied, "alias_denied_ratio": denied / requests,
        "alias_high_water": _pooled(site.high_water), "alias_high_water_per_base": _pooled(site.high_water / 2),
    }  # fmt: skip


def _extra(site: Site) -> Table:
    rate = _by_lcu(site.rate)
    return _spread(rate.shape, {**_seen(site), "lcu": LCU_NAMES[:, None], **_pool(site, rate)})


def _queues(site: Site) -> Table:
    rate = _by_lcu(site.rate)
    inside = _by_lcu(site.rate * (site.service_ms - site.pend_ms + site.cmr_ms)) / 1e3
    columns: Columns = {
        "lcu": LCU_NAMES[:, None],
        "path_taken_rate": rate,
        "open_exchanges": inside,
        "css_delay_ms": 0.02,
    }
    return _spread(rate.shape, {**_seen(site), **columns, "cu_busy_delay_ms": 0.0})


def _paths(site: Site) -> Table:
    """Each LCU is reached by two channels: the first two by LCUs 0 and 1, the others by 2 and 3."""
    rate = _by_lcu(site.rate)
    cmr = _by_lcu(site.rate * site.cmr_ms) / np.maximum(rate, 1e-9)
    found = [
        _spread(
            (SYSTEMS, site.intervals),
            {
                "platform": "z/OS", "system": NAMES[:, None], **_times(site), "lcu": LCU_NAMES[lcu],
                "channel_path": PATHS[2 * box_of(lcu) + n], "taken_rate": rate[:, lcu] / 2, "cmr_ms": cmr[:, lcu],
            },
        )
        for lcu in range(LCUS) for n in range(2)
    ]  # fmt: skip
    return {name: np.concatenate([f[name] for f in found]) for name in found[0]}


def _channels(site: Site) -> Table:
    columns: Columns = {
        "channel_path": PATHS[:, None], "type": "FC_S", "busy_ratio": site.channel_ratio, "read_bytes_rate": 1e8,
        "write_bytes_rate": 3e7, "operation_rate": 1000.0, "speed_bits_rate": 8e9, "zhpf_operation_rate": 500.0,
        "source": "smf73",
    }  # fmt: skip
    return _spread(site.channel_ratio.shape, {**_seen(site), **columns})


def _counts(site: Site) -> dict[str, Floats]:
    ios = site.rate.sum(axis=0) * site.interval_s
    reads = ios * site.read_ratio
    writes = ios - reads
    return {
        "io_count": ios, "read_count": reads, "write_count": writes, "read_hit_count": reads * site.hit_ratio,
        "write_hit_count": writes, "fast_write_count": writes, "sequential_count": ios * site.sequential_ratio,
        "nvs_delay_count": np.round(writes * site.delayed_ratio),
    }  # fmt: skip


def _cache(site: Site) -> Table:
    counts = _counts(site)
    columns: Columns = {
        **_times(site), "platform": "z/OS", "system": NAMES[0], "subsystem": SSID_OF[:, None],
        "device": np.array([f"{0x1000 + v:05X}" for v in range(len(VOLUMES))])[:, None], "volser": VOLUMES[:, None],
        **counts, "sequential_ratio": site.sequential_ratio, "sequential_stage_rate": site.staged_rate,
        "bypass_rate": site.passed_ratio * counts["io_count"] / site.interval_s, "inhibit_rate": 0.0,
        "fast_write_inhibit_rate": 0.0, "read_ratio": site.read_ratio, "read_hit_ratio": site.hit_ratio,
        "disk_read_rate": counts["read_count"] * (1 - site.hit_ratio) / site.interval_s, "disk_read_ms": site.miss_ms,
        "extent_pool": np.repeat(POOL_OF, EACH)[:, None],
        "mirror_state": np.array([None, "full duplex"])[site.is_mirrored.astype(int)][:, None],
    }  # fmt: skip
    return _spread(site.read_ratio.shape, columns)


def _subsystems(site: Site) -> Table:
    counts = {name: _by_lcu(values) for name, values in _counts(site).items()}
    writes = counts["write_count"]
    serials = np.array(["0000000" + BOXES[box_of(n)] for n in range(LCUS)])
    columns: Columns = {
        **_times(site), "platform": "z/OS", "system": NAMES[0], "subsystem": SSIDS[:, None], **counts,
        "serial": serials[:, None], "control_unit_type": "002107-961", "write_rate": writes / site.interval_s,
        "nvs_delay_rate": counts["nvs_delay_count"] / site.interval_s, "destage_rate": site.destage_rate,
        "nvs_delay_ratio": counts["nvs_delay_count"] / np.maximum(writes, 1), "nvs_bytes": 8e9, "cache_bytes": 2.5e11,
        "stage_rate": 20.0, "sequential_stage_rate": _by_lcu(site.staged_rate),
    }  # fmt: skip
    return _spread(writes.shape, columns)


def _ranks(site: Site) -> Table:
    shape = (LCUS, site.intervals)
    reads = _by_lcu(site.rate.sum(axis=0) * site.read_ratio * (1 - site.hit_ratio))
    columns: Columns = {
        **_times(site), "platform": "z/OS", "system": NAMES[0],
        "box": np.array([BOXES[box_of(n)] for n in range(LCUS)])[:, None],
        "rank": POOL_OF[:, None], "extent_pool": POOL_OF[:, None], "read_rate": reads, "read_ms": site.rank_ms,
        "write_rate": site.destage_rate, "write_ms": 2 * site.rank_ms, "drives": 8, "drive_class": "enterprise",
        "raid_type": "RAID-5",
    }  # fmt: skip
    return _spread(shape, columns)


def _links(site: Site) -> Table:
    """Each moves as much out of the box as its ratio says, half of that into it."""
    names = np.array([f"{n:04X}" for n in range(len(site.link_ratio))])[:, None]
    found = [
        _spread(site.link_ratio.shape, {
            **_times(site), "platform": "z/OS", "system": NAMES[0], "link_type": "FC 8 Gb/s", "operation": operation,
            "box": np.repeat(BOXES, LINKS)[:, None], "link": names,
            "operation_rate": 500.0, "bytes_rate": site.link_ratio * each, "response_ms": 1.0,
        })
        for operation, each in (("host read", 8e8), ("host write", 4e8))
    ]  # fmt: skip
    return {name: np.concatenate([f[name] for f in found]) for name in found[0]}
