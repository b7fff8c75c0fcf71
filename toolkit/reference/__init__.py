"""Generated pages of `docs/reference/`, and the module of promised views."""
