"""The lake: a folder of Parquet with a manifest, and the one way into it."""
