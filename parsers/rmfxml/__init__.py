"""Reads RMF XML of the Postprocessor and the Distributed Data Server: reports, messages and errors."""
