"""Reads z/VM Performance Toolkit (FCX) listings."""
