"""Queues with known answers: open stations, closed networks, bounds. Everything else in `iosq.models` is built on them."""
