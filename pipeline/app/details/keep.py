"""Keep a large text: redacted, stored, committed; only then its placeholder exists."""

import errno
import re
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import IO, BinaryIO

from pipeline.context.sections import Shortening
from pipeline.details.placeholder import PATTERN, TextHash, describe_detail, keys_of, placeholder
from pipeline.details.redaction import redact_blocks
from pipeline.details.scan import Excerpt, TextScan, strip_escapes
from pipeline.details.synopsis.choice import synopsis
from pipeline.details.synopsis.recognition import TextHint, recognize_type, reports_trouble
from pipeline.details.synopsis.sections import size_of
from pipeline.errors import PipelineError
from pipeline.errors.store import StoreFull, StoreUnavailable
from pipeline.language.tokens import count_tokens, exceeds
from pipeline.ports.engine import Clock, Redactor
from pipeline.process.waiting_reader import while_waited_for
from pipeline.store.opening import WorkspaceStore
from schemas.conversation import ConversationRecord
from schemas.detail import Detail, DetailScope, DetailType, Placement
from schemas.reports.details import NOT_STORED, KeptDetail

SMALL = 262_144
"""Bytes of a text that may be too small to be stored; a longer one is stored always."""
COUNTED = 65_536
"""Bytes of a text whose tokens are counted; of a longer one they are estimated from so many."""

_BLOCK = 262_144


@dataclass(frozen=True)
class KeepRequest:
    """A text, and what is known of it. A stream is read once, from where it stands, and never held as a whole.

    `type` is what the text is, where the caller knows.
    """

    content: str | bytes | BinaryIO | Iterable[bytes]
    description: str = ""
    type: DetailType | None = None
    command: str = ""
    exit_code: int | None = None
    file_name: str = ""
    placement: Placement = field(default_factory=Placement)
    pinned: bool = False

    @property
    def hint(self) -> TextHint:
        """A hint by which to recognize the text."""
        return TextHint(self.command, self.exit_code, self.file_name)


@dataclass(frozen=True)
class KeptText:
    """The text for the agent: the placeholder of a detail, or the text itself, which is small and was not stored."""

    detail: Detail | None = None
    placeholder: str = ""
    content: bytes = b""

    @property
    def text(self) -> str:
        """The placeholder, or the text itself."""
        return self.placeholder or self.content.decode(errors="replace")

    @property
    def report(self) -> KeptDetail:
        """The report for programs."""
        return KeptDetail(self.detail.key, self.text) if self.detail else KeptDetail("", self.text, NOT_STORED)


def keep(
    store: WorkspaceStore, request: KeepRequest, redactor: Redactor, clock: Clock, *, dry_run: bool = False
) -> KeptText:
    """Store a text of more than `store.threshold` tokens; a smaller one is given back as it is.

    The same text of the same thread is stored once under each name, so that nobody names it for all. A dry run gives
    what would stand for the text, and stores nothing. After an error nothing is stored, and the agent can be given the
    original.
    """
    blocks = _blocks(request.content)
    head = _first(blocks)
    text = head.decode(errors="replace") if len(head) <= SMALL else None
    if text is not None and not exceeds(text, store.threshold):
        return KeptText(content=head)
    with _in_our_words(store), store.temporary_file() as file:
        masked = while_waited_for(redact_blocks(chain([head], blocks), redactor))
        written = _write_blocks(file, masked, request.placement)
        made = _Making(store, request, redactor, clock, written)
        detail = made.detail(made.first_key)
        if text is not None and not exceeds(text, count_tokens(placeholder(detail, detail.summary))):
            return KeptText(content=head)
        detail = made.foreseen() if dry_run else made.store_text(file)
    return KeptText(detail, placeholder(detail, detail.summary))


_KEY = re.compile(PATTERN)
_HEAD = 1_000  # characters in which a text of ours has its key


def is_of_store(store: WorkspaceStore, text: str) -> bool:
    """Whether a text is a placeholder or a page of a detail: anybody can write the key of one that there is not."""
    key = _KEY.search(text, 0, _HEAD)
    return bool(key and store.exists and store.details.find(key[0]))


@dataclass(frozen=True)
class _WrittenText:
    """A text that was written without its secrets, and its measures."""

    excerpt: Excerpt
    digest: TextHash
    tokens: int


@dataclass(frozen=True)
class _Making:
    """A detail that is being made."""

    store: WorkspaceStore
    request: KeepRequest
    redactor: Redactor
    clock: Clock
    written: _WrittenText

    @cached_property
    def type(self) -> DetailType:
        """The type of the text."""
        excerpt = self.written.excerpt
        return self.request.type or recognize_type("" if excerpt.binary else excerpt.head, self.request.hint)

    @cached_property
    def title(self) -> str:
        """The description without secrets; of a command without one, the command."""
        return self._clean(self.request.description or self.request.command or self.request.file_name)

    def detail(self, key: str) -> Detail:
        """The detail under a key."""
        request, excerpt, now = self.request, self.written.excerpt, self.clock.now()
        expires = request.placement.scope is DetailScope.SESSION
        return Detail(
            id=str(uuid.uuid4()),
            key=key,
            type=self.type,
            summary=self._summary,
            description=describe_detail(self.title, self._size),
            metadata=self._metadata,
            placement=request.placement,
            created_at=now,
            pinned=request.pinned,
            tokens=self.written.tokens,
            size=excerpt.size,
            lines=excerpt.lines,
            sha256=self.written.digest.text,
            expires_at=now + self.store.settings.retention if expires else None,
        )

    @property
    def first_key(self) -> str:
        """The shortest key that the text may have."""
        return next(keys_of(self.type, self.title, self.written.digest.key))

    def store_text(self, file: IO[bytes]) -> Detail:
        """The detail in the store, described as it was stored this time, whoever stored the text before."""
        table = self.store.details
        for key in self._keys():
            detail = self.detail(key)
            file.seek(0)
            added = table.add(detail, iter(lambda: file.read(_BLOCK), b""))
            if self._is_same(added):
                return self._described_anew(table.renew(added, detail.expires_at))
        raise StoreUnavailable(str(self.store.root), "all keys of this text are taken")

    def foreseen(self) -> Detail:
        """The detail as it would be stored."""
        key = next(self._keys(), self.first_key)
        standing = self.store.details.find(key)
        known = standing is not None and standing.active and self._is_same(standing)
        return self._described_anew(standing) if standing and known else self.detail(key)

    def _keys(self) -> Iterator[str]:
        """The keys that no other text has, or had, the shortest first."""
        for key in keys_of(self.type, self.title, self.written.digest.key):
            standing = self.store.details.find(key)
            if standing is None or self._is_same(standing):
                yield key

    def _is_same(self, standing: Detail) -> bool:
        return standing.sha256 == self.written.digest.text and standing.placement == self.request.placement

    def _described_anew(self, standing: Detail) -> Detail:
        now = self.detail(standing.key)
        own = {"description": now.description, "metadata": now.metadata, "summary": now.summary}
        return standing.model_copy(update=own)

    @cached_property
    def _metadata(self) -> dict[str, str | int]:
        texts = {"command": self._clean(self.request.command), "file_name": self._clean(self.request.file_name)}
        known = {**texts, "exit_code": self.request.exit_code}
        return {name: value for name, value in known.items() if value not in {None, ""}}

    @cached_property
    def _size(self) -> str:
        excerpt = self.written.excerpt
        return size_of(excerpt, reports=reports_trouble(excerpt.head, self.type, self.request.hint))

    @cached_property
    def _summary(self) -> str:
        most = self.written.tokens // 2
        return synopsis(self.written.excerpt, self.type, self.request.hint, most)

    def _clean(self, text: str) -> str:
        return strip_escapes(self.redactor.redact(text)).encode(errors="replace").decode()


def _write_blocks(file: IO[bytes], blocks: Iterable[bytes], place: Placement) -> _WrittenText:
    # A text that a person stored has another key than the same from a shell, which everybody may read.
    digest = TextHash(place.thread_id, place.agent_id, place.user_id, "person" if place.by_person else "")
    scan, sample = TextScan(), bytearray()
    for block in blocks:
        file.write(block)
        digest.update(block)
        scan.add(block)
        sample += block[: max(0, COUNTED - len(sample))]
    excerpt = scan.done()
    counted = count_tokens(sample.decode(errors="replace"))
    return _WrittenText(excerpt, digest, counted * excerpt.size // max(1, len(sample)))


def _blocks(content: str | bytes | BinaryIO | Iterable[bytes]) -> Iterator[bytes]:
    if isinstance(content, str):
        content = content.encode(errors="surrogatepass")
    if isinstance(content, bytes):
        return iter([content])
    read = getattr(content, "read", None)
    return iter(content) if read is None else iter(lambda: bytes(read(_BLOCK)), b"")


def _first(blocks: Iterator[bytes]) -> bytes:
    """The beginning of a text: all of it when it is small."""
    head = bytearray()
    for block in blocks:
        head += block
        if len(head) > SMALL:
            break
    return bytes(head)


@contextmanager
def _in_our_words(store: WorkspaceStore) -> Iterator[None]:
    """The trouble of a disk as an error of the store."""
    try:
        yield
    except OSError as error:
        where = str(store.root)
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise StoreFull(where) from error
        raise StoreUnavailable(where, error.strerror or str(error)) from error


def shortening_of(
    store: WorkspaceStore, redactor: Redactor, clock: Clock, conversation: ConversationRecord, *, dry_run: bool = False
) -> Shortening:
    """A function that stores a block before its placeholder exists; if it cannot, the block stays as it is.

    A dry run stores nothing, and knows the placeholders that it gave.
    """
    place = Placement(
        agent_id=conversation.agent_id,
        thread_id=conversation.session_id,
        user_id=conversation.user_id,
        by_person=conversation.by_person,
    )
    given = set[str]()

    def placeholder(text: str) -> str:
        try:
            kept = keep(store, KeepRequest(text, placement=place), redactor, clock, dry_run=dry_run)
        except PipelineError:
            return text
        given.update([kept.detail.key] if kept.detail else [])
        return kept.text

    return Shortening(store.threshold, placeholder, given.__contains__)
