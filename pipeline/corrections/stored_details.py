"""Forgetting in the store: a detail with the words goes as a whole, as what made it can make it anew."""

from codecs import getincrementaldecoder
from collections.abc import Iterable

from pipeline.entries.matcher import Matcher
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail

_OVERLAP = 4_096  # characters that two blocks share: nothing that is looked for is longer


def details_about(store: WorkspaceStore, subject: Matcher) -> list[Detail]:
    """The details with the words: in what is said of them, or anywhere in their texts; also of those that have gone."""
    if not store.exists:
        return []
    table = store.details
    return [
        detail
        for detail in table.every()
        if has_words(subject, _words_about(detail)) or _is_in(subject, (chunk.content for chunk in table.read(detail)))
    ]


def forget_details(store: WorkspaceStore, subject: Matcher) -> tuple[str, ...]:
    """Take the details with the words out without a trace; their keys."""
    keys = tuple(detail.key for detail in details_about(store, subject))
    if keys:
        store.details.erase(keys)
        store.database.compact()
    return keys


def _words_about(detail: Detail) -> str:
    metadata = (str(value) for value in detail.metadata.values())
    return "\n".join((detail.description, detail.summary, detail.key.replace("-", " "), *metadata))


def has_words(subject: Matcher, text: str) -> bool:
    """Whether a text has the name, the quote or the words."""
    return subject.named_in(text) or subject.said_in(text) or subject.quoted_in(text)


def _is_in(subject: Matcher, blocks: Iterable[bytes]) -> bool:
    decoder, tail = getincrementaldecoder("utf-8")("replace"), ""
    for block in blocks:
        text = tail + decoder.decode(block)
        if has_words(subject, text) or subject.answered_in(text):
            return True
        tail = text[-_OVERLAP:]
    return False
