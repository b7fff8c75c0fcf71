"""A copy job reads and writes two volumes from end to end; what others had in cache is thrown out meanwhile."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

BOX = "AA006"
VOLSERS = ("SEQ001", "SEQ006")
START, END = 13.0, 15.0
COPY_RATE = 220.0
BLOCK_BYTES = 251_982
HIT_LOSS = (0.2, 0.4)


def _shape(demand: Demand) -> None:
    plex, surge = demand.sysplex, demand.window(START, END)
    copied = [plex.volume(v) for v in VOLSERS]
    others = [i for i, v in enumerate(plex.volumes) if plex.boxes[v.box].serial.endswith(BOX) and i not in copied]
    demand.hit_ratio[others] *= 1 - surge * demand.chance("sequential_flood").uniform(*HIT_LOSS)
    for i, system in enumerate(plex.systems):
        demand.rate[i][copied] += surge * (system.share * COPY_RATE - demand.rate[i][copied])
    demand.sequential_ratio[copied] += surge * (0.97 - demand.sequential_ratio[copied])
    demand.block_bytes[copied] += surge * (BLOCK_BYTES - demand.block_bytes[copied])


PLANTED = Planted(
    finding="sequential_flood",
    subject_kind="box",
    subject=BOX,
    systems=("SYSA", "SYSB"),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="sequential staging (R745DTC) high while the other volumes lose read hits",
)
SCENARIO = Scenario("Sequential flood", (PLANTED,), _shape)
