"""One module per chart; each defines `CHART`."""
