"""Options that narrow a command to a part of the lake, and what they mean.

Where cutting rows away would change what is asked, the same name names what is asked about; its text says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.errors import IosqError, RequestError

if TYPE_CHECKING:
    from pathlib import Path

    from iosq.toolkit.sql.filter import Filter, Instant

SinceOption = Annotated[
    str | None, typer.Option("--since", metavar="TIME", help="First interval: local date or time, or ISO with Z.")
]
UntilOption = Annotated[
    str | None, typer.Option("--until", metavar="TIME", help="End, itself left out; a date includes that day.")
]
SystemOption = Annotated[list[str] | None, typer.Option("--system", metavar="ID", help="Only this system; repeatable.")]
LcuOption = Annotated[list[str] | None, typer.Option("--lcu", metavar="HEX", help="Only this LCU; repeatable.")]
VolumeOption = Annotated[
    list[str] | None, typer.Option("--volume", metavar="VOLSER", help="Only this volume; repeatable.")
]


# of `simulate`: what is asked about; the rest of the box is still read
AskedVolumeOption = Annotated[
    list[str] | None, typer.Option("--volume", metavar="VOLSER", help="The same as VOLUME; its box is read whole.")
]
PoolOption = Annotated[
    list[str] | None, typer.Option("--lcu", metavar="HEX", help="Pool of that LCU; several: pools that lend.")
]
BoxOption = Annotated[
    list[str] | None, typer.Option("--lcu", metavar="HEX", help="An LCU of the box, which is read whole; repeatable.")
]
SeenByOption = Annotated[
    list[str] | None, typer.Option("--system", metavar="ID", help="The system that measured; one.")
]

_LCU = re.compile(r"[0-9A-Fa-f]{1,4}")
_NAME = re.compile(r"[^\s]{1,8}")


def chosen(
    since: str | None = None,
    until: str | None = None,
    system: list[str] | None = None,
    lcu: list[str] | None = None,
    volume: list[str] | None = None,
) -> Filter:
    """The filter the options ask for; an empty one (false) if none is given.

    Raises:
        RequestError: a value can't be what it should be; names the option.
    """
    from iosq.toolkit.sql.filter import Filter

    begin, end = _instant("--since", since, False), _instant("--until", until, True)
    if begin and end and begin.is_utc == end.is_utc and begin.at >= end.at:
        raise RequestError(f"{until} is not after {since}", place="--until", remedy="write the later one here")
    return Filter(
        begin,
        end,
        _names("--system", system, _NAME),
        tuple(dict.fromkeys(name.zfill(4) for name in _names("--lcu", lcu, _LCU))),
        _names("--volume", volume, _NAME),
    )


def single(option: str, values: tuple[str, ...]) -> str | None:
    """The one value of an option that can have one only, or None.

    Raises:
        RequestError: there are several.
    """
    if len(values) > 1:
        raise RequestError(f"{', '.join(values)} can't be asked together", place=option, remedy="name one of them")
    return values[0] if values else None


def refuse_unread(lake: Path | None, where: Filter, because: str, remedy: str = "leave one of them out") -> None:
    """Refuse options of a lake where the answer comes from something else; `because` says why.

    Raises:
        RequestError: some were given; names them.
    """
    given = (["--lake"] if lake else []) + where.given
    if given:
        raise RequestError(f"no lake is read: {because}", place=", ".join(given), remedy=remedy)


def _instant(option: str, text: str | None, end: bool) -> Instant | None:
    from iosq.toolkit.sql.filter import instant

    try:
        return instant(text, end=end) if text else None
    except IosqError as error:
        raise RequestError(error.what, place=option, remedy=error.remedy) from error


def _names(option: str, values: list[str] | None, form: re.Pattern[str]) -> tuple[str, ...]:
    wrong = [v for v in values or () if not form.fullmatch(v)]
    if wrong:
        what = "up to four hexadecimal digits" if form is _LCU else "a name of up to eight characters"
        raise RequestError(f"{wrong[0]!r} is not {what}", place=option)
    return tuple(dict.fromkeys(v.upper() for v in values or ()))
