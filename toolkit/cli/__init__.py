"""The command line: one module per command, no logic in it; heavy imports happen inside the commands."""
