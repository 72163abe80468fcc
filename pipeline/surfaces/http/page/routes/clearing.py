"""Clearing a session's memory, deleting a session, and clearing what a user has in all sessions.

Each shows first what would go, and then what went.
"""

from typing import Annotated

from fastapi import Query, Response
from pydantic import Field

from pipeline.app.conversations import Conversations
from pipeline.app.requester import Requester
from pipeline.surfaces.http.page.forms import Form, InBody, digest_of
from pipeline.surfaces.http.page.paging import SIZE
from pipeline.surfaces.http.page.rendering import PageThere, page_router
from pipeline.surfaces.http.state import ConversationsThere
from schemas.conversation import LONGEST_NAME, ConversationView, DeletionPreview

router = page_router()


class DeletionForm(Form):
    """A person takes something away; what is pinned goes with `force` alone."""

    force: bool = False


class GlobalForm(DeletionForm):
    """A person takes away what a user has in all sessions."""

    user: str = Field(default="", max_length=LONGEST_NAME)


@router.get("/conversations/{session_id}/clear")
def ask(page: PageThere, talks: ConversationsThere, session_id: str) -> Response:
    """The messages that clearing takes out of the context, and the data that deletion takes away."""
    who = talks.person_of(session_id)
    view, preview = talks.view(who, session_id), talks.deletion(who, session_id)
    digests = {"seen_history": digest_of(_seen_history(view)), "seen_session": digest_of(_seen_session(view, preview))}
    return page.show("clear.html", {"view": view, "preview": preview, "most": SIZE, **digests})


@router.post("/conversations/{session_id}/clear")
def clear(page: PageThere, talks: ConversationsThere, session_id: str, form: InBody[Form]) -> Response:
    """Take history and summary out of the context; preferences stay."""
    who = talks.person_of(session_id)
    form.require_same(_seen_history(talks.view(who, session_id)))
    receipt = talks.reset(who, session_id)
    return page.show("cleared.html", {"receipt": receipt.model_dump(), "sort": "session", "session_id": session_id})


@router.post("/conversations/{session_id}/delete")
def delete(page: PageThere, talks: ConversationsThere, session_id: str, form: InBody[DeletionForm]) -> Response:
    """Delete all of a session; what was made of it stays, and is listed."""
    who = talks.person_of(session_id)
    form.require_same(_seen_session(talks.view(who, session_id), talks.deletion(who, session_id)))
    receipt = talks.delete_session(who, session_id, force=form.force)
    return page.show("cleared.html", {"receipt": receipt.model_dump(), "sort": "deleted", "session_id": session_id})


@router.get("/clear-global")
def ask_global(
    page: PageThere, talks: ConversationsThere, user: Annotated[str, Query(max_length=LONGEST_NAME)] = ""
) -> Response:
    """The details and preferences that clearing the global memory takes away."""
    values = _global_values(talks, user)
    return page.show("clear_global.html", values | {"most": SIZE, "seen": digest_of(values)})


@router.post("/clear-global")
def clear_global(page: PageThere, talks: ConversationsThere, form: InBody[GlobalForm]) -> Response:
    """Delete what a user wants in all sessions, and the details that are of no one session."""
    form.require_same(_global_values(talks, form.user))
    receipt = talks.delete_global(Requester(user_id=form.user, by_person=True), force=form.force)
    return page.show("cleared.html", {"receipt": receipt.model_dump(), "sort": "global", "session_id": ""})


def _seen_history(view: ConversationView) -> object:
    """The fields that a person decides about: as much of a conversation as was said when it was shown."""
    return [view.conversation.id, [message.number for message in view.messages], view.summary]


def _seen_session(view: ConversationView, preview: DeletionPreview) -> object:
    return [view.conversation.id, preview]


def _global_values(talks: Conversations, user: str) -> dict[str, object]:
    who = Requester(user_id=user, by_person=True)
    return {"user": user, "preview": talks.global_deletion(who), "preferences": list(talks.preferences(who))}
