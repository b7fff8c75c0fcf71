"""Reads RMF Postprocessor listings; `reports/*.toml` defines their headings, shared with the XML reader."""
