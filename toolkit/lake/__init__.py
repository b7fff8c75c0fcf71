"""The lake: a folder of Parquet files with a manifest, and the ingest."""
