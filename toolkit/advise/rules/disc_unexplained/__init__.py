"""Disconnect that rises where no other rule says why; `rule.toml` says more."""
