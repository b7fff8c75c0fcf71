"""`iosq chart`: one chart of the report as a picture."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.options import Part
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show import picture, terminal
from iosq.toolkit.show.output import check, spoken


def chart(
    name: str | None = None,
    lake: Path | None = None,
    output: Path = Path("chart.svg"),
    utc: bool = False,
    part: Part = Part(),
) -> None:
    """Draw one chart of the report. The file's extension selects the format.

    Example: iosq chart response_by_volume -o waits.svg
    """
    if name is None:
        for known in iosq.charts():
            terminal.echo(known)
        return
    check(output, picture.ENDINGS)
    drawing = part.of(lake, utc).chart(name)
    picture.save(drawing, output)
    say(f"chart: {spoken(output)}")
