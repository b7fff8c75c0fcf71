"""One path of a control unit that is far slower than its others; `rule.toml` says more."""
