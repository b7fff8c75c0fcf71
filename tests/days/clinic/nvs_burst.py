"""Short write bursts overflow NVS although the box destages far more than comes in over the interval."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.physics import TRACK_BYTES, arriving_tracks
from iosq.toolkit.sample.planting import Planted, Scenario

BOX = "AA003"
# half hours with a burst
HOURS = (2.0, 5.5, 11.0, 20.5)
BURST_S = 90.0
# writes of the burst that find NVS full, as a share of the interval's
DELAYED = (0.02, 0.06)


def _shape(demand: Demand) -> None:
    plex = demand.sysplex
    box = [b.serial.endswith(BOX) for b in plex.boxes].index(True)
    arriving = arriving_tracks(demand, demand.rate)[box]
    share = demand.chance("nvs_burst").uniform(*DELAYED)
    room = plex.boxes[box].nvs_mb * 1_000_000 / TRACK_BYTES
    for hour in HOURS:
        at = round(hour * 3600 / plex.interval_s)
        excess = share * arriving[at] * plex.interval_s + room
        demand.burst_s[box, at] = BURST_S
        demand.burst_ratio[box, at] = (plex.boxes[box].destage_rate + excess / BURST_S) / arriving[at]


PLANTED = Planted(
    finding="nvs_delay",
    subject_kind="box",
    subject=BOX,
    systems=("SYSA",),
    start_hour=2.0,
    end_hour=21.0,
    evidence="R745DFWB in single intervals while R745DCTD stays below what the box destages elsewhere",
)
SCENARIO = Scenario("Write bursts overflow NVS", (PLANTED,), _shape)
