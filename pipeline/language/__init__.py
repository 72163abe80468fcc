"""English, Polish and Chinese as text: folded for comparing, cut into sentences and terms, simplified."""
