"""Values of a written line (numbers, days, times, names, codes), and whether those who spoke have said them."""
