"""The versions of the tables, which Alembic brings a store to."""
