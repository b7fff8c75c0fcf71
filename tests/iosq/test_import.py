"""`import iosq` is cheap, typed and complete."""

import subprocess
import sys

import pytest

import iosq
from iosq.attributes import Views
from iosq.lake import Lake
from iosq.lazy import View

HEAVY = ("polars", "duckdb", "pyarrow", "numpy", "altair", "vl_convert", "rich", "typer", "jinja2")


def test_nothing_heavy_is_imported() -> None:
    code = f"import sys, iosq; iosq.__version__; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", iosq.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(iosq, name) is not None
    assert name in dir(iosq)


def test_what_is_no_rule_is_described_without_loading_rules() -> None:
    code = "import sys, iosq; iosq.describe('SMF74SSC'); print('iosq.toolkit.advise' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
    assert iosq.describe("slow_path").text.startswith("Finds: ")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nosuch"):
        iosq.nosuch  # type: ignore[attr-defined]  # noqa: B018


def test_no_view_hides_a_method() -> None:
    views = {name for name, value in vars(Views).items() if isinstance(value, View)}
    assert "volume_interval" in views
    assert not views & set(vars(Lake))


def test_values_are_checked_when_a_lake_is_named() -> None:
    with pytest.raises(iosq.RequestError, match="--lcu: 'xyz' is not up to four hexadecimal digits"):
        iosq.open("nowhere", lcu="xyz")
    with pytest.raises(iosq.LakeError, match="nowhere: no lake here"):
        iosq.open("nowhere")
