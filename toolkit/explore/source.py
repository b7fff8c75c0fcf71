"""The part of a lake that the app shows, and the commands for the same result."""

from __future__ import annotations

import datetime as dt
import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import iosq
from iosq.toolkit.sql.filter import span as read_span

SETTING = "IOSQ_EXPLORE"
"""Environment variable that passes the part of the lake to the app's process."""


@dataclass(frozen=True)
class Source:
    """A lake and the filters that the app was started with."""

    lake: str | None = None
    since: str | None = None
    until: str | None = None
    system: Sequence[str] = ()
    lcu: Sequence[str] = ()
    volume: Sequence[str] = ()
    utc: bool = False

    @property
    def setting(self) -> Mapping[str, str]:
        """The environment variable for the app's process."""
        return {SETTING: json.dumps(asdict(self))}

    def part(self, span: str = "", *, lcu: str = "", volume: str = "", system: str = "") -> iosq.Lake:
        """The lake, filtered by a time and an LCU, volume or system."""
        lake = iosq.open(
            self.lake,
            since=self.since,
            until=self.until,
            system=system or self.system,
            lcu=lcu or self.lcu,
            volume=volume or self.volume,
            utc=self.utc,
        )
        return lake.during(span) if span else lake

    def command(self, words: Sequence[str], span: str = "", **names: str) -> str:
        """The command line of a panel: `words`, followed by the lake and its filters."""
        given = {"system": self.system, "lcu": self.lcu, "volume": self.volume} | {
            k: [v] for k, v in names.items() if v
        }
        times = options_of(span) if span else {"since": self.since, "until": self.until}
        parts = [*words, "--lake", str(iosq.open(self.lake).path)]
        parts += [text for name, value in times.items() if value for text in (f"--{name}", value)]
        parts += [text for name, values in given.items() for value in values for text in (f"--{name}", value)]
        return shlex.join(["iosq", *parts, *(["--utc"] if self.utc and words[0] != "compare" else [])])


def started() -> Source:
    """The part that the app was started with; the default lake for a copy opened without `iosq explore`."""
    return Source(**json.loads(os.environ.get(SETTING, "{}")))


def options_of(span: str) -> dict[str, str]:
    """A span as --since and --until; RequestError if it is none."""
    read = read_span(span)
    return {
        name: f"{at.at.isoformat(timespec='minutes')}{'Z' if at.is_utc else ''}"
        for name, at in (("since", read.since), ("until", read.until))
        if at
    }


def span_of(selections: Mapping[str, Mapping[str, Sequence[float] | Sequence[int] | Sequence[str]]]) -> str:
    """The span that a brush selects on a chart of local times, extended to whole hours; empty without a brush."""
    found = next((ends for brush in selections.values() for name, ends in brush.items() if name == "t"), ())
    if len(found) != 2:
        return ""
    first, last = sorted(float(end) / 1000 for end in found)
    ends = (first // 3600 * 3600, -(-last // 3600) * 3600)
    begin, end = (dt.datetime.fromtimestamp(at, dt.UTC).strftime("%Y-%m-%dT%H:%M") for at in ends)
    return f"{begin}..{end}" if begin < end else ""
