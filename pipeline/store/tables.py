"""The tables of the store, the same in SQLite and PostgreSQL. Every row names its workspace."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)


class Utc(TypeDecorator[datetime]):
    """A moment with its offset: stored and given in UTC, as SQLite forgets offsets."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """The moment as the database takes it."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ANN401, ARG002 - theirs
        """The moment as we have it."""
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC) if value else None


metadata = MetaData()

details = Table(
    "agent_memories",
    metadata,
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
    Column("created_at", Utc, nullable=False),
    Column("expires_at", Utc),
    Column("is_active", Boolean, nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("lines", BigInteger, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("by_person", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("workspace", "memory_key"),
    Index("agent_memories_by_thread", "workspace", "thread_id", "created_at"),
    Index("agent_memories_by_expiry", "workspace", "expires_at"),
)
"""What is not active has neither chunks nor a summary any more."""

chunks = Table(
    "agent_memory_chunks",
    metadata,
    Column("memory_id", String(36), ForeignKey("agent_memories.id", ondelete="CASCADE"), primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("first_line", BigInteger, nullable=False),
    Column("first_byte", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Index("agent_memory_chunks_by_line", "memory_id", "first_line"),
)
"""`content` is compressed. `first_line`, from 1, is the line of the first byte."""

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("workspace", String(200), nullable=False),
    Column("session_id", String(200), nullable=False),
    Column("user_id", String(200), nullable=False),
    Column("agent_id", String(200), nullable=False),
    Column("by_person", Boolean, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("transcript", JSON(none_as_null=True)),
    UniqueConstraint("workspace", "session_id"),
)

preferences = Table(
    "user_preferences",
    metadata,
    Column("workspace", String(200), primary_key=True),
    Column("user_id", String(200), primary_key=True),
    Column("agent_id", String(200), primary_key=True),
    Column("settings", JSON, nullable=False),
    Column("changed_at", Utc, nullable=False),
)
"""What a user wants in all sessions; it outlives the session. With an agent's id it is what that agent says of it."""

messages = Table(
    "conversation_messages",
    metadata,
    Column("conversation_id", String(36), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("role", String(20), nullable=False),
    Column("text", Text, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("by_person", Boolean, nullable=False),
    Column("extra_context", JSON, nullable=False),
    Column("is_cleared", Boolean, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("record", JSON(none_as_null=True)),
    Column("record_key", String(32)),
    Index("conversation_messages_by_record", "conversation_id", "record_key"),
)
"""What was cleared is not in the context any more; the jobs still read it."""

summaries = Table(
    "conversation_summaries",
    metadata,
    Column("conversation_id", String(36), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    Column("last_number", Integer, primary_key=True),
    Column("first_number", Integer, nullable=False),
    Column("prose", Text, nullable=False),
    Column("ledger", JSON, nullable=False),
    Column("made_by", String(200), nullable=False),
    Column("created_at", Utc, nullable=False),
)
"""One for each range of messages; `made_by` is the name of a model, or `heuristic`."""
