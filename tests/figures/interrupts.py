"""Ctrl-C at random moments of every command: one line and code 130, or a complete result; nothing left behind.

Each command is a separate process, interrupted at a moment drawn uniformly from its uninterrupted
time. The time begins with its own first line, because it can't handle an interrupt while Python starts. The test
checks the output, files left in folders and in the temporary folder, and whether the lake is as valid as
before. `--count` is the number of interrupts of each command.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import iosq
from tests.figures.children import asked, warm
from tests.figures.kept import ROOT, Figure, Line, failures, number
from tests.figures.kills import made

BEGIN = (
    "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from iosq.toolkit.cli.start import run; os.write(1, b'begun\\n'); run()"
)
QUESTION = "SELECT system, count(*) FROM device_interval GROUP BY system"
DONE = (0, 1, 3)  # finished before the interrupt, whatever it had to say
LONGEST_S = 300.0
# each in a folder with inputs `in`, a lake `lake`, and outputs of an earlier run
COMMANDS = (
    "ingest in --lake new", "ingest in --lake lake", f"sql|{QUESTION}", f"sql|{QUESTION}|-o|out.csv", "advise pav",
    "advise nvs", "report -o out.html", "report -o out.xlsx", "chart response_by_volume -o out.svg",
    "compare lake lake", "trend", "describe wait_ms", "describe", "doctor", "doctor --hashes", "prepare", "compact",
    "prune --keep 1d", "anonymize lake shared", "export delta delta",
    "simulate pav --rate 120 --wait-ms 4 --service-ms 5 --read-ratio 0.7 --machine ds8100", "validate se700",
    "simulate plan --runs 3 -o runs.csv", "simulate fit box --points points.csv",
    "sample made", "demo -o out.html",
)  # fmt: skip
POINTS = "requesters,aliases,read_ratio,io_rate\n1,0,0.7,900\n2,1,0.7,1500\n5,4,0.7,2600\n"
LEFT = {  # what a command may leave: inputs wholly taken, outputs wholly written
    "ingest in --lake new": {"new"}, "anonymize lake shared": {"shared"}, "export delta delta": {"delta"},
    "sample made": {"made"}, "report -o out.xlsx": {"out.xlsx"}, "chart response_by_volume -o out.svg": {"out.svg"},
    "demo -o out.html": {"demo"}, "simulate plan --runs 3 -o runs.csv": {"runs.csv"},
    "simulate fit box --points points.csv": {"box.toml"},
}  # fmt: skip


def words(command: str) -> list[str]:
    """A command line as arguments: parts with blanks in them are held apart by `|`."""
    return command.split("|") if "|" in command else command.split()


def interrupted(command: str, place: Path, after_s: float | None) -> tuple[int, str, float]:
    """The code, the talk and the time of a command that is interrupted after this many seconds (None: not at all)."""
    spare = place / "tmp"
    spare.mkdir(exist_ok=True)
    env = {k: v for k, v in os.environ.items() if k != "IOSQ_LAKE"} | {"TMPDIR": str(spare), "PYTHONPATH": str(ROOT)}
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-c", BEGIN, *words(command)],
        cwd=place, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout
        process.stdout.readline()
        if after_s is not None:
            time.sleep(after_s)
            process.send_signal(signal.SIGINT)
        try:
            _, stated = process.communicate(timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return -9, "did not end", LONGEST_S
    return process.returncode, stated, time.monotonic() - began


def wrong(command: str, place: Path, before: set[str], code: int, stated: str) -> str:
    """What is against the promise in what a command printed and left."""
    reported = [line for line in stated.splitlines() if line.strip()]
    if code not in (130, *DONE):
        return f"code {code}: {reported[-1:]}"
    if "Traceback" in stated or "panicked" in stated:
        return f"a traceback: {reported[-8:]}"
    if code == 130 and reported[-1:] != ["iosq: interrupted"]:
        return f"printed {reported[-1:]}"
    if spare := sorted(p.name for p in (place / "tmp").iterdir()):
        return f"left temporary {spare[:3]}"
    if more := sorted({p.name for p in place.iterdir()} - before - LEFT.get(command, set()) - {"tmp"}):
        return f"left {more[:3]}"
    return _sound(place)


def _sound(place: Path) -> str:
    """What is wrong with the lakes and outputs in a folder."""
    for name in ("lake", "new", "shared"):
        if (place / name / "manifest.sqlite").exists() and (found := _ails(place / name)):
            return f"{name}: {found[0]}"
    html = place / "out.html"
    whole = html.read_bytes()
    return "" if whole == b"old" or whole.rstrip().endswith(b"</html>") else "half a page"


def _ails(lake: Path) -> list[str]:
    """What doctor finds; a lake that was being made and has no table yet is none."""
    return asked(lambda: [str(a) for a in iosq.doctor(lake)])


def shots(command: str, template: Path, folder: Path, seed: str, count: int) -> Line:
    """Interrupt one command this many times."""
    random, found, caught = Random(seed), [], 0
    longest = _once(command, template, folder, None)[0]
    for _ in range(count):
        at = random.uniform(0, longest)
        took, code, text = _once(command, template, folder, at)
        caught += code == 130
        longest = min(longest, took * 1.5) if code in DONE else longest
        found += [f"after {at:.2f} of {longest:.2f} s: {text}"] if text else []
    return {"what": command, "tried": count, "interrupted": caught, "wrong": found}


def _once(command: str, template: Path, folder: Path, after_s: float | None) -> tuple[float, int, str]:
    place = Path(shutil.copytree(template, folder / "run"))
    before = {p.name for p in place.iterdir()}
    code, stated, took = interrupted(command, place, after_s)
    text = wrong(command, place, before, code, stated)
    shutil.rmtree(place)
    return took, code, text


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Go on to `count` interrupts of each command."""
    warm()
    done = {c: sum(int(number(n, "tried")) for n in kept if n["what"] == c) for c in COMMANDS}
    with tempfile.TemporaryDirectory(prefix="iosq-interrupts-") as name:
        template = Path(name, "template")
        template.mkdir()
        made(template)
        (template / "points.csv").write_text(POINTS, "utf-8")
        for command in COMMANDS:
            if (left := (count or 20) - done[command]) > 0:
                yield shots(command, template, Path(name), f"{command} {done[command]}", left)


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """Commands with their interrupts; the others had ended."""
    rows: list[tuple[str, ...]] = [("command", "tried", "interrupted", "failed")]
    for command in COMMANDS:
        lines = [n for n in kept if n["what"] == command]
        tried, caught = (int(sum(number(n, key) for n in lines)) for key in ("tried", "interrupted"))
        rows.append((" ".join(words(command))[:60], str(tried), str(caught), str(len(failures(lines)))))
    return rows


FIGURE = Figure(
    "interrupts", "Interrupted at any moment", "one line, code 130, nothing left behind", run, table, failures
)
