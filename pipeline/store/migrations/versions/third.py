"""The third version: a conversation may hold the session of a transcript, and a message the record of one."""

from alembic import op
from sqlalchemy import JSON, Column, String

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Add the columns. Older rows hold neither."""
    op.add_column("conversations", Column("transcript", JSON, nullable=True))
    op.add_column("conversation_messages", Column("record", JSON, nullable=True))
    op.add_column("conversation_messages", Column("record_key", String(32), nullable=True))
    op.create_index("conversation_messages_by_record", "conversation_messages", ["conversation_id", "record_key"])
