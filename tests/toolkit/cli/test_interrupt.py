"""Ctrl-C: one line, code 130, whenever it comes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command import lines_of

ENDLESS = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c"
# what loads takes some tenths of a second: before, during and after it
MOMENTS = (0.1, 0.4, 1.2)


def _started(cwd: Path, code: str, *args: str) -> subprocess.Popen[str]:
    # a shell without job control starts what it puts in the background with interrupts ignored, nohup without hang-ups
    begin = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    begin += "signal.signal(signal.SIGHUP, signal.SIG_DFL)"
    return subprocess.Popen(
        [sys.executable, "-c", f"{begin}; {code}", *args],
        cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={k: v for k, v in os.environ.items() if k != "IOSQ_LAKE"},
    )  # fmt: skip


@pytest.mark.parametrize("after_s", MOMENTS)
def test_an_interrupted_question_ends_in_one_line(tmp_path: Path, after_s: float) -> None:
    from iosq.toolkit.lake.lake import Lake

    Lake(tmp_path / "lake").create()
    begin = "print('begun', flush=True); from iosq.toolkit.cli.start import run; run()"
    with _started(tmp_path, begin, "sql", ENDLESS) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(after_s)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()  # else whoever leaves the block waits for it
    if process.returncode == -signal.SIGINT:
        pytest.skip("came before the program's first line")
    assert (process.returncode, out, lines_of(err)) == (130, "", ["iosq: interrupted"])


MADE_OF_IT = (("run", "ValueError"), ("command", "ImportError"), ("command", "OSError"))


@pytest.mark.parametrize(("place", "error"), MADE_OF_IT)
def test_an_error_a_library_makes_of_it_is_still_an_interrupt(tmp_path: Path, place: str, error: str) -> None:
    code = (
        "import iosq.toolkit.cli.main as m, os\n"
        "def command(*arguments):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        f"        raise {error}('made of it') from None\n"
        f"m.{place} = command\n"
        "from iosq.toolkit.cli.start import run; run()"
    )
    with _started(tmp_path, code) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, "", "iosq: interrupted\n")


def test_one_that_a_destructor_swallows_comes_again(tmp_path: Path) -> None:
    code = (
        "import iosq.toolkit.cli.main as m, os, time\n"
        "class Swallowing:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "def command():\n"
        "    Swallowing()\n"
        "    time.sleep(600)\n"
        "    print('went on')\n"
        "m.run = command\n"
        "from iosq.toolkit.cli.start import run; run()"
    )
    with _started(tmp_path, code) as process:
        out, err = process.communicate(timeout=120)  # less than the sleep: who waits is woken
    assert (process.returncode, out, err) == (130, "", "iosq: interrupted\n")


@pytest.mark.parametrize(("name", "code", "words"), [("SIGTERM", 143, "terminated"), ("SIGHUP", 129, "closed")])
def test_what_is_ended_from_outside_puts_in_order_what_it_began(
    tmp_path: Path, name: str, code: int, words: str
) -> None:
    work = (
        "import iosq.toolkit.cli.main as m, os, pathlib, time\n"
        "def command():\n"
        "    part = pathlib.Path('part')\n"
        "    part.touch()\n"
        "    try:\n"
        f"        os.kill(os.getpid(), signal.{name})\n"
        "        time.sleep(300)\n"
        "    finally:\n"
        "        part.unlink()\n"
        "m.run = command\n"
        "from iosq.toolkit.cli.start import run; run()"
    )
    with _started(tmp_path, work) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, list(tmp_path.iterdir())) == (code, "", [])
    assert err.count("\n") == 1 and words in err


def test_a_signal_that_whoever_began_it_wants_ignored_stays_ignored(tmp_path: Path) -> None:
    work = (
        "import iosq.toolkit.cli.main as m, os, signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "m.run = lambda: (os.kill(os.getpid(), signal.SIGHUP), print('done'))\n"
        "from iosq.toolkit.cli.start import run; run()"
    )
    with _started(tmp_path, work) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, "done\n", "")
