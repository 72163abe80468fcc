"""The second version: of a detail it is known whether a person's token stored it."""

from alembic import op
from sqlalchemy import Boolean, Column, false

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Add the column. Of older rows it is not known: they stay as readable as they were."""
    op.add_column("agent_memories", Column("by_person", Boolean, nullable=False, server_default=false()))
