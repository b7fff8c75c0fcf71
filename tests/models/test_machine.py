"""Machine files: every shipped one is sound, every damage is named with file and key."""

from pathlib import Path

import pytest

from iosq.models import machine
from iosq.toolkit.errors import RequestError

GOOD = """
title = "Box"
kind = "disk"
[parameter.nvs_bytes]
value = 16
unit = "bytes"
source = "sheet of the box"
how = "sheet"
spread = 0.1
"""


def _write(folder: Path, text: str) -> Path:
    path = folder / "box.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_a_machine(tmp_path: Path) -> None:
    box = machine.load(_write(tmp_path, GOOD))
    assert (box.name, box.title, box.kind) == ("box", "Box", "disk")
    assert box.parameters["nvs_bytes"] == machine.Parameter(16.0, "bytes", "sheet of the box", "sheet", 0.1)
    assert box.value("nvs_bytes") == 16.0


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('title = "Box"', "", "key title"),
        ('kind = "disk"', "kind = 3", "key kind"),
        ("value = 16", 'value = "16"', "key parameter.nvs_bytes.value"),
        ("value = 16", "value = nan", "key parameter.nvs_bytes.value"),
        ("value = 16", "value = 1e300", "key parameter.nvs_bytes.value"),
        ("value = 16", "value = true", "key parameter.nvs_bytes.value"),
        ('unit = "bytes"', "", "key parameter.nvs_bytes.unit"),
        ('source = "sheet of the box"', 'source = " "', "key parameter.nvs_bytes.source"),
        ('how = "sheet"', 'how = "guessed"', "key parameter.nvs_bytes.how"),
        ("spread = 0.1", "spread = -1", "key parameter.nvs_bytes.spread"),
        ("spread = 0.1", "sprad = 1", "key parameter.nvs_bytes.sprad"),
        ('kind = "disk"', 'kind = "disk"\ncolour = "red"', "key colour"),
        ('title = "Box"', "title = ", "is not valid TOML"),
    ],
)
def test_damage_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    path = _write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(RequestError, match=r"box\.toml: .*" + named.replace(".", r"\.")):
        machine.load(path)


@pytest.mark.parametrize("text", ['title = "a"\nkind = "b"', 'title = "a"\nkind = "b"\nparameter = 3'])
def test_a_machine_without_parameters_is_none(tmp_path: Path, text: str) -> None:
    with pytest.raises(RequestError, match="key parameter"):
        machine.load(_write(tmp_path, text))


def test_unknown_names_list_the_known() -> None:
    with pytest.raises(RequestError, match="unknown machine 'nope'") as error:
        machine.load("nope")
    assert all(name in str(error.value) for name in machine.available())


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"gone\.toml: can't read") as error:
        machine.load(tmp_path / "gone.toml")
    assert "\n" not in str(error.value)


def test_what_if_changes_one_value_and_says_so(tmp_path: Path) -> None:
    box = machine.load(_write(tmp_path, GOOD))
    bigger = box.varied(nvs_bytes=32)
    assert (bigger.value("nvs_bytes"), bigger.parameters["nvs_bytes"].how) == (32.0, "assumed")
    assert box.value("nvs_bytes") == 16.0
    with pytest.raises(RequestError, match="no parameter nsv_bytes"):
        box.varied(nsv_bytes=1)
    with pytest.raises(RequestError, match="nvs_bytes = inf"):
        box.varied(nvs_bytes=float("inf"))


def test_every_shipped_machine_loads() -> None:
    for name in machine.available():
        assert machine.load(name).parameters
