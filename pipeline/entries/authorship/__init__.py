"""Authorship: which stretches of an owner's message are the owner's own words, and which came from elsewhere.

People paste: mail, pages, chats, advice of other assistants, prompts. Pasted text settles nothing and confirms nothing:
the offline extraction reads only the text outside of `foreign`, and a model's candidate is rejected unless
`said_by_owner` finds its quote there. When in doubt, a stretch is not the owner's.

Each class of such text has a module: text between marks (`enclosed`), output of programs (`data`), mail (`mail`),
speech of others (`speech`) or attributed to them (`attributed`), the subject of a request (`requests`), documents,
records and texts under a title (`documents`).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.entries.authorship.message import TYPED, foreign, said_by_owner

__all__ = ["TYPED", "foreign", "said_by_owner"]


def __getattr__(name: str) -> object:
    """Load what reads messages when it is first used: its patterns take long to make, and few commands read any."""
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from pipeline.entries.authorship import message as reading  # noqa: PLC0415 - see above

    return getattr(reading, name)
