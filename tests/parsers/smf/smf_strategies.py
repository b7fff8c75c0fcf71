"""Records of every layout as Hypothesis strategies, made from the layouts themselves."""

import random
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache
from math import ldexp
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from iosq.parsers.smf.encode import RecordSpec
from iosq.parsers.smf.layout import Chain, Field, Pointer, RecordLayout, Section, Triplet
from iosq.parsers.smf.tables import is_offset
from iosq.parsers.smf.values import POSSIBLE_EXPONENTS
from tests.length import tried

DAY_US = 86_400_000_000
# what code page 037 and the 037 text of records have in common, without the controls that become `?`
LETTERS = "".join(c for c in bytes(range(64, 256)).decode("cp037") if c.isprintable())


def calm(examples: int) -> settings:
    """A number of examples (half of them in `make test`), without a limit for one of them: the machine may be busy."""
    return settings(
        max_examples=tried(max(examples // 2, 1), examples),
        deadline=None,
        phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


PACKED = {
    "0cyydddF": st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    "0hhmmssF": st.integers(0, 86_399),
    "mmsstttF": st.integers(0, 100 * 60_000 - 1).map(lambda ms: ms / 1000),
    "000ttttF ms": st.integers(0, 9999).map(float),
    "nnnF": st.integers(0, 999),
}


def _float(length: int) -> st.SearchStrategy[float]:
    digits = 6 if length == 4 else 13  # hex digits of a normal fraction that a double holds exactly
    normal = st.builds(
        lambda fraction, exponent: ldexp(fraction, 4 * exponent),
        st.integers(16 ** (digits - 1), 16**digits - 1),
        st.integers(POSSIBLE_EXPONENTS[0] - 64 - digits, POSSIBLE_EXPONENTS[-1] - 64 - digits),
    )
    return st.just(0.0) | normal


def _tod(field: Field) -> st.SearchStrategy[Any]:
    if is_offset(field):
        return st.integers(-DAY_US, DAY_US)
    return st.datetimes(datetime(1900, 1, 1, 0, 0, 1), datetime(2042, 9, 17))


@cache
def legal(field: Field) -> st.SearchStrategy[Any]:
    """Any value the field can hold."""
    bits = 8 * field.length
    if field.format in ("binary", "bitflags"):
        return st.integers(0, (1 << min(bits, 63)) - 1)
    if field.format == "sbinary":
        return st.integers(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    if field.format == "float":
        return _float(field.length)
    if field.format == "packed":
        return PACKED[field.unit]
    if field.format == "tod":
        return _tod(field)
    if field.format == "hex":
        return st.binary(min_size=field.length, max_size=field.length).map(lambda b: b.hex().upper())
    return st.text(LETTERS, max_size=field.length).map(lambda t: t.rstrip(" "))


def _selected(fields: Sequence[Field], values: dict[str, Any]) -> list[Field]:
    """Fields whose overlay the selectors in `values` choose."""
    return [f for f in fields if not f.only or (values.get(f.only.field, 0) & f.only.mask) in f.only.values]


def _apart(fields: Iterable[Field]) -> list[Field]:
    """Fields that share no byte with one before them."""
    taken: set[int] = set()
    kept = []
    for f in fields:
        own = set(range(f.offset, f.end))
        if not own & taken:
            kept.append(f)
            taken |= own
    return kept


@st.composite
def values(draw, fields: tuple[Field, ...], length: int, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Legal values of some of the fields that end within `length`, none of them sharing bytes."""
    usable = [f for f in fields if f.end <= length and f.name not in without]
    selectors = {f.only.field: sorted(f.only.values) for f in usable if f.only}
    found = {f.name: draw(st.sampled_from(selectors[f.name]) | legal(f)) for f in usable if f.name in selectors}
    order = _selected([f for f in usable if f.name not in found], found)
    random.Random(draw(st.integers(0, 7))).shuffle(order)
    first = [f for f in usable if f.name in found]
    chosen = [f for f in _apart(first + order) if f.name not in found]
    return found | draw(st.fixed_dictionaries({f.name: legal(f) for f in chosen}))


def way(section: Section) -> set[str]:
    """Names of the fields that lead to a section; the encoder fills them in."""
    reach = section.reach
    if isinstance(reach, Triplet):
        return {reach.offset, reach.length, reach.count}
    if isinstance(reach, Chain):
        return {reach.first, reach.next, reach.length}
    return {reach.offset, reach.length}


def ways(layout: RecordLayout) -> frozenset[str]:
    return frozenset().union(*(way(s) for s in layout.sections))


def _least(layout: RecordLayout, section: Section) -> int:
    """The shortest length that still holds the way to what hangs on the section, and its own link."""
    own = section.reach.next if isinstance(section.reach, Chain) else ""
    needed = [f.end for f in section.fields if f.name in ways(layout) or f.name == own]
    return max(needed, default=1)


@st.composite
def lengths(draw, layout: RecordLayout) -> dict[str, int]:
    """Section lengths as documented, shorter (older releases) or longer (newer ones)."""
    found = {}
    for s in layout.sections:
        low, end = _least(layout, s), s.fields.end
        found[s.name] = draw(st.just(end) | st.integers(low, end) | st.integers(end, end + 24))
    if layout.family == "rmf":
        found["product"] = draw(st.just(104) | st.integers(22, 130))
    return found


@st.composite
def _rows(draw, layout: RecordLayout, section: Section, sizes: dict[str, int], most: int) -> list[dict[str, Any]]:
    count = draw(st.integers(0, 1 if isinstance(section.reach, Pointer) else most))
    rows = []
    for _ in range(count):
        row = draw(values(section.fields, sizes[section.name], ways(layout)))
        children = [s for s in layout.sections if s.within == section.name]
        row["children"] = {s.name: draw(_rows(layout, s, sizes, 2)) for s in children}
        rows.append(row)
    return rows


@st.composite
def specs(draw, layout: RecordLayout) -> RecordSpec:
    """Any record of the layout: any count of any section, of any length, with any legal values."""
    sizes = draw(lengths(layout))
    # 0-5 and the segment code are the framing's, 22 the subtype; 28-35 say where the header ends
    fixed = ways(layout) | {f.name for f in layout.header if f.offset < 6 or 22 <= f.offset < 24 or 28 <= f.offset < 36}
    header = draw(values(layout.header, layout.header.end, fixed))
    date_field, time_field = layout.header.ending("DTE"), layout.header.ending("TME")
    written = st.dates(date(1970, 1, 1), date(2099, 12, 31))  # see oracle.EARLIEST
    header |= {date_field.name: draw(written), time_field.name: draw(st.integers(0, 8_640_000))}
    product: dict[str, Any] = {}
    if layout.family == "rmf":
        split = frozenset(layout.product[0].name[:5] + n for n in ("RAO", "RAL", "RAN"))
        product = draw(values(layout.product, sizes["product"], split))
    sections = {s.name: draw(_rows(layout, s, sizes, 3)) for s in layout.sections if not s.within}
    return RecordSpec(header, product, sections, sizes)
