"""The lake as metrics of a monitoring system: OpenMetrics text, or OTLP to a collector."""
