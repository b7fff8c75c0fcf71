"""The fits behind the machine files of the study's three boxes: family defaults and all sound cells."""

import numpy as np

from iosq.models.fit.calibrate import Calibration, calibrate
from iosq.models.pav.box import parameter_table
from iosq.models.studies.zvm_pav import TITLE, Configuration, cells, configurations
from iosq.models.studies.zvm_pav.load import points_of, weak_prior_for

SEED = 1
WEAK = 0.8  # a spread this near the prior's says that the cells determine nothing


def fitted(configuration: Configuration) -> Calibration:
    """The box fitted to every sound cell of its 140."""
    own = cells().pick((cells().conditions.controller == configuration.controller) & ~cells().defective)
    prior = weak_prior_for(configuration, float(own.conditions.footprint_gb.max()))
    return calibrate(configuration.machine, points_of(own, configuration), prior, np.random.default_rng(SEED))


def machine_toml(controller: str, rate_error_ratio: float) -> str:
    """Text of the machine file of one of the study's controllers.

    Args:
        rate_error_ratio: 90th percentile of the rate's error where fifteen runs predict the rest (`iosq validate`).
    """
    configuration = configurations()[controller]
    calibration = fitted(configuration)
    parts = [f'title = "IBM {configuration.controller} {configuration.model} (z/VM PAV study)"\nkind = "box"']
    parts += [*_sheet(configuration), _error(rate_error_ratio), *_parameters(calibration)]
    return "\n\n".join(parts) + "\n"


def _parameters(calibration: Calibration) -> list[str]:
    box, rows = calibration.box, {row.name: row for row in parameter_table()}
    priors = dict(zip(calibration.prior.names, calibration.prior.total_spread, strict=True))
    return [
        _fitted(rows[name].unit, name, value, box.spreads[name], priors[name]) for name, value in box.values.items()
    ]


def _fitted(unit: str, name: str, value: float, spread: float, prior: float) -> str:
    weak = spread > WEAK * prior
    source = "family default, the study's cells hardly say more" if weak else f"{TITLE}; fit to all sound cells"
    return _entry(name, value, unit, source, "assumed" if weak else "fitted") + f"\nspread = {spread:.2g}"


def _sheet(configuration: Configuration) -> list[str]:
    """What the source says of the box and of what was done with it."""
    own = cells().pick(cells().conditions.controller == configuration.controller)
    values = {
        "installed_cache_gb": (configuration.cache_gb, "GB"),
        "channels_count": (configuration.channels, "count"),
        "measured_volumes_count": (configuration.volumes, "count"),
        "measured_footprint_gb": (float(own.conditions.footprint_gb.max()), "GB"),
    }
    return [_entry(name, value, unit, TITLE, "sheet") for name, (value, unit) in values.items()]


def _error(ratio: float) -> str:
    source = "iosq validate: 90th percentile of the rate error when 15 runs predict the rest"
    return _entry("rate_error_ratio", ratio, "ratio", source, "measured")


def _entry(name: str, value: float, unit: str, source: str, how: str) -> str:
    lines = (
        f"[parameter.{name}]",
        f"value = {value:.4g}",
        f'unit = "{unit}"',
        f'source = "{source}"',
        f'how = "{how}"',
    )
    return "\n".join(lines)
