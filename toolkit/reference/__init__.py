"""Pages of `docs/reference/`, and the module of promised views, from what the code knows."""
