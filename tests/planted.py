"""Made-up days as tables of their own, with what the rules find in them: each is encoded, decoded and judged once."""

from contextlib import ExitStack
from functools import cache

import duckdb

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import question_texts
from iosq.toolkit.advise.data_quality import MISSING, question
from iosq.toolkit.advise.engine import run
from iosq.toolkit.predict import nvs_box
from iosq.toolkit.sample.day import Day, make_day
from tests.days import PACKAGES
from tests.materialised import materialised
from tests.scoring.memory import lake
from tests.scoring.score import PLANS

# what rules ask, and the views that predictions read
TEXTS = (
    *question_texts(),
    "volume_interval box_volume_interval box_curve volume_on_box_clock lcu_interval alias_pool unused_alias",
    nvs_box.statement(),
    question(MISSING).sql,
)


class Planted:
    """Days by seed and plan; who changes their tables puts them back."""

    def __init__(self) -> None:
        self._open, self._days = ExitStack(), dict[tuple[int, str], tuple[Day, duckdb.DuckDBPyConnection]]()
        self.found, self.findings = cache(run), cache(self._findings)

    def close(self) -> None:
        """Take all days away."""
        self._open.close()

    def day(self, seed: int, plan: str) -> tuple[Day, duckdb.DuckDBPyConnection]:
        """A day, and its tables."""
        if (seed, plan) not in self._days:
            day = make_day(seed, plan=PACKAGES[plan])
            self._days[seed, plan] = day, self._open.enter_context(materialised(lake(day), TEXTS))
        return self._days[seed, plan]

    def _findings(self, seed: int, plan: str = PLANS[0]) -> tuple[Day, list[Finding]]:
        day, con = self.day(seed, plan)
        return day, self.found(con)
