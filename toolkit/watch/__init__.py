"""New dumps in a folder, and what they change: finished files, changed findings, alerts."""
