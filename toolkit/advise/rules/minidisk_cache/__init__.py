"""What minidisk cache saves; `rule.toml` says more."""
