"""One published number with the model's: a row of `iosq validate`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One published statement and the model's prediction.

    Attributes:
        study: the machine's name, as in `iosq validate STUDY`.
        unit: unit of both numbers; `holds` for a direction (1 yes, 0 no).
        published: the source's value.
        role: `calibration` (the model was fitted to this row), `scored` (not used in the fit), `direction`
            (a statement without a number), `unpredicted` (the source does not state a needed input).
        note: explanation of the row; '' if none.
    """

    study: str
    subject: str
    unit: str
    predicted: float | None
    published: float
    role: str
    note: str = ""

    @property
    def error_ratio(self) -> float | None:
        """Predicted / published - 1; None if the prediction is missing or the published number is 0."""
        if self.predicted is None or not self.published:
            return None
        return self.predicted / self.published - 1.0


def direction(study: str, subject: str, holds: bool, note: str = "") -> Check:
    """Check of a stated direction: published 1 (it holds), predicted 1 or 0."""
    return Check(study, subject, "holds", float(holds), 1.0, "direction", note)
