"""Published measurements with the models' predictions; `catalog` lists them."""
