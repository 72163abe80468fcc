"""The text of a message in a prompt: what came along with it is marked, and a large block becomes a placeholder."""

import re
from collections.abc import Iterator

from pipeline.context.sections import Shortening
from pipeline.language.tokens import count_tokens
from schemas.conversation import ConversationMessage
from schemas.transcript import Role

_FENCED = re.compile(r"^(?P<fence>```|~~~)[^\n]*\n.*?^(?P=fence)[ \t]*$", re.DOTALL | re.MULTILINE)


def prompt_text(message: ConversationMessage, shortening: Shortening) -> str:
    """A message as it goes into a prompt.

    The blocks are what a tool put out, code between fences, and the files that came along. Other words of a speaker
    are never replaced.
    """
    return "\n".join(_parts(message, shortening))


def says_something(message: ConversationMessage) -> bool:
    """Whether a prompt has anything of a message: its text, or what came along with it."""
    extra = message.extra_context
    came_along = (*extra.paths, *extra.links, *extra.notes, *extra.files)
    return bool(message.text.strip()) or any(value.strip() for value in came_along)


def plain_text(message: ConversationMessage) -> str:
    """A message as it would go into a prompt without placeholders."""
    return prompt_text(message, Shortening(threshold=0, placeholder=lambda text: text))


def shortened(text: str, shortening: Shortening) -> str:
    """The placeholder of a text above the threshold, where it is the shorter one; else the text."""
    if len(text) <= shortening.threshold or (tokens := count_tokens(text)) <= shortening.threshold:
        return text  # a token has at least one character
    placeholder = shortening.placeholder(text)
    return placeholder if count_tokens(placeholder) < tokens else text


def _parts(message: ConversationMessage, shortening: Shortening) -> Iterator[str]:
    if message.text.strip():
        yield _words(message, shortening)
    extra = message.extra_context
    for name, values in (("path", extra.paths), ("link", extra.links), ("note", extra.notes)):
        yield from (f"(attached {name}) {value}" for value in values)
    yield from (f"(attached file) {shortened(value, shortening)}" for value in extra.files)


def _words(message: ConversationMessage, shortening: Shortening) -> str:
    if message.role is Role.TOOL:
        return f"(output of a tool) {shortened(message.text, shortening)}"
    return _FENCED.sub(lambda block: shortened(block.group(), shortening), message.text)
