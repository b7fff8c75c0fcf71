"""Facts: what views give, stored as Parquet when records arrive, and read by every query."""
