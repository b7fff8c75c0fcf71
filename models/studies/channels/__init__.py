"""Public statements about ESCON and FICON, each with its source, compared with the channel and tape job models."""

from collections.abc import Callable

from iosq.models import channel, machine, tape
from iosq.models.studies.check import Check, direction
from iosq.toolkit.rows import csv_rows

TITLE = "public statements about ESCON and FICON, the source of each in the note"
STUDY = "channels"
KB = 1024.0
DRIVE_BYTES_RATE = 14e6  # 3590E, uncompressed


def checks() -> list[Check]:
    """One check per statement."""
    return [_check(row) for row in csv_rows("iosq.models", "studies", "channels", "facts.csv")]


def _check(row: dict[str, str]) -> Check:
    subject = f"{row['topic']}, {row['qualifier']}".replace("_", " ")
    if row["qualifier"] == "direction":
        return direction(STUDY, f"{subject}: {row['unit']}", _HOLDS[row["topic"]](), row["source"])
    predict, role = _PREDICT[row["topic"]]
    return Check(STUDY, subject, row["unit"], predict(), float(row["value"]), role, row["source"])


def _channel(name: str) -> channel.Channel:
    return channel.from_machine(machine.load(name))


def _small_rate(name: str) -> float:
    return channel.limit(_channel(name), 4 * KB, 0.5 if name == "escon" else 1.0)[1]


def _left_at_20_km() -> float:
    escon = _channel("escon")
    return 100 * channel.link_bytes_rate(escon, escon.read, 20.0) / escon.read.link_bytes_rate


def _droop_from() -> float:
    """Distance in km at which the window equals the round trip."""
    escon = _channel("escon")
    return escon.window_bytes / escon.read.link_bytes_rate * 1e3 / (2 * channel.LIGHT_MS_PER_KM)


def _job_rate(name: str, block_kb: float) -> float:
    load = tape.TapeLoad(jobs=1, block_bytes=block_kb * KB)
    return tape.job_bytes_rate(machine.load("vts-b20"), _channel(name), load)


_PREDICT: dict[str, tuple[Callable[[], float], str]] = {
    "ficon_4k_rate": (lambda: _small_rate("ficon"), "calibration"),
    "escon_4k_rate": (lambda: _small_rate("escon"), "calibration"),
    "escon_droop_from": (_droop_from, "calibration"),
    "escon_rate_left_at_20_km": (_left_at_20_km, "scored"),
    "ficon_channel_of_ds8100": (lambda: _small_rate("ficon"), "scored"),
}
_HOLDS: dict[str, Callable[[], bool]] = {
    "escon_block_for_14_mb_per_s": lambda: _job_rate("escon", 32) < DRIVE_BYTES_RATE <= _job_rate("escon", 64),
    "ficon_block_for_14_mb_per_s": lambda: _job_rate("ficon", 16) >= DRIVE_BYTES_RATE,
}
