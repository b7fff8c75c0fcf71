"""One published number with the model's: the row `iosq validate` prints."""

from __future__ import annotations

from dataclasses import dataclass

ROLES = ("calibration", "scored", "direction", "unpredicted")


@dataclass(frozen=True)
class Check:
    """One published statement and the model's answer to it.

    Attributes:
        study: the machine's name, as in `iosq validate STUDY`.
        subject: the measured quantity, conditions included.
        unit: unit of both numbers; `holds` where a direction is tested (1 yes, 0 no).
        predicted: the model's value, None where the model has none.
        published: the source's value, None where the source prints no number.
        role: `calibration` (the model was fitted to this row), `scored` (never seen by the fit), `direction`
            (a statement without a number), `unpredicted` (the source leaves out what a model would need).
        note: how to read the row; empty if nothing is special about it.
    """

    study: str
    subject: str
    unit: str
    predicted: float | None
    published: float | None
    role: str
    note: str = ""

    @property
    def error_ratio(self) -> float | None:
        """Predicted / published - 1; None without both numbers or with a published zero."""
        if self.predicted is None or not self.published:
            return None
        return self.predicted / self.published - 1.0


def direction(study: str, subject: str, holds: bool, note: str = "") -> Check:
    """A stated direction, tested on the model: published 1 (it holds), predicted 1 or 0."""
    return Check(study, subject, "holds", float(holds), 1.0, "direction", note)
