"""Where fields stand: side by side, but for the bytes and the redefinitions that `reserved.csv` lists.

Encoder and decoder read the same layouts, so that what they agree on may still be one byte off; a field that moves
leaves a hole here, or lies over another. After a change that is meant: `IOSQ_GOLDEN=write pytest` on this file.
"""

import csv
import os
from collections.abc import Iterator
from pathlib import Path

LAYOUTS = Path(__file__).parents[3] / "parsers/smf/layouts"
RESERVED = Path(__file__).with_name("reserved.csv")


def sections() -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
    """Files with their fields: first byte, the byte behind the last, name."""
    for path in sorted(LAYOUTS.glob("*/*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row.get("length")]
        if rows and path.name != "flags.csv":
            places = [(int(r["offset_dec"]), int(r["offset_dec"]) + int(r["length"]), r["name"]) for r in rows]
            yield path.relative_to(LAYOUTS).as_posix(), places


def holes(places: list[tuple[int, int, str]]) -> str:
    """Bytes of a section that no field has."""
    taken = {n for start, end, _ in places for n in range(start, end)}
    free = [n for n in range(max(taken)) if n not in taken]
    starts = [n for n in free if n - 1 not in free]
    return " ".join(f"{n}-{next(m for m in range(n, max(taken) + 1) if m in taken) - 1}" for n in starts)


def redefined(places: list[tuple[int, int, str]]) -> str:
    """Fields that begin on a byte of one before them, and the byte."""
    found = []
    for number, (start, _, name) in enumerate(places):
        others = places[:number] + places[number + 1 :]
        if any(a <= start < b for a, b, _ in others):
            found.append(f"{name}@{start}")
    return " ".join(found)


def test_fields_stand_side_by_side() -> None:
    found = {name: (holes(places), redefined(places)) for name, places in sections()}
    if os.environ.get("IOSQ_GOLDEN") == "write":
        with RESERVED.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("section", "reserved", "redefines"))
            writer.writerows((name, *places) for name, places in found.items() if any(places))
    with RESERVED.open(encoding="utf-8", newline="") as file:
        listed = {row["section"]: (row["reserved"], row["redefines"]) for row in csv.DictReader(file)}
    assert len(found) > 40
    assert {name: places for name, places in found.items() if any(places)} == listed


def test_the_bits_of_a_field_have_its_place() -> None:
    for flags in sorted(LAYOUTS.glob("*/flags.csv")):
        with flags.open(encoding="utf-8", newline="") as file:
            bits = [(row["section"], row["field"], row["offset_dec"]) for row in csv.DictReader(file)]
        fields = set()
        for path in set(flags.parent.glob("*.csv")) - {flags}:
            with path.open(encoding="utf-8", newline="") as file:
                fields |= {(row.get("section"), row.get("name"), row.get("offset_dec")) for row in csv.DictReader(file)}
        assert set(bits) <= fields, flags
