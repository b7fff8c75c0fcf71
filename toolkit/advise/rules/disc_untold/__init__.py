"""Disconnect that rises where no cache record says why; `rule.toml` says more."""
