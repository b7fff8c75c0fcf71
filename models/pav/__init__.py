"""PAV: what aliases do to rate, wait and service of volumes that share a box."""
