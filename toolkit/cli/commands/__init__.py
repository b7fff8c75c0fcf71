"""Every module here is one command, the function of its name, or a group with a module for each of its `KINDS`."""
