"""Options the kinds of questions share, and how an answer leaves."""

from dataclasses import dataclass
from pathlib import Path

import iosq
from iosq.toolkit.cli.options import SCREEN, Options
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show import terminal
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.output import check, is_standard, spoken
from iosq.toolkit.show.picture import WITH_ROWS

Number = float | None


@dataclass(frozen=True)
class Work(Options):
    """The load of volumes, from numbers; the read share and the footprint also where a lake has none."""

    rate: Number = None
    wait_ms: float = 0.0
    service_ms: Number = None
    pend_ms: Number = None
    disc_ms: Number = None
    conn_ms: Number = None
    read_ratio: float | None = None
    exposures: int | None = None
    volumes: int = 1
    footprint_gb: Number = None

    def numbers(self, requesters: float | None = None, pool: int | None = None) -> "iosq.simulate.Numbers":
        return iosq.simulate.Numbers(
            rate=self.rate,
            wait_ms=self.wait_ms,
            service_ms=iosq.simulate.service_of(self.service_ms, self.pend_ms, self.disc_ms, self.conn_ms),
            read_ratio=0.5 if self.read_ratio is None else self.read_ratio,
            requesters=requesters,
            exposures=1 if self.exposures is None else self.exposures,
            volumes=self.volumes,
            footprint_gb=self.footprint_gb,
            pool=pool,
            conn_ms=self.conn_ms or 0.0,
        )


def show(answer: "iosq.Answer", form: str) -> None:
    """Print the rows: of a long table those that fit a screen."""
    terminal.echo(answer.text(form, SCREEN))
    if form == "table" and len(answer.rows) > SCREEN:
        say(f"{SCREEN} of {plural(len(answer.rows), 'row')}; --format csv gives all")


@dataclass(frozen=True)
class Out(Options):
    """How an answer leaves."""

    form: str = "table"
    output: Path | None = None

    def __post_init__(self) -> None:
        if self.output is not None:
            check(self.output, WITH_ROWS)

    def emit(self, answer: "iosq.Answer") -> None:
        """Rows to stdout, sentences to stderr, the chart where asked for."""
        show(answer, self.form)
        self.conclude(answer)

    def conclude(self, answer: "iosq.Answer") -> None:
        for text in answer.conclusions:
            say(text)
        if self.output is not None and not is_standard(self.output):
            answer.save(self.output)
            say(f"written: {spoken(self.output)}")
