"""Resolves user-specified SMF record types to the kinds that are decoded."""

from collections.abc import Iterable

from iosq.parsers.smf.layout import layouts
from iosq.toolkit.errors import RequestError


def kinds(types: Iterable[str]) -> frozenset[str]:
    """The record kinds that `types` name: `74.1` is itself, `74` all its subtypes.

    Raises:
        RequestError: a type isn't decoded.
    """
    known = [layout.kind for layout in layouts().values()]
    found: set[str] = set()
    for type_ in types:
        named = {kind for kind in known if kind == type_ or kind.startswith(f"{type_}.")}
        if not named:
            what = f"no records of type {type_!r} are decoded"
            raise RequestError(what, place="--types", remedy=f"name some of {', '.join(known)}")
        found |= named
    return frozenset(found)
