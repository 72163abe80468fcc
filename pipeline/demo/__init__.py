"""The sample sessions of `memory demo`, and what a good reader would record of them."""
