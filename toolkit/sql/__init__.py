"""DuckDB over the lake: raw views, derived and promised views, guarded queries, the dictionary and exports."""
