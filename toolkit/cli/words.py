"""How the words of a command line become values: texts and paths without the library that checks every type.

typer asks pydantic to check each value, which takes longer to load than some commands take to answer. Texts need no
check and paths have one of typer's own; whatever is neither, or is refused, goes the library's way.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from typer._click.core import Context, Parameter

# typer has no public names for these
from typer._click.exceptions import BadParameter
from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param
from typer._param_types import coerce_cli_path
from typer.core import _TyperParameter


def take_plainly(params: Iterable[Parameter]) -> None:
    """Pass the values of parameters without validation."""
    for param in params:
        if isinstance(param, _TyperParameter):
            kind = param.type_descriptor
            param._runtime_param = _Plainly(kind.parameter_info, kind.annotation, kind)


@dataclass(frozen=True)
class _Plainly(RuntimeParam):
    """A value of a parameter, or several."""

    kind: TypeDescriptor

    def _coerce_value(self, value: object, param: _TyperParameter, ctx: Context) -> object:
        several = self.kind.is_list
        one = get_args(self.annotation)[0] if several else self.annotation
        words = _words(value if several else [value])
        if words and one in (str, Path) and self.parameter_info.parser is self.parameter_info.path_type is None:
            # the library words the refusal, about the word as it was given
            with suppress(BadParameter):
                made = words if one is str else [self._path(word, param, ctx) for word in words]
                return made if several else made[0]
        return build_runtime_param(self.kind)._coerce_value(value, param, ctx)

    def _path(self, word: str, param: _TyperParameter, ctx: Context) -> object:
        return coerce_cli_path(Path(word), self.parameter_info, path_type=Path, param=param, ctx=ctx)


def _words(given: object) -> list[str]:
    """The words, if the values are words; otherwise empty."""
    several = given if isinstance(given, list | tuple) else ()
    found = [word for word in several if isinstance(word, str)]
    return found if len(found) == len(several) else []
