"""`iosq simulate pav`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.filters import (
    AskedVolumeOption,
    PoolOption,
    SeenByOption,
    SinceOption,
    UntilOption,
    chosen,
    refuse_unread,
    single,
)
from iosq.toolkit.cli.session import LakeOption, open_lake
from iosq.toolkit.errors import RequestError

if TYPE_CHECKING:
    from iosq.toolkit.predict import Answer
    from iosq.toolkit.predict.pav_lake import Asked
    from iosq.toolkit.sql.filter import Filter


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(pav)


def pav(
    volume: Annotated[str | None, typer.Argument(metavar="[VOLUME]", help="A volume of the lake.")] = None,
    lake: LakeOption = None,
    named: AskedVolumeOption = None,
    lcu: PoolOption = None,
    system: SeenByOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    machine: o.Machine = None,
    rate: o.Rate = None,
    wait_ms: o.Wait = 0.0,
    service_ms: o.Service = None,
    pend_ms: o.Pend = None,
    disc_ms: o.Disc = None,
    conn_ms: o.Conn = None,
    read_ratio: o.ReadRatio = None,
    requesters: Annotated[
        float | None, typer.Option(metavar="N", help="Requesters per volume (closed load); else arrivals at --rate.")
    ] = None,
    exposures: o.Exposures = 1,
    pool: Annotated[int | None, typer.Option(metavar="N", help="Aliases in the LCU's pool now (HyperPAV).")] = None,
    volumes: o.Volumes = 1,
    footprint_gb: o.Footprint = 1.0,
    most: Annotated[
        int | None, typer.Option("--aliases", metavar="N", min=0, help="Show counts up to this one.")
    ] = None,
    form: o.Form = "table",
    output: o.Picture = None,
) -> None:
    """Rate, wait, service and response for every alias count (or pool size), each with its interval.

    From a volume or LCU of the lake, or from numbers: --rate and --service-ms for arrivals that do not wait for
    answers, --requesters for a fixed number that does. --since and --until narrow the intervals that the peak is
    looked for in and that the box is fitted to; all volumes of the box are solved together whatever is asked.

    Example: iosq simulate pav --rate 120 --wait-ms 4 --service-ms 5 --read-ratio 0.7 --machine ds8100
    """
    from iosq.toolkit.predict import pav_lake, pav_numbers
    from iosq.toolkit.predict.given import Given

    asked = chosen(since, until, system, lcu, [*([volume] if volume else []), *(named or [])])
    answer: Answer
    if asked.volumes or asked.lcus:
        if rate is not None:
            raise RequestError("a volume or LCU of the lake was named too", place="--rate", remedy="give one of them")
        known = Given(machine, read_ratio, footprint_gb)
        answer = _of_lake(lake, asked, pav_lake.Asked(known, most, pool, requesters))
    else:
        refuse_unread(lake, asked, "no volume and no --lcu is named", "name one")
        service = pav_numbers.service_of(service_ms, pend_ms, disc_ms, conn_ms)
        shares = 0.5 if read_ratio is None else read_ratio
        numbers = pav_numbers.Numbers(
            rate, wait_ms, service, shares, requesters, exposures, volumes, footprint_gb, pool
        )
        answer = pav_numbers.answer(numbers, most, machine)
    o.emit(answer, form, output)


def _of_lake(lake: LakeOption, asked: Filter, wanted: Asked) -> Answer:
    from iosq.toolkit.predict.lake import statement
    from iosq.toolkit.predict.pav_lake import pool_answer, volume_answer

    volume, system = single("--volume", asked.volumes), single("--system", asked.systems)
    if volume and asked.lcus:
        raise RequestError(
            "a volume and the pool of an LCU are two questions", place="--lcu", remedy="ask for one of them"
        )
    con = open_lake(lake, statement(), asked.span(), asked=asked)
    if volume:
        return volume_answer(con, volume, system, wanted)
    if wanted.requesters is not None:
        raise RequestError("is about a volume, not a pool", place="--requesters", remedy="name a volume")
    return pool_answer(con, asked.lcus, system, wanted)
