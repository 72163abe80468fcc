"""Authorship: which stretches of an owner's message are the owner's own words, and which came from elsewhere.

People paste: mail, pages, chats, advice of other assistants, prompts. What they paste settles nothing and confirms
nothing, whoever proposes it: the offline extraction reads only what `foreign` leaves, and a model's candidate is
rejected unless `said_by_owner` finds its quote there. When in doubt, a stretch is not the owner's.

Each class of such text has a module: what marks set apart (`enclosed`), what programs write (`data`), mail (`mail`),
what others say (`speech`) or are said to have written (`attributed`), what a request is about (`requests`), documents
(`documents`), tickets and minutes (`records`), and texts under a title (`titled`).
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
