"""`iosq validate`: the models against every published study, or against the changes that a lake has seen."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.commands.simulate.options import Out
from iosq.toolkit.cli.options import Span
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import terminal


def validate(
    study: str | None = None,
    lake: Path | None = None,
    part: Span = Span(),
    utc: bool = False,
    verbose: bool = False,
    form: str = "table",
    output: Path | None = None,
) -> None:
    """Compare predictions with published studies, or with a lake.

    Studies: errors and their limits; with -v also all protocols, every published number and the
    defective cells. Lake (--lake): each change of aliases, pools, boxes and load is predicted from the time before it
    and compared with the response measured after it at comparable load.

    Example: iosq validate se700
    """
    from iosq.tools import validation_text

    out = Out(form, output)
    if lake is not None and study is not None:
        raise RequestError("a study and a lake exclude each other", place="STUDY", remedy="leave one of them out")
    if lake is None and part.given():
        raise RequestError("no lake is given", place=", ".join(part.given()), remedy="give --lake")
    answer = iosq.validate(study) if lake is None else part.of(lake).simulate.validate(utc=utc)
    as_table = answer.text() if lake else validation_text(answer, not verbose)
    terminal.echo(as_table if form == "table" else answer.text(form))
    out.conclude(answer)
