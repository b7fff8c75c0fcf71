"""A path that went offline or carries a share of the I/Os far from an even one; `rule.toml` says more."""
