"""NVS that the delayed writes of an interval would have filled."""

from collections.abc import Iterator, Mapping

from iosq.models.nvs import TRACK_BYTES, seconds_to_fill
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.rows import Row


def modelled(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Row]:
    """The rows with the NVS filled by a burst, and how long NVS and twice its size last at a steady overload."""
    for r in rows:
        late = r["nvs_delay_count"] / r["interval_s"] if r["interval_s"] else None
        is_filling = r["is_steady"] and not r["is_refused"]
        once = seconds_to_fill(float(r["nvs_bytes"]), late) if is_filling and r["nvs_bytes"] and late else None
        room = float(r["nvs_delay_count"] * TRACK_BYTES) if r["is_burst"] else None
        yield {**r, "late_rate": late, "room_bytes": room, "filled_s": once, "twice_filled_s": once and 2 * once}
