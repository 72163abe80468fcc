"""What deserves the one page an agent reads first: judged by the plan of a week, rendered by its compound."""
