"""A box from its machine file."""

from types import MappingProxyType

from iosq.models.machine import Machine
from iosq.models.pav.box import LAWS, Box, parameter_names
from iosq.toolkit.errors import RequestError

KIND = "box"
ERROR = "rate_error_ratio"


def box_from_machine(machine: Machine) -> Box:
    """The box a machine file describes; misses and the write-ceiling law follow from the parameters it has.

    Raises:
        RequestError: the file describes something else or lacks a parameter.
    """
    if machine.kind != KIND:
        raise RequestError(
            f"machine {machine.name} is a {machine.kind}, not a {KIND}", remedy="choose a box with PAV volumes"
        )
    law = LAWS[1] if "nvs_gb" in machine.parameters else LAWS[0]
    names = parameter_names(law, misses="arms_count" in machine.parameters)
    values = {name: machine.value(name) for name in names}
    spreads = {name: machine.parameters[name].spread or 0.0 for name in names}
    error = machine.value(ERROR) if ERROR in machine.parameters else 0.1
    return Box(
        machine.name, MappingProxyType(values), law, f"machine file {machine.title}", MappingProxyType(spreads), error
    )
