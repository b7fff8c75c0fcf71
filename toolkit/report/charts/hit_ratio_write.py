"""Write hit ratio of every subsystem over time."""

from functools import partial

from iosq.toolkit.report import hit_ratios

title, draw = partial(hit_ratios.title, kind="write"), partial(hit_ratios.draw, kind="write")
summary = hit_ratios.summary
