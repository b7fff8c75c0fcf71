"""Days with planted problems, to score advice on: by name, the package of `sysplex.toml` and scenarios."""

from iosq.toolkit.sample.sysplex import SAMPLE

CLINIC, WEEK = "tests.days.clinic", "tests.days.week"
PACKAGES = {"sysplex": SAMPLE, "clinic": CLINIC, "week": WEEK}
