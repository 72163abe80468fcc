"""The choice of entries for the page that an agent reads first: judged by weekly plans, rendered by the compound."""
