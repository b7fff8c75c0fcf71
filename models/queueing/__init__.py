"""Queues with known answers: open stations, closed networks."""
