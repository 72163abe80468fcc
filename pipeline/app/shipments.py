"""Shipments that arrive: the sessions of transcripts that laptops of the owner send, kept as conversations."""

import re
import uuid
from hashlib import blake2b

from pipeline.app.conversations import BEFORE, Conversations
from pipeline.app.requester import Requester
from pipeline.errors.store import NoOwnerShips
from pipeline.language.tokens import count_tokens
from pipeline.process.waiting_reader import while_waited_for
from schemas.caller import Caller
from schemas.conversation import ConversationMessage, ConversationRecord, SessionSettings
from schemas.evidence import RecordEvidence
from schemas.settings import Settings
from schemas.shipment import KeptTranscript, Shipment, ShipmentReceipt, ShippingPlace, TranscriptHead
from schemas.store_settings import SummaryWay
from schemas.transcript import MASK, Origin

_NO_NAME = re.compile(r"[^\w.@+-]+", re.ASCII)
_LONGEST_NAME = 100


def shipping_place(settings: Settings, caller: Caller) -> ShippingPlace:
    """The workspace as those know it who ship to it."""
    name = blake2b(settings.store.workspace.encode(), digest_size=8).hexdigest()
    reads = any(source.kind == "store" for source in settings.transcript_sources)
    return ShippingPlace(workspace=name, reads=reads, ships_only=caller.is_laptop)


def receive_shipment(talks: Conversations, who: Requester, shipment: Shipment) -> ShipmentReceipt:
    """Keep the messages of a shipment, with the secrets masked that this machine knows of.

    A message that is kept already stays masked where it is: words that were forgotten here do not come back.

    Raises:
        ConversationRefused: it is not the owner who ships; another conversation has the name of the session.
        StoreError: the store cannot be used.
    """
    if not who.is_owner:
        raise NoOwnerShips
    texts, new = list[str](), list[ConversationMessage]()
    for shipped in while_waited_for(shipment.messages):
        text = talks.clean(shipped.text, texts[-BEFORE:]) if shipped.text else ""
        texts += [text] if text else []
        new.append(
            ConversationMessage(
                number=0,
                role=shipped.role,
                text=text,
                tokens=count_tokens(text) if text else 0,
                by_person=shipped.record.origin is Origin.OWNER,
                created_at=shipped.time,
                record=shipped.record.with_words(talks.clean),
            )
        )
    conversation = ConversationRecord(
        id=str(uuid.uuid4()),
        session_id=conversation_name(shipment.head),
        by_person=True,
        created_at=min((message.created_at for message in new), default=talks.process.clock.now()),
        settings=SessionSettings(summary=SummaryWay.OFF),
        transcript=KeptTranscript(**dict(shipment.head)),
    )
    kept, had, has = talks.table.keep_records(conversation, new, keep_masked, shipment.staying)
    return ShipmentReceipt(conversation=kept.id, had=had, has=has)


def conversation_name(head: TranscriptHead) -> str:
    """The session under which the store keeps a session of a transcript: another one for each machine and kind.

    So a machine replaces nothing that another has sent; jobs take both for one session by its own id.
    """
    own = f"{head.machine}\n{head.kind}\n{head.session_id}"
    digest = blake2b(own.encode(errors="replace"), digest_size=12).hexdigest()
    return f"{head.kind}:{_NO_NAME.sub('-', head.session_id)[:_LONGEST_NAME]}:{digest}"


def keep_masked(now: ConversationMessage, before: ConversationMessage) -> ConversationMessage:
    """A message that comes again, masked wherever it was masked before; also in what its record proves.

    A record with another id is the same one where it says the same: the ids of some sources have the number of a line.
    """
    same_id = bool(now.record and before.record and now.record.entry_ids[0] == before.record.entry_ids[0])
    if not same_id and not _says_the_same(before.text, now.text):
        return now
    text = keep_masks(before.text, now.text)
    record = now.record
    if record and before.record:
        known = {(one.kind, one.time): one for one in before.record.evidence}
        evidence = (_masked_as(known.get((one.kind, one.time)), one) for one in record.evidence)
        record = record.model_copy(update={"evidence": tuple(evidence)})
    return now.model_copy(update={"text": text, "record": record})


def _says_the_same(before: str, now: str) -> bool:
    return len(before) == len(now) and all(
        MASK in {old, new} or old == new for old, new in zip(before, now, strict=True)
    )


def _masked_as(before: RecordEvidence | None, now: RecordEvidence) -> RecordEvidence:
    if before is None:
        return now
    todos = (
        one.model_copy(update={"text": keep_masks(old.text, one.text)})
        for old, one in zip(before.todos, now.todos, strict=False)
    )
    kept = {"text": keep_masks(before.text, now.text), "about": keep_masks(before.about, now.about)}
    return now.model_copy(update={**kept, "todos": (*todos, *now.todos[len(before.todos) :])})


def keep_masks(before: str, now: str) -> str:
    """The text of a message that comes again, masked wherever it was masked before.

    Where its words are others, it has grown or is another message; what was masked at its beginning stays so as long
    as the two agree, and what was masked at its end where they agree there: its beginning may have been cut.
    """
    kept, agree = list(now), True
    for place, (old, new) in enumerate(zip(before, now, strict=False)):
        if old == MASK:
            kept[place] = MASK
        elif new not in {old, MASK}:
            agree = False
            break
    if not agree or len(now) < len(before):
        for place, (old, new) in enumerate(zip(reversed(before), reversed(now), strict=False), 1):
            if old == MASK:
                kept[-place] = MASK
            elif new not in {old, MASK}:
                break
    return "".join(kept)
