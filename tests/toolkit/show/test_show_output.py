"""Where results go: files replaced whole, special files written through, bad places refused before the work."""

import io
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import output, stages


def test_a_new_file_and_an_old_one_get_all_of_it_and_nothing_is_left_next_to_it(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    output.write(path, "old")
    path.chmod(0o640)
    output.write(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_an_error_half_way_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    with pytest.raises(KeyError), output.opened(path) as file:
        file.write(b"half")
        raise KeyError
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.csv"]


def test_a_kill_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    code = (
        "import os, signal, sys; from pathlib import Path; from iosq.toolkit.show import output\n"
        "with output.opened(Path(sys.argv[1])) as file:\n"
        "    file.write(b'half' * 100000); file.flush(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_text() == "old"


def test_a_link_stays_a_link_and_its_file_gets_the_content(tmp_path: Path) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    link.symlink_to(real)
    output.write(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    output.check(pipe, (".csv",))
    output.write(pipe, "through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_devices_stay_devices() -> None:
    output.write(Path("/dev/null"), "gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output(name: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output.check(Path(name), (".csv",))
    code = f"from pathlib import Path; from iosq.toolkit.show import output; output.write(Path({name!r}), 'x')"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert capfdbinary.readouterr().out == b"x"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x.foo", r"-o .*x\.foo: the ending \.foo does not say what to write; end it in \.csv or \.json"),
        ("x", "a name without ending"),
        ("none/x.csv", "there is no folder .*none"),
        ("folder.csv", "is a folder"),
    ],
)
def test_bad_places_are_refused_before_the_work(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(RequestError, match=says):
        output.check(tmp_path / name, (".csv", ".json"))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is write-protected for root")
def test_a_protected_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RequestError, match="write-protected"):
        output.check(tmp_path / "x.csv")


def test_no_progress_is_left_where_a_terminal_shows_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows come while the work goes on: from the first letter on nothing is drawn between them."""
    seen = io.StringIO()
    monkeypatch.setattr(seen, "isatty", lambda: True)
    monkeypatch.setattr(stages, "SILENT_S", 0.0)
    monkeypatch.setattr(stages, "_REDRAWN_S", 0.01)
    shown = io.TextIOWrapper(_Seen(seen), write_through=True)
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", seen)
    monkeypatch.setattr(sys, "stdout", shown)
    with stages.watched("sql"), output.opened(Path("-")) as file:
        while "sql" not in seen.getvalue():
            time.sleep(0.005)
        file.write(b"first")
        time.sleep(0.05)
        file.write(b"second")
    assert seen.getvalue().endswith("\r\x1b[Kfirstsecond")


class _Seen(io.BytesIO):
    """Bytes that go to the same terminal."""

    def __init__(self, terminal: io.StringIO) -> None:
        super().__init__()
        self.terminal = terminal

    def write(self, data: bytes) -> int:
        return self.terminal.write(bytes(data).decode())
