"""Paging volumes that queue; `rule.toml` says more."""
