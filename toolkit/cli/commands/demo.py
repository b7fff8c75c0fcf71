"""`iosq demo`: from nothing to a report."""

import os
import shlex
import sys
import tempfile
from pathlib import Path

import iosq
from iosq.toolkit.cli.commands.ingest import closing, listing
from iosq.toolkit.cli.commands.report import print_findings
from iosq.toolkit.cli.options import Part
from iosq.toolkit.cli.talk import say
from iosq.toolkit.cli.weights import ingest_progress
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.output import check, check_folder, is_standard


def demo(
    output: Path = Path("report.html"),
    directory: Path | None = None,
    seed: int = 1,
    part: Part = Part(),
) -> None:
    """Generate sample dumps, ingest them and write the report.

    --since, --until, --system, --lcu and --volume filter the report, not the lake.

    Example: iosq demo -o report.html
    """
    check(output, (".html", ".htm"))
    if directory is not None:
        check_folder(directory, "--keep")
    if directory is None:
        with tempfile.TemporaryDirectory(prefix="iosq-demo-") as scratch:
            _run(Path(scratch), output, seed, part, "--keep DIR keeps the lake that lists them")
    else:
        _run(directory, output, seed, part, listing(directory / "lake"))
        _say_next(directory / "lake")
    if not is_standard(output):
        say(f"open {shlex.quote(str(output))}")


def _say_next(lake: Path) -> None:
    """What to type now, with the program as it was called: it need not be in the search path."""
    program = sys.argv[0] if os.sep in sys.argv[0] and Path(sys.argv[0]).name == "iosq" else "iosq"
    called = os.path.relpath(program) if os.sep in program else program
    where = shlex.quote(str(lake))
    say("next, for instance:")
    say(f'  {called} sql "SELECT volume, max(wait_ms) FROM volume_interval GROUP BY volume LIMIT 5" --lake {where}')
    say(f"  {called} advise pav --lake {where}")


def _run(directory: Path, output: Path, seed: int, part: Part, how: str) -> None:
    dumps, lake = directory / "dumps", directory / "lake"
    asked = part.of(lake)  # refuses what can't be asked before anything is made
    visible = [p for p in iosq.sample(dumps, seed=seed) if not p.name.startswith(".")]  # the truth file is hidden
    say(f"sample dumps: {plural(len(visible), 'file')} in {dumps}")
    outcomes = iosq.ingest(lake, [dumps], progress=ingest_progress)
    say(closing(outcomes, how))
    if failed := sum(o.balance.failed for o in outcomes):
        say(f"{plural(failed, 'record')} of the sample damaged on purpose, to show how lost data is reported")
    print_findings(output, asked.report(output, "html"))
