"""Every module here is one command (or a group of them) and adds itself with `register(app)`."""
