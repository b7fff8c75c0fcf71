"""Export a lake's values as metrics: OpenMetrics text, or OTLP to a collector."""
