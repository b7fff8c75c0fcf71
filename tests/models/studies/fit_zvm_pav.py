"""The fits behind the machine files of the study's three boxes: family defaults and all sound cells.

python -m tests.models.studies.fit_zvm_pav
"""

import sys
from pathlib import Path

import numpy as np

import iosq.models
from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.fit.machine_file import machine_toml
from iosq.models.machine import Parameter, load
from iosq.models.pav.machine import ERROR
from iosq.models.studies.zvm_pav import TITLE, Configuration, cells, configurations
from iosq.models.studies.zvm_pav.load import points_of, weak_prior_for

SEED = 1
FITTED = f"{TITLE}; fit to all sound cells"
PREDICTED = "iosq validate: 90th percentile of the rate error when 15 runs predict the rest"


def fitted(configuration: Configuration) -> Calibration:
    """The box fitted to every sound cell of its 140."""
    own = cells().pick((cells().conditions.controller == configuration.controller) & ~cells().defective)
    prior = weak_prior_for(configuration, float(own.conditions.footprint_gb.max()))
    return calibrate(configuration.machine, points_of(own, configuration), prior, np.random.default_rng(SEED))


def machine_text(controller: str, rate_error_ratio: float) -> str:
    """Text of the machine file of one of the study's controllers.

    Args:
        rate_error_ratio: 90th percentile of the rate's error where fifteen runs predict the rest (`iosq validate`).
    """
    configuration = configurations()[controller]
    title = f"IBM {configuration.controller} {configuration.model} (z/VM PAV study)"
    error = {ERROR: Parameter(rate_error_ratio, "ratio", PREDICTED, "measured")}
    return machine_toml(title, fitted(configuration), FITTED, _sheet(configuration) | error, pointwise=False)


def _sheet(configuration: Configuration) -> dict[str, Parameter]:
    """What the source says of the box and of what was done with it."""
    own = cells().pick(cells().conditions.controller == configuration.controller)
    values = {
        "installed_cache_gb": (configuration.cache_gb, "GB"),
        "channels_count": (configuration.channels, "count"),
        "measured_volumes_count": (configuration.volumes, "count"),
        "measured_footprint_gb": (float(own.conditions.footprint_gb.max()), "GB"),
    }
    return {name: Parameter(value, unit, TITLE, "sheet") for name, (value, unit) in values.items()}


def main() -> int:
    """Write the three files; the error each was predicted with stays as it is."""
    folder = Path(iosq.models.__path__[0]) / "hardware"
    for controller, configuration in configurations().items():
        error = load(configuration.machine).value(ERROR)
        (folder / f"{configuration.machine}.toml").write_text(machine_text(controller, error), "utf-8")
        sys.stdout.write(f"written: {folder / configuration.machine}.toml\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
