"""Pend that neither command response time nor device busy explains; `rule.toml` says more."""
