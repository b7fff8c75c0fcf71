"""PAV model: effect of aliases on rate, wait and service of volumes that share a box."""
