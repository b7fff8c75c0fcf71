"""Words of a command line are the values that typer itself makes of them, and it is asked only about other kinds."""

import subprocess
import sys
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer._click.core import Context
from typer._click.exceptions import BadParameter
from typer._coercion import RuntimeParam, build_runtime_param
from typer.core import TyperCommand

from iosq.toolkit.cli.words import take_plainly

There = Annotated[list[Path], typer.Option(exists=True)]
Whole = Annotated[Path, typer.Option(exists=True, dir_okay=False, resolve_path=True)]
Upper = Annotated[str, typer.Option(parser=lambda word: str(word).upper())]
KINDS = {"text": str, "texts": list[str], "path": Path, "paths": list[Path], "there": There, "whole": Whole,
         "count": int, "share": float, "yes": bool, "upper": Upper}  # fmt: skip


def made() -> dict[str, Any]:
    """Parameters of each kind."""

    def command(**given: object) -> None: ...

    single = [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=kind) for name, kind in KINDS.items()]
    command.__signature__ = Signature(single)  # type: ignore[attr-defined]
    command.__annotations__ = KINDS
    app = typer.Typer()
    app.command()(command)
    return {param.name or "": param for param in typer.main.get_command(app).params}


def known(runtime: RuntimeParam, param: Any, value: object) -> str:
    try:
        return repr(runtime.coerce(value, param, Context(TyperCommand("asked"))))
    except BadParameter as error:
        return f"refused: {error.message}"


ONE = [
    "",
    "a",
    " a ",
    "ä\udcff",
    "\x1b[31m",
    "1",
    "1.5",
    "x//y",
    "..",
    "/nowhere//at all",
    "-",
    None,
    True,
    7,
    b"a\xff",
]


@pytest.mark.parametrize("name", KINDS)
def test_every_word_is_what_typer_makes_of_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("")
    (tmp_path / "x").mkdir()
    param = made()[name]
    words: list[object] = [*ONE, str(tmp_path), str(tmp_path / "a")]
    values = words + [[word] for word in words] + [("a", "a"), ("a", "nowhere"), []]
    own = build_runtime_param(param.type_descriptor)
    expected = [known(own, param, value) for value in values]
    take_plainly([param])
    assert [known(param.get_runtime_param(), param, value) for value in values] == expected
    assert any(not sentence.startswith("refused") for sentence in expected)


def test_texts_and_paths_load_no_checks_of_types() -> None:
    code = (
        "import sys; from iosq.toolkit.cli.main import command\n"
        "asked = command(['sql']).commands['sql']\n"
        "asked.make_context('sql', ['SELECT 1', '--lake', '.', '--system', 'SYSA', '--since', '2025-11-18'])\n"
        "print('pydantic' in sys.modules)\n"
        "asked.make_context('sql', ['SELECT 1', '--timeout', '5'])\n"
        "print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
