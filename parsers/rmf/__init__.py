"""RMF Postprocessor listings, and what their headings mean (`reports/*.toml`, shared with the XML reader)."""
