"""The first version: details with their chunks, conversations with their messages and summaries."""

from alembic import op
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)

revision = "1"
down_revision = None

_MOMENT = DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables. They are written out, so that they do not change with the code."""
    _details()
    _conversations()


def _details() -> None:
    op.create_table(
        "agent_memories",
        Column("id", String(36), primary_key=True),
        Column("workspace", String(200), nullable=False),
        Column("memory_key", String(200), nullable=False),
        Column("memory_type", String(20), nullable=False),
        Column("summary", Text, nullable=False),
        Column("description", Text, nullable=False),
        Column("content_metadata", JSON, nullable=False),
        Column("agent_id", String(200), nullable=False),
        Column("thread_id", String(200), nullable=False),
        Column("user_id", String(200), nullable=False),
        Column("scope", String(20), nullable=False),
        Column("created_at", _MOMENT, nullable=False),
        Column("expires_at", _MOMENT),
        Column("is_active", Boolean, nullable=False),
        Column("pinned", Boolean, nullable=False),
        Column("tokens", BigInteger, nullable=False),
        Column("bytes", BigInteger, nullable=False),
        Column("lines", BigInteger, nullable=False),
        Column("sha256", String(64), nullable=False),
        UniqueConstraint("workspace", "memory_key"),
    )
    op.create_index("agent_memories_by_thread", "agent_memories", ["workspace", "thread_id", "created_at"])
    op.create_index("agent_memories_by_expiry", "agent_memories", ["workspace", "expires_at"])
    op.create_table(
        "agent_memory_chunks",
        Column("memory_id", String(36), ForeignKey("agent_memories.id", ondelete="CASCADE"), primary_key=True),
        Column("ordinal", Integer, primary_key=True),
        Column("first_line", BigInteger, nullable=False),
        Column("first_byte", BigInteger, nullable=False),
        Column("content", LargeBinary, nullable=False),
    )
    op.create_index("agent_memory_chunks_by_line", "agent_memory_chunks", ["memory_id", "first_line"])


def _conversations() -> None:
    op.create_table(
        "conversations",
        Column("id", String(36), primary_key=True),
        Column("workspace", String(200), nullable=False),
        Column("session_id", String(200), nullable=False),
        Column("user_id", String(200), nullable=False),
        Column("agent_id", String(200), nullable=False),
        Column("by_person", Boolean, nullable=False),
        Column("settings", JSON, nullable=False),
        Column("created_at", _MOMENT, nullable=False),
        UniqueConstraint("workspace", "session_id"),
    )
    op.create_table(
        "user_preferences",
        Column("workspace", String(200), primary_key=True),
        Column("user_id", String(200), primary_key=True),
        Column("agent_id", String(200), primary_key=True),
        Column("settings", JSON, nullable=False),
        Column("changed_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "conversation_messages",
        Column("conversation_id", String(36), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
        Column("number", Integer, primary_key=True),
        Column("role", String(20), nullable=False),
        Column("text", Text, nullable=False),
        Column("tokens", Integer, nullable=False),
        Column("by_person", Boolean, nullable=False),
        Column("extra_context", JSON, nullable=False),
        Column("is_cleared", Boolean, nullable=False),
        Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "conversation_summaries",
        Column("conversation_id", String(36), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
        Column("last_number", Integer, primary_key=True),
        Column("first_number", Integer, nullable=False),
        Column("prose", Text, nullable=False),
        Column("ledger", JSON, nullable=False),
        Column("made_by", String(200), nullable=False),
        Column("created_at", _MOMENT, nullable=False),
    )
