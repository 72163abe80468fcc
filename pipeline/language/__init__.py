"""English, Polish and Chinese as text: told apart, folded, cut into sentences and terms, with its days and numbers."""
