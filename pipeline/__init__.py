"""The engine: it alone reads, locks, writes, records and announces."""
