"""`iosq simulate change`."""

from __future__ import annotations

from typing import Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import LakeOption, Part


def change(
    what: Annotated[str, typer.Argument(metavar="CHANGE", help="zhyperlink, channels, mirror or back-end.")],
    lake: LakeOption = None,
    part: Part = Part(),
    old: Annotated[str | None, typer.Option("--from", metavar="NAME", help="Channels now: a machine file.")] = None,
    new: Annotated[str | None, typer.Option("--to", metavar="NAME", help="Channels then: a machine file.")] = None,
    km: Annotated[float | None, typer.Option("--km", metavar="KM", help="How much farther the mirror is.")] = None,
    back_end_ms: Annotated[float | None, typer.Option(metavar="MS", help="A read from the new disks or flash.")] = None,
    out: o.Out = o.Out(),
) -> None:
    """One part of the storage changes, the rest stays: each volume's response as bounds, and the I/Os it acts on.

    Example: iosq simulate change channels --from express8s --to express16s+
    """
    from iosq import simulate

    wish = simulate.Change(what, old, new, km, back_end_ms)
    out.emit(part.of(lake).simulate.change(wish))
