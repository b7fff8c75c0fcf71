"""Read hit ratio of every subsystem over time."""

from functools import partial

from iosq.toolkit.report import hit_ratios

title, draw = partial(hit_ratios.title, kind="read"), partial(hit_ratios.draw, kind="read")
summary = hit_ratios.summary
