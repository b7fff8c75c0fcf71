"""Readers of dumps and listings: they turn bytes into Arrow batches and issues."""
