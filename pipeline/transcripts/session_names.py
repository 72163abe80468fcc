"""The ids of sessions among all kinds of sources: whatever id a file claims, its session is one of its own kind."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.ledger.transcripts import SessionKinds
from schemas.entry import Source
from schemas.transcript import Session, id_in_file


@dataclass(frozen=True)
class SessionNames:
    """Gives every session an id that no session of another kind has; `kinds` are those of the sources, by name.

    The kind that comes first with an id has it for good. In any other kind, the kind and a colon come before the id,
    and also before an id that looks like that by itself. Sources without a kind are one kind.
    """

    holders: SessionKinds
    kinds: Mapping[str, str]

    def give_id(self, session: Session) -> Session:
        """The session of a file under its id among all kinds. The caller holds a transaction."""
        kind, session_id = self.kind_of(session), session.session_id
        name = _name_among_kinds(session_id, kind, self.holders.hold(session_id, kind))
        return session if name == session_id else session.model_copy(update={"session_id": name})

    def kind_of(self, session: Session) -> str:
        """The kind of source that a session is of, also on another machine; empty where none is known."""
        return session.elsewhere.kind if session.elsewhere else self.kinds.get(session.source, "")

    def is_named(self, session: Session, name: str) -> bool:
        """Whether `give_id` has made this name of the id that a session has in its file."""
        return session.session_id == name.removeprefix(f"{self.kind_of(session)}:")

    def cited_id(self, source: Source) -> str:
        """The id of the session that an entry cites.

        The source before the path tells the kind: an entry of an earlier version has the id of the file alone.
        """
        kind = self._cited_kind(source)
        session_id = source.session_id.removeprefix(f"{kind}:") if kind else source.session_id
        return _name_among_kinds(session_id, kind, self.holders.of(session_id) or kind) if kind else session_id

    def reserve(self, cited: Iterable[Source]) -> None:
        """Let the kinds that entries cite have the ids; of two for one id, that of the source named first."""
        order = {kind: place for place, kind in enumerate(dict.fromkeys(self.kinds.values()))}
        by_kind = [(kind, source.session_id) for source in cited if (kind := self._cited_kind(source))]
        for kind, session_id in sorted(by_kind, key=lambda pair: order[pair[0]]):
            if id_in_file(session_id) == session_id:
                self.holders.hold(session_id, kind)

    def _cited_kind(self, source: Source) -> str:
        """The kind of the source that an entry names, which may have had no other name then; empty if not known."""
        root = source.session_path.partition(":")[0]
        return self.kinds.get(root) or (root if root in self.kinds.values() else "")


def _name_among_kinds(session_id: str, kind: str, holder: str) -> str:
    own = not kind or (holder == kind and id_in_file(session_id) == session_id)
    return session_id if own else f"{kind}:{session_id}"
