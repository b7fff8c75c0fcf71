"""RMF XML as the Postprocessor and the Distributed Data Server write it: reports, messages and errors."""
