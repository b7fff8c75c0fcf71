"""Write hit ratio of every subsystem over time."""

from functools import partial

from iosq.toolkit.report.charts import hit_ratio_read as reads

title, draw, summary = partial(reads.title, kind="write"), partial(reads.draw, kind="write"), reads.summary
