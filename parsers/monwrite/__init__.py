"""Reads z/VM CP monitor files written by MONWRITE."""
