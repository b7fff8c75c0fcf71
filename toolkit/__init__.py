"""Engines and the face of iosq: lake, SQL views, findings, reports and the command line."""
