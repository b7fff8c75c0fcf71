"""`iosq simulate dump`."""

import iosq
from iosq.toolkit.cli.commands.simulate import options as o


def dump(
    storage_gb: float,
    machine: str = "sadump-ess",
    volumes: int = 8,
    virtual: bool = False,
    out: o.Out = o.Out(),
) -> None:
    """Predict the time of a stand-alone dump.

    The result also has the time of IPCS initialization, by the number of volumes spanned.

    Example: iosq simulate dump --storage-gb 4.5 --machine sadump-3390-3
    """
    out.emit(iosq.simulate.dump(storage_gb, machine=machine, volumes=volumes, virtual=virtual))
