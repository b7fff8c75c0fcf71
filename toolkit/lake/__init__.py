"""The lake: a folder of Parquet with a manifest, and the one way into it."""

from iosq.toolkit.lake.ingest import Outcome, ingest
from iosq.toolkit.lake.lake import Lake

__all__ = ["Lake", "Outcome", "ingest"]
