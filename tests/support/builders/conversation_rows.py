"""Conversations in a store of our own, at any place."""

import shutil
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from pipeline.store.conversations import ConversationTable
from pipeline.store.database import open_database
from schemas.conversation import ConversationMessage, ConversationRecord, SessionSettings
from schemas.store_settings import StoreSettings
from schemas.transcript import Role

START = datetime(2026, 2, 2, 9, tzinfo=UTC)


class ConversationRows:
    """A store that is written by the table itself, and stands in `file` once it is closed."""

    def __init__(self, file: Path) -> None:
        """`file` is the place of the database."""
        self._file, self._folder = file, file.parent / "made"
        self._folder.mkdir(parents=True)
        self._database = open_database(self._folder, StoreSettings())
        self.table = ConversationTable(self._database)
        self._numbers = count(1)

    def conversation(
        self,
        session_id: str,
        *said: tuple[str, str],
        user_id: str = "",
        by_person: bool = True,
        settings: SessionSettings | None = None,
    ) -> ConversationRecord:
        """Adds a conversation with these roles and texts, a minute apart."""
        own = {"session_id": session_id, "user_id": user_id, "agent_id": "main", "created_at": START}
        begun = ConversationRecord.model_validate(
            own | {"id": f"c-{next(self._numbers)}", "by_person": by_person, "settings": settings or SessionSettings()}
        )
        self.table.begin(begun)
        self.table.append(begun, [_message(turn, role, text, by_person) for turn, (role, text) in enumerate(said)])
        return begun

    def close(self) -> None:
        """Ends the writing."""
        self._database.close()
        shutil.copy(self._folder / "store" / "memory.db", self._file)
        shutil.rmtree(self._folder)


def _message(turn: int, role: str, text: str, by_person: bool) -> ConversationMessage:  # noqa: FBT001 - of this module
    return ConversationMessage(
        number=0,
        role=Role(role),
        text=text,
        tokens=1,
        by_person=by_person and role == Role.USER,
        created_at=START + timedelta(minutes=turn),
    )
