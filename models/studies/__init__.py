"""Published measurements and what the models say of each; `catalog` names them."""
