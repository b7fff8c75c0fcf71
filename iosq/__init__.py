"""Mainframe disk and tape I/O measurements: to Parquet, SQL, reports and predictions.

The folders of the import path stand at the top of the checkout; the links beside this file let every tool that reads
sources find them under their import names, and a built wheel holds them as folders here.
"""
