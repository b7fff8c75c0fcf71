"""Facts: results of views, stored as Parquet when records arrive, and read by every query."""
