"""Published measurements and the models' predictions for them; `catalog` names them."""
