"""`iosq simulate dump`."""

from __future__ import annotations

from iosq.toolkit.cli.commands.simulate import options as o


def dump(
    storage_gb: float,
    machine: str = "sadump-ess",
    volumes: int = 8,
    virtual: bool = False,
    out: o.Out = o.Out(),
) -> None:
    """Stand-alone dump and IPCS initialization: time by the number of volumes spanned.

    Example: iosq simulate dump --storage-gb 4.5 --machine sadump-3390-3
    """
    from iosq import simulate

    out.emit(simulate.dump(storage_gb, machine=machine, volumes=volumes, virtual=virtual))
