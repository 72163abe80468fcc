"""Shipping: the sessions of this machine's transcripts, sent as messages to a server of the owner.

A session is sent as the catalog has it: with the ids, names and places that its entries would have here, and with its
secrets masked. The ledger notes what the server has of each session, by digests from before masking: so the next
shipment sends what is new, also after a crash, and a change of the rules of masking sends nothing again.
"""

import secrets
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from pathlib import Path

from pydantic import ValidationError

from pipeline.adapters.receiver import ReceivingServer
from pipeline.app.opening import open_for_reading
from pipeline.engine.context import Engine
from pipeline.errors.shipping import NoServerToShipTo, OtherMemory, ShipmentRefused, ShippingError
from pipeline.ledger.shipping import SentSession, Shipping
from pipeline.process.context import ProcessContext
from pipeline.settings.load import require_own_workspace
from pipeline.transcripts.selection import Selection
from schemas.evidence import RecordEvidence
from schemas.reports.shipping import ShippedSession, ShippingReport
from schemas.shipment import (
    MOST_MESSAGES,
    Shipment,
    ShipmentReceipt,
    ShippedMessage,
    ShippingPlace,
    TranscriptHead,
    TranscriptRecord,
    record_key,
)
from schemas.transcript import MASK, Message, Session

MOST_BYTES = 512 * 1024
"""Bytes of the messages of one shipment; a longer message goes alone."""
LOCK = "ship"
_BLOCK = 64  # messages with one digest
_DIGEST = 8  # bytes


@dataclass
class ShippingRun:
    """One shipment of all that is new, in the order of the sessions' ids.

    `done` are the sessions of which something was sent, as far as it went.
    """

    engine: Engine
    receiver: ReceivingServer
    machine: str
    again: bool = False
    done: list[ShippedSession] = field(default_factory=list)
    _unchanged: int = 0
    _unreadable: list[str] = field(default_factory=list)
    _refused: list[str] = field(default_factory=list)

    def run(self) -> ShippingReport:
        """Send what is new, and note how it ended."""
        now = self.engine.clock.now()
        try:
            place = self._send_all()
        except ShippingError as error:
            before = self._table.state
            self._table.note_state(replace(before, failed=before.failed or now, failure=str(error)))
            raise
        failure, before = " ".join(self._refused[:1]), self._table.state
        failed = (before.failed or now) if failure else None
        self._table.note_state(replace(before, looked=now, failed=failed, failure=failure))
        return self._report(place)

    def preview(self) -> Iterator[tuple[ShippedSession, Sequence[ShippedMessage]]]:
        """The sessions of which something would be sent, with their messages as these would be."""
        for session_id, _ in self._changed_sessions():
            if leaving := self._leaving(session_id):
                first = 0 if self.again else leaving.first_new(self._table.of(session_id))
                if first < len(leaving.marks):
                    messages = leaving.mask_messages(first)
                    yield _count_sent(session_id, leaving.head, messages), messages

    @property
    def _table(self) -> Shipping:
        """The shipments in the ledger."""
        return Shipping(self.engine.ledger.store)

    def _report(self, place: ShippingPlace | None) -> ShippingReport:
        return ShippingReport(
            url=self.receiver.url,
            sessions=len(self.done),
            messages=sum(session.messages for session in self.done),
            unchanged=self._unchanged,
            unreadable=tuple(self._unreadable),
            refused=tuple(self._refused),
            reads=place is None or place.reads,
            ships_only=place is None or place.ships_only,
        )

    def _send_all(self) -> ShippingPlace | None:
        """Send all that is new; the place that it went to, `None` where nothing is new and nobody was asked."""
        place: ShippingPlace | None = None
        for session_id, stamp in self._changed_sessions():
            place = place or self._known_place()
            self.engine.safe_point()
            if leaving := self._leaving(session_id):
                try:
                    self._send_session(session_id, stamp, leaving)
                except ShipmentRefused as error:
                    self._refused.append(f"{session_id}: {error}")
                except ValidationError as error:
                    fields = {".".join(map(str, one["loc"])) for one in error.errors(include_url=False)}
                    self._refused.append(f"{session_id}: {', '.join(sorted(fields))} cannot be sent as it is.")
        return place

    def _changed_sessions(self) -> Iterator[tuple[str, str]]:
        """The sessions whose files have changed since they were sent, with their stamps."""
        engine, known = self.engine, {} if self.again else self._table.stamps()
        selection = Selection(engine.settings.transcript_sources)
        for session_id, files in groupby(engine.ledger.files.by_session(), key=lambda file: file.session_id):
            parts = list(files)
            if all(part.machine for part in parts):
                continue
            read = [f"{part.stamp} {selection.fingerprint(part.source)}" for part in parts]
            stamp = _digest("\n".join(read)).hex()
            if known.get(session_id) == stamp:
                self._unchanged += 1
            else:
                yield session_id, stamp

    def _known_place(self) -> ShippingPlace:
        """The workspace that is sent to; what was sent to another one is to be sent again, once the person says so."""
        place, table = self.receiver.place(), self._table
        state = table.state
        same = (state.url, state.workspace) == (self.receiver.url, place.workspace)
        if state.workspace and not same and not self.again:
            raise OtherMemory(self.receiver.url)
        if not same or self.again:
            with self.engine.ledger.store.transaction():
                table.begin_anew()
                looked = state.looked if same else None
                table.note_state(replace(state, url=self.receiver.url, workspace=place.workspace, looked=looked))
        return place

    def _leaving(self, session_id: str) -> "LeavingSession | None":
        session = self.engine.catalog.session_as_written(session_id)
        if session is None:
            self._unreadable.append(session_id)
            return None
        return LeavingSession(self.engine, session, self.machine)

    def _send_session(self, session_id: str, stamp: str, leaving: "LeavingSession") -> None:
        """Send what is new of a session, and note after each answer what the server has."""
        table, shipped = self._table, list[ShippedMessage]()
        sent = table.of(session_id)
        first = leaving.first_new(sent)
        is_whole = False
        while not is_whole:
            is_whole = True
            for number, batch, receipt in self._send_from(first, leaving, sent):
                if receipt.conversation == sent.conversation and receipt.had < sent.has:
                    # The server was brought back to an earlier state: it gets the session from its beginning.
                    sent, first, is_whole = replace(sent, conversation=""), 0, False
                    break
                shipped += batch
                sent = leaving.describe_sent(number, receipt)
                table.note(session_id, sent)
        table.note(session_id, replace(sent, stamp=stamp))
        if shipped:
            self.done.append(_count_sent(session_id, leaving.head, shipped))

    def _send_from(
        self, first: int, leaving: "LeavingSession", sent: SentSession
    ) -> Iterator[tuple[int, Sequence[ShippedMessage], ShipmentReceipt]]:
        """Send the messages from a place on: of each shipment the place behind it, its messages, and the answer."""
        number, grows = first, bool(sent.stamp) and first == sent.messages
        is_needed = sent.head != leaving.head_digest or not grows
        for batch in _batches(leaving.mask_messages(first), is_needed=is_needed):
            self.engine.safe_point()
            number += len(batch)
            whole = None if grows or number < len(leaving.marks) else leaving.keys
            yield number, batch, self.receiver.send(Shipment(head=leaving.head, messages=tuple(batch), whole=whole))


@contextmanager
def open_shipping(root: Path, context: ProcessContext, *, again: bool, sending: bool) -> Iterator[ShippingRun]:
    """A shipment of a workspace's transcripts, after a look at these; with `sending` no other one goes on meanwhile.

    Raises:
        NoServerToShipTo: the settings do not name a server, and a token for it.
        SettingsInvalid: the settings cannot be used.
        LedgerError: the ledger cannot be used.
        WorkspaceError: it is not this person's workspace, another shipment goes on, or another host runs the workspace.
    """
    with open_for_reading(root, context) as engine, ExitStack() as stack:
        settings = engine.settings.ship
        if sending:
            for name, value in (("url", settings.url), ("token", settings.token.get_secret_value())):
                if not value:
                    raise NoServerToShipTo(name)
            # Also where the environment names the server: what lies in a clone are no words of the owner.
            require_own_workspace(root, engine.settings, ["ship.url"], context.environment)
            stack.enter_context(engine.locks.hold([LOCK], LOCK, engine.clock.now()))
        receiver = stack.enter_context(closing(ReceivingServer(settings)))
        yield ShippingRun(engine, receiver, settings.machine or _machine(engine), again)


def _machine(engine: Engine) -> str:
    """The id of this machine, which is made once: the name of a host may change, and others know it."""
    table = Shipping(engine.ledger.store)
    if not table.state.machine:
        table.note_state(replace(table.state, machine=secrets.token_hex(8)))
    return table.state.machine


@dataclass(frozen=True)
class LeavingSession:
    """A session that leaves this machine: as it is written, and as it is sent."""

    engine: Engine
    session: Session
    machine: str

    @cached_property
    def head(self) -> TranscriptHead:
        """The head that is sent about the session, with secrets masked."""
        catalog = self.engine.catalog
        head = TranscriptHead.of(self.machine, catalog.mask_session(self._bare_session, ()))
        masked = {catalog.mask_text(name): catalog.mask_text(remote) for name, remote in head.remotes.items()}
        return head.model_copy(update={"remotes": masked})

    @cached_property
    def head_digest(self) -> str:
        """A digest of it."""
        return _digest(TranscriptHead.of(self.machine, self._bare_session).model_dump_json()).hex()

    @property
    def _bare_session(self) -> Session:
        return self.session.model_copy(update={"messages": (), "evidence": ()})

    @cached_property
    def marks(self) -> list[bytes]:
        """A digest of each message from before masking, and of what its records prove."""
        return [
            _digest(repr((*_fields_of(message), self._has_words(message), *(one.model_dump_json() for one in proven))))
            for message, proven in zip(self.session.messages, self._proven(self.session), strict=True)
        ]

    @property
    def keys(self) -> str:
        """The keys of all its records."""
        return "".join(record_key(message.entry_ids) for message in self.session.messages)

    def first_new(self, sent: SentSession) -> int:
        """The place of the first message that the server does not have, or has otherwise; from 0."""
        ours = self._digests(sent.messages)
        blocks = range(0, len(sent.digests), _DIGEST)
        same = (ours[place : place + _DIGEST] == sent.digests[place : place + _DIGEST] for place in blocks)
        changed = next((number for number, is_same in enumerate(same) if not is_same), None)
        return sent.messages if changed is None else changed * _BLOCK

    def describe_sent(self, messages: int, receipt: ShipmentReceipt) -> SentSession:
        """The session at the server, once it has answered about the first so many messages."""
        return SentSession("", receipt.conversation, self.head_digest, messages, receipt.has, self._digests(messages))

    def _digests(self, messages: int) -> bytes:
        """The digests of the blocks of the first so many messages."""
        own = self.marks[:messages]
        return b"".join(_digest(b"".join(own[place : place + _BLOCK])) for place in range(0, len(own), _BLOCK))

    def mask_messages(self, first: int) -> list[ShippedMessage]:
        """The messages from a place on, with their secrets masked; those that nobody may read have no words."""
        if first >= len(self.session.messages):
            return []
        before = frozenset(message.number for message in self.session.messages[:first])
        masked = self.engine.catalog.mask_session(self.session, before)
        proven = self._proven(masked)
        return [
            ShippedMessage(
                role=message.role,
                time=message.time,
                text=message.text if self._has_words(self.session.messages[place]) else "",
                record=TranscriptRecord(
                    number=message.number,
                    entry_ids=message.entry_ids,
                    aliases=message.aliases,
                    origin=message.origin,
                    session_path=message.session_path,
                    project=message.project,
                    evidence=proven[place],
                ),
            )
            for place, message in enumerate(masked.messages)
            if place >= first
        ]

    def _has_words(self, message: Message) -> bool:
        """Whether the words of a message leave this machine."""
        return message.readable and message.number in self._on_record

    @cached_property
    def _on_record(self) -> frozenset[int]:
        """The numbers of the messages that the owner did not ask to keep nowhere."""
        return frozenset(message.number for message in self._session_on_record.messages)

    @cached_property
    def _session_on_record(self) -> Session:
        from pipeline.entries.voice.off_record import on_record  # noqa: PLC0415 - its patterns take long to make

        return on_record(self.session)

    def _proven(self, session: Session) -> list[tuple[RecordEvidence, ...]]:
        """The evidence of each message: of its record and those behind it; of the first, also of those before it."""
        kept = {*map(id, self._session_on_record.evidence)}
        numbers = [message.number for message in session.messages]
        proven = list[list[RecordEvidence]]([] for _ in numbers)
        for own, evidence in zip(self.session.evidence, session.evidence, strict=True):
            if numbers and id(own) in kept:
                proven[max(0, bisect_right(numbers, own.number) - 1)].append(evidence)
        return list(map(tuple, proven))


def _fields_of(message: Message) -> tuple[object, ...]:
    """All that is sent of a message, as it is written."""
    own = message.number, message.entry_ids, message.aliases, message.role.value, message.origin.value
    words = message.text if message.readable else ""
    return (*own, message.time.isoformat(), message.session_path, message.project, words)


def _batches(messages: Sequence[ShippedMessage], *, is_needed: bool) -> Iterator[Sequence[ShippedMessage]]:
    """The messages of each shipment; one without messages where there are none and it `is_needed`."""
    batch, size = list[ShippedMessage](), 0
    for message in messages:
        own = len(message.model_dump_json().encode())
        if batch and (size + own > MOST_BYTES or len(batch) == MOST_MESSAGES):
            yield batch
            batch, size = [], 0
        batch.append(message)
        size += own
    if batch or is_needed:
        yield batch


def _count_sent(session_id: str, head: TranscriptHead, messages: Sequence[ShippedMessage]) -> ShippedSession:
    """The numbers of what was sent of a session."""
    return ShippedSession(
        session=session_id,
        source=head.source,
        project=head.project,
        messages=len(messages),
        characters=sum(len(message.text) for message in messages),
        masked=sum(message.text.count(MASK) for message in messages),
    )


def _digest(content: str | bytes) -> bytes:
    data = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    return blake2b(data, digest_size=_DIGEST).digest()
