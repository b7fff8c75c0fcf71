"""`iosq simulate migrate`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.filters import (
    LcuOption,
    SinceOption,
    SystemOption,
    UntilOption,
    VolumeOption,
    chosen,
    refuse_unread,
)
from iosq.toolkit.cli.session import LakeOption, open_lake, say

BackEnd = Annotated[
    float, typer.Option(metavar="N", help="Disks and cache of a box, times those its file was fitted to.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(migrate)


def migrate(
    to: Annotated[str, typer.Option("--to", metavar="MACHINE", help="A machine, or a .toml file.")],
    lake: LakeOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    system: SystemOption = None,
    lcu: LcuOption = None,
    volume: VolumeOption = None,
    at: Annotated[datetime | None, typer.Option(metavar="UTC", help="Start of an interval; else the busiest.")] = None,
    growth: Annotated[float, typer.Option(metavar="N", help="Plan for N times the measured rates.")] = 1.0,
    boxes: Annotated[int | None, typer.Option(metavar="N", help="Use so many boxes; else the fewest.")] = None,
    response_ms: Annotated[float | None, typer.Option(metavar="MS", help="Longest acceptable mean response.")] = None,
    channel: Annotated[str | None, typer.Option(metavar="NAME", help="Channels in front, a machine file.")] = None,
    channels: Annotated[int, typer.Option(metavar="N", help="Channels of a box.")] = 1,
    block_bytes: Annotated[float, typer.Option(metavar="BYTES", help="Data per I/O.")] = 4096.0,
    capacity_gb: Annotated[float | None, typer.Option(metavar="GB", help="Data a volume holds.")] = None,
    back_end: BackEnd = 1.0,
    rate: o.Rate = None,
    wait_ms: o.Wait = 0.0,
    service_ms: o.Service = None,
    pend_ms: o.Pend = None,
    disc_ms: o.Disc = None,
    conn_ms: o.Conn = None,
    read_ratio: o.ReadRatio = None,
    exposures: o.Exposures = 1,
    volumes: o.Volumes = 1,
    footprint_gb: o.Footprint = 1.0,
    form: o.Form = "table",
    output: o.Picture = None,
) -> None:
    """The measured work on another machine: each volume's response, what saturates first, how many boxes.

    --since, --until, --system, --lcu and --volume say what moves, and where its busiest interval is looked for. What
    stays behind is not solved: it no longer shares a box with what moves.

    Example: iosq simulate migrate --to ds8100 --lake lake
    """
    from iosq.toolkit.predict import migrate as engine
    from iosq.toolkit.predict.given import Given
    from iosq.toolkit.predict.lake import statement
    from iosq.toolkit.predict.pav_numbers import Numbers, service_of

    wish = engine.Wish(
        to, growth, boxes, response_ms, channel, channels, block_bytes, capacity_gb, back_end,
        Given(None, read_ratio, footprint_gb),
    )  # fmt: skip
    engine.checked(wish)
    where = chosen(since, until, system, lcu, volume)
    if rate is None:
        if where.systems:
            say(f"only the I/Os of {', '.join(where.systems)}: what other systems do to the same volumes is left out")
        answer = engine.lake_answer(open_lake(lake, statement(), where), wish, at)
    else:
        refuse_unread(lake, where, "--rate is given")
        service = service_of(service_ms, pend_ms, disc_ms, conn_ms)
        reads = 0.5 if read_ratio is None else read_ratio
        answer = engine.numbers_answer(
            Numbers(rate, wait_ms, service, reads, None, exposures, volumes, footprint_gb), wish
        )
    o.emit(answer, form, output)
