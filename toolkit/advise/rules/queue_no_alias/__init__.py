"""Queues that aliases do not change; `rule.toml` says more."""
