"""Sentences of rules as templates: columns in `{{ }}`, with filters for the formats used elsewhere."""

from collections.abc import Callable, Mapping
from functools import cache

from minijinja import Environment, TemplateError

from iosq.toolkit.advise.subject import listed as split
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.errors import LakeError
from iosq.toolkit.rows import Row
from iosq.toolkit.show import records
from iosq.toolkit.show.clock import spoken as utc_offset
from iosq.toolkit.show.numbers import aliases, duration, human_bytes, human_number, listed, plural, share
from iosq.toolkit.sql.raw import literal

# names that are written out, of a longer list
NAMED = 6


def names(joined: str | None, most: int = NAMED) -> str:
    """`A, B and C`, of names that a query joined by `|`."""
    return listed(split(joined), most)


def first_names(joined: str | None, most: int = NAMED) -> str:
    """`A, B, C`, or the first `most` of more and how many are left."""
    every = split(joined)
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


FILTERS: Mapping[str, Callable[..., str | list[str]]] = {
    "all_of": lambda phrases: listed(filter(None, phrases)),
    "aliases": aliases,
    "bytes": human_bytes,
    "device_number": records.device_number,
    "duration": duration,
    "first_names": first_names,
    # three digits are enough
    "fixed": lambda value, digits=1: f"{value:,.{digits if abs(value) < 100 else 0}f}",
    "human": human_number,
    "instant": lambda at: f"{at:%H:%M on %Y-%m-%d}",
    "literal": literal,
    "literals": lambda joined: ", ".join(map(literal, split(joined))),
    "names": names,
    "opening": lambda text: text[:1].upper() + text[1:],
    "plural": plural,
    "queue_records": records.queue_records,
    "sentences": lambda parts: ". ".join(filter(None, parts)),
    "share": share,
    "serial": lambda number: number.lstrip("0"),
    "split": split,
    "unread": records.unread,
    "untimed": records.untimed,
    "utc_offset": utc_offset,
    "window": spoken,
}
# sources of z/VM, by the name that templates use
SOURCES = {
    "ZVM": records.ZVM,
    "ZVM_BYTES": records.ZVM_BYTES,
    "ZVM_CACHE": records.ZVM_CACHE,
    "ZVM_CHANNELS": records.ZVM_CHANNELS,
    "ZVM_DEVICES": records.ZVM_DEVICES,
}


@cache
def _environment(*, blank: bool = False) -> Environment:
    finalizer = (lambda _: "") if blank else None
    return Environment(undefined_behavior="strict", filters=FILTERS, globals=SOURCES, finalizer=finalizer)


def rendered(template: str, row: Row, place: str, *, blank: bool = False) -> str:
    """The sentence for a row; `blank`: without its values, so that rows of the same kind have the same.

    Raises:
        LakeError: a name is not a column, or the text is not a template; names the place.
    """
    if "{" not in template:
        return template
    try:
        return _environment(blank=blank).render_str(template, **row)
    except TemplateError as e:
        raise LakeError(f"{e.message}: {template:.60}", place=place) from e


def is_true(condition: str, row: Row, place: str) -> bool:
    """True if an expression is true for a row; errors as `rendered`."""
    try:
        return bool(_environment().eval_expr(condition, **row))
    except TemplateError as e:
        raise LakeError(f"{e.message}: {condition:.60}", place=place) from e


def wanted(template: str, place: str) -> set[str]:
    """The names of columns and phrases that a template uses; errors as `rendered`."""
    try:
        return set(_wanted(template))
    except TemplateError as e:
        raise LakeError(f"{e.message}: {template:.60}", place=place) from e


@cache
def _wanted(template: str) -> frozenset[str]:
    names = _environment().undeclared_variables_in_str(template) if "{" in template else ()
    return frozenset(names) - SOURCES.keys() - FILTERS.keys()
