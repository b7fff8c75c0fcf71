"""z/VM CP monitor files as MONWRITE writes them."""
