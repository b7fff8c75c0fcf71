"""Queries about the quality of the measurements, with the sentences that `notices.toml` makes of their rows."""
