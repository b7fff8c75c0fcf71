"""Caching or fast write is off; `rule.toml` says more."""
