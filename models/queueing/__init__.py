"""Queues with known solutions: open stations, closed networks."""
