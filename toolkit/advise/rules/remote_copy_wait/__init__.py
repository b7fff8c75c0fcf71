"""Writes that wait for the second box of a mirror; `rule.toml` says more."""
