"""The store: large outputs and conversations in progress, in SQLite or PostgreSQL.

Here alone a database holds the truth. What deserves to last goes into Markdown by the jobs and the gate.
"""
