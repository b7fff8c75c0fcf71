"""What models answer, held in numbers: published studies, boxes at many states, and what-ifs of every kind.

Known answers and laws stand in the tests of each model; here a change of any answer shows, wanted or not. After one
that is meant: `IOSQ_GOLDEN=write pytest tests/models/test_same_as_before.py`, then read the difference.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import numpy as np

from iosq.models import machine
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.machine import box_from_machine
from iosq.models.studies.catalog import studies
from iosq.models.studies.zvm_pav import configurations
from tests.command import invoked, lines_of
from tests.held import held

GOLDEN = Path(__file__).parents[1] / "golden" / "models"
BOXES = ("ess-f20", "ds8100", "ds6800")
NOTHING = 1e-9
CHANNELS = ("se700", "escon", "ficon")
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")
CLOSED = "pav --volumes 8 --read-ratio 0.33 --footprint-gb 2 --requesters"
WHAT_IFS = (
    *(f"{CLOSED} {n} --machine {box}" for n in (1, 5) for box in BOXES),
    "pav --rate 120 --wait-ms 4 --pend-ms 1 --disc-ms 3 --conn-ms 1 --read-ratio 0.7 --machine ds8100",
    "pav --rate 120 --wait-ms 4 --service-ms 5 --read-ratio 0.7",
    "pav --rate 20 --wait-ms 0.3 --service-ms 5 --read-ratio 0.7",
    *(f"nvs --machine ibm3990-6 --write-rate {rate} --seconds 30" for rate in (200, 700, 2000)),
    "nvs --nvs-mib 32 --destage-rate 400 --write-rate 900 --seconds 60 --growth 1.5",
    *(f"tape --machine {vts} --jobs {jobs} --ficon 4" for vts in ("vts-b10", "vts-b20") for jobs in (4, 64)),
    *(f"tape --machine vts-b10 --jobs 32 --pools {pools}" for pools in (2, 4)),
    "tape --machine vts-b20 --jobs 32 --escon 8 --distance-km 20 --pools 4 --dual-copy 0.5",
    *(f"channel {name} --tasks 2 --tasks 6 --block-bytes 4096 --block-bytes 32768" for name in CHANNELS),
    "channel ficon --tasks 6 --distance-km 0 --distance-km 50 --read-ratio 0.5",
    "channel se700 --exposures 4 --channels 2 --tasks 6",
    *(f"dump --storage-gb 4.5 --machine {m}" for m in ("sadump-3390-3", "sadump-ess")),
    "dump --storage-gb 2 --virtual",
)  # fmt: skip


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.5g}" if abs(float(number[0])) > NOTHING else "0"


def _known(name: str, found: Iterable[str]) -> None:
    """Hold lines against a golden, numbers to five digits; what is next to nothing is nothing."""
    held(GOLDEN / name, "".join(NUMBER.sub(_rounded, line) + "\n" for line in found))


def test_every_study_is_answered_as_before() -> None:
    checks = (check for study in studies().values() for check in study.checks())
    _known("studies.txt", [f"{c.study}: {c.subject}: {c.predicted!r} {c.unit}" for c in checks])


def _states() -> BoxLoad:
    """Few and many in the box, each mix, data that fits and that does not, aliases at work or not, a queue or none."""
    each = product((8, 16, 40), (0.0, 0.5, 1.0), (0.5, 4.0), ((0.0, 0.0), (1.0, 0.0), (0.5, 1.0)))
    inside, reads, data, more = zip(*each, strict=True)
    return BoxLoad.of(inside, reads, data, *np.array(more).T)


def _of_box(name: str) -> Iterator[str]:
    box, load = box_from_machine(machine.load(name)), _states()
    likely, rates = box.likeliest_rate(load), box.rates(load, np.random.default_rng(1), 200)
    for place, rate in enumerate(box.rate(load)):
        low, high = np.quantile(rates[:, place], [0.05, 0.95])
        full = ", ".join(f"{station} {share[place]:.5g}" for station, share in box.utilization(load).items())
        yield f"{name} {place}: {rate:.5g} ({low:.5g} to {high:.5g}), likeliest {likely[place]:.5g}; {full}"


def test_every_box_has_the_rates_it_had_before() -> None:
    _known("boxes.txt", [line for name in BOXES for line in _of_box(name)])


def _what_if(asked: str) -> Iterator[str]:
    done = invoked(["simulate", *asked.split(), "--format", "json"])
    assert done.exit_code == 0, done.stderr
    yield f"== {asked}"
    yield from (json.dumps(row, ensure_ascii=False) for row in json.loads(done.stdout))
    yield from lines_of(done.stderr)


def test_every_what_if_is_answered_as_before() -> None:
    _known("what-ifs.txt", [line for asked in WHAT_IFS for line in _what_if(asked)])


def test_machine_files_have_the_sizes_that_the_study_gives() -> None:
    for given in configurations().values():
        names = ("installed_cache_gb", "channels_count", "measured_volumes_count")
        sheet = [machine.load(given.machine).value(name) for name in names]
        assert sheet == [given.cache_gb, given.channels, given.volumes]
