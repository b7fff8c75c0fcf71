"""The PAV recommender scored through the command line on the published z/VM study, 84 groups.

python -m tests.integration.recommender

For each box and read mix a machine file is fitted to the other three mixes (`iosq simulate fit`); for each worker level
the volumes without aliases are then advised on (`iosq advise pav --machine`), from the study's listings in a lake. A
run that breaks Little's law is replaced by the next one with an alias, as `iosq validate` does.

One `iosq advise pav` reads the lake for seconds, so by default a few groups are asked about through the command and
all of them as its rule `closed_load` judges them, from one reading of the same lake; both must agree. With `--all`
every group goes through the command.
"""

import csv
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

import iosq
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate.recommender import HELP, advice, published
from iosq.parsers.fcx import study
from iosq.toolkit.advise.closed import outlook
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.closed_hours import chosen
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sql.macros import expanded
from tests.command import invoked

COUNTS = 5  # the study went up to four aliases
SAMPLE = slice(4, None, 20)
MINUTES = """
SELECT b.*, b.read_ratio AS own_read_ratio,
    {{ is_closed("b.in_service", "b.queue_length", "b.exposures") }} AS is_closed,
    c.in_service_max, c.in_service_min, c.points, c.elasticity_ratio, c.fit_ratio, c.spread_ratio,
    c.scatter_ratio
FROM box_volume_interval b LEFT JOIN box_curve c ON c.box = b.box ORDER BY b.system, b.local_start, b.volume
"""
COLUMNS = ("volumes", "requesters", "aliases", "read_ratio", "footprint_gb", "io_rate")


@dataclass(frozen=True)
class Group:
    """One box, read mix and worker level, and the position of the run that is advised on."""

    number: int
    controller: str
    read_ratio: float
    workers: int
    at: int

    @property
    def profile(self) -> str:
        """Name of the machine file that knows the other mixes of this box."""
        return f"{configurations()[self.controller].machine}-without-{round(100 * self.read_ratio)}"


@dataclass(frozen=True)
class Answer:
    """Whether more aliases are advised, and the smallest count within 2 % of the best."""

    helps: bool
    best: int


def groups() -> list[Group]:
    """All 84, in the order of the source."""
    have, found = cells().conditions, []
    for number in range(len(cells()) // COUNTS):
        first = number * COUNTS
        at = next(i for i in range(first, first + COUNTS) if not cells().defective[i])
        found.append(
            Group(number, str(have.controller[first]), float(have.read_ratio[first]), int(have.workers[first]), at)
        )
    return found


def prepare(folder: Path, wanted: Sequence[Group]) -> None:
    """A lake with the study's listings, a machine file per profile, and what the study could spare in iosq.toml."""
    study.write(folder / "listings")
    run("ingest", str(folder / "listings"), "--lake", str(folder / "lake"))
    (folder / "iosq.toml").write_text(f"[thresholds.closed_load]\nmost = {COUNTS - 1}\n", "utf-8")
    for name, same in groupby(sorted(wanted, key=lambda g: g.profile), key=lambda g: g.profile):
        fit(folder, name, next(same))


def fit(folder: Path, name: str, group: Group) -> None:
    """A machine file from the sound runs of the other mixes."""
    have, box = cells().conditions, configurations()[group.controller]
    mine = (have.controller == group.controller) & (have.read_ratio != group.read_ratio) & ~cells().defective
    points = folder / f"{name}.csv"
    with points.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(COLUMNS)
        for i in np.flatnonzero(mine):
            lines.writerow((box.volumes, have.workers[i], have.aliases[i], have.read_ratio[i], have.footprint_gb[i],
                            box.volumes * cells().rate[i]))  # fmt: skip
    cache = () if have.footprint_gb.max() <= box.usable_cache_gb else ("--cache-gb", str(box.usable_cache_gb))
    run("simulate", "fit", name, "--points", str(points), "-o", str(folder / f"{name}.toml"), *cache)


def advised(group: Group) -> Answer:
    """What the command says about one group's volumes, in the prepared folder: of the middle minutes of its run."""
    begin, end = window(group)
    box, have = configurations()[group.controller], cells().conditions
    footprint_gb = have.footprint_gb[group.at] / box.volumes
    where = f"--system {group.controller.replace(' ', '')} --since {begin.isoformat()} --until {end.isoformat()}"
    what = f"--machine {group.profile}.toml --read-ratio {group.read_ratio} --footprint-gb {footprint_gb}"
    found = json.loads(run(*f"advise pav --lake lake {where} {what} --format json".split()))
    return answer(found, int(have.aliases[group.at]))


def window(group: Group) -> tuple[datetime, datetime]:
    """The middle minutes of its run."""
    begin = study.START + timedelta(minutes=study.MINUTES * group.at % (study.MINUTES * len(cells()) // 3) + 1)
    return begin, begin + timedelta(minutes=study.MINUTES - 2)


def answer(found: Sequence[dict[str, Any]], now: int) -> Answer:
    """The advice as the two answers that are scored; no advice means that the present aliases suffice."""
    of_load = [f for f in found if f["code"] == "closed_load"]
    if not of_load:
        return Answer(any(f["code"] == "pav_add_alias" for f in found), now)
    numbers = {n["name"]: n["value"] for n in of_load[0]["numbers"]}
    if numbers["best rate over now"] is None:  # unknown: nothing is advised
        return Answer(False, now)
    return Answer(numbers["best rate over now"] > HELP, int(numbers["fewest aliases within 2 % of the highest rate"]))


def minutes(folder: Path) -> dict[tuple[str, datetime], list[NewRow]]:
    """All minutes of the lake: the volumes of each, as the rule's question has them."""
    found: dict[tuple[str, datetime], list[NewRow]] = {}
    sql = expanded(MINUTES, "recommender")
    for name in ("queue_length", "busy", "evenness"):
        sql = sql.replace(f"${name}", str(CLOSED[name]))
    for row in iosq.open(folder / "lake").arrow(sql).to_pylist():
        row |= {name: None for name in headroom.NOTHING if name not in row}  # z/VM has no records of the way
        found.setdefault((row["system"], row["local_start"]), []).append(row)
    return found


def judged(folder: Path, group: Group, lake: Mapping[tuple[str, datetime], list[NewRow]]) -> Answer:
    """The same as `advised`, from the minutes of its run: each hour's worst one is what the rule judges."""
    begin, end = window(group)
    system, box = group.controller.replace(" ", ""), configurations()[group.controller]
    have = cells().conditions
    worst: dict[int, tuple[float, list[NewRow]]] = {}
    seen = {start: rows for (name, start), rows in lake.items() if name == system and begin <= start < end}
    waits = _waits(seen)
    for start, rows in seen.items():
        lost = sum(r["queue_length"] * r["interval_s"] for r in rows if r["is_closed"])
        if lost > worst.get(start.hour, (0.0, []))[0]:
            worst[start.hour] = (lost, [row | {"interval_lost_s": lost} for row in rows])
    known = Known(str(folder / f"{group.profile}.toml"), group.read_ratio,
                  float(have.footprint_gb[group.at]) / box.volumes)  # fmt: skip
    crowds = [Crowd(rows, [(r["volume"], r["local_start"]) in waits for r in rows]) for _, rows in worst.values()]
    now = int(have.aliases[group.at])
    if not crowds:
        return Answer(False, now)
    hours = [outlook(crowd, COUNTS - 1, known) for crowd in crowds]
    worst_helped = chosen(hours, lambda o: o.crowd.lost_s, lambda o: o.gain.value > HELP)
    if not worst_helped.known:
        return Answer(False, now)
    return Answer(worst_helped.gain.value > HELP, worst_helped.best)


def _waits(seen: Mapping[datetime, list[NewRow]]) -> set[tuple[str, datetime]]:
    """Volume and start of the intervals that queue for requesters who wait for each answer, or may."""
    rows = sorted((r for of_minute in seen.values() for r in of_minute), key=lambda r: (r["volume"], r["local_start"]))
    found = set()
    for volume, group in groupby(rows, key=lambda r: r["volume"]):
        own = list(group)
        may_be = _of_requesters([r["is_closed"] for r in own], [r["in_service"] + r["queue_length"] for r in own])
        found |= {(volume, r["local_start"]) for r, is_so in zip(own, may_be, strict=True)
                  if is_so and r["queue_length"] >= CLOSED["queue_length"]}  # fmt: skip
    return found


def _of_requesters(closed: Sequence[bool], outstanding: Sequence[float]) -> list[bool]:
    """Which of a volume's intervals, in order of time, may come from the requesters seen in some of them."""
    most = max((number for number, is_so in zip(outstanding, closed, strict=True) if is_so), default=-1.0)
    return [any(closed[max(at - 1, 0) : at + 2]) or number <= most for at, number in enumerate(outstanding)]


def right(answers: Sequence[tuple[Group, Answer]]) -> tuple[float, float]:
    """Percent of right answers: do aliases help, how many."""
    helps, best = advice(published())
    hits = [(a.helps == helps[g.number], a.best == best[g.number]) for g, a in answers]
    first, second = np.mean(np.array(hits, float), axis=0)
    return 100 * float(first), 100 * float(second)


def run(*arguments: str) -> str:
    """What a command prints to stdout; an error if it failed."""
    result = invoked(list(arguments))
    if result.exit_code:
        raise RuntimeError(f"iosq {' '.join(arguments)}: {result.output}")
    return result.stdout


def main() -> int:
    """Print every wrong answer and the scores."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        os.chdir(folder)  # iosq.toml is read from the working folder
        prepare(folder, groups())
        lake = minutes(folder)
        answers = [(group, judged(folder, group, lake)) for group in groups()]
        asked = groups() if "--all" in sys.argv else groups()[SAMPLE]
        apart = [group for group in asked if advised(group) != answers[group.number][1]]
    sys.stdout.writelines(lines(answers))
    sys.stdout.write(f"asked through the command: {len(asked)} groups, {len(apart)} answered otherwise\n")
    return int(bool(apart))


def lines(answers: Sequence[tuple[Group, Answer]]) -> Iterator[str]:
    """The scores, and above them what was wrong."""
    helps, best = advice(published())
    for g, a in answers:
        if (a.helps, a.best) != (helps[g.number], best[g.number]):
            yield (
                f"{g.controller}, {100 * g.read_ratio:.0f} % reads, {g.workers} workers: advised {a.best} "
                f"(helps: {a.helps}), published {best[g.number]} ({helps[g.number]})\n"
            )
    whether, count = right(answers)
    yield f"{len(answers)} groups: aliases help or not, right in {whether:.1f} %; best count right in {count:.1f} %\n"


if __name__ == "__main__":
    sys.exit(main())
