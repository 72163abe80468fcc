"""The programs of agents as models: each answers a question with the login that its owner uses it with."""
