"""One folder per rule: `rule.toml`, `query.sql` and `judge.py` (see `iosq.toolkit.advise.catalog`)."""
