"""Watch a folder for new dumps: finished files, changed findings, alerts."""
