"""Conversations in progress: what was said, the summary, what the next context would hold; clearing and taking away."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi import Form as FormData
from pydantic import ConfigDict, Field

from pipeline.app.conversation_deletion import session_details, user_details
from pipeline.app.conversations import Conversations, ExportForm, Requester
from pipeline.errors.conversations import BudgetTooSmall
from pipeline.surfaces.http.page.fields import Empty, QueryForm
from pipeline.surfaces.http.page.forms import Form, digest_of
from pipeline.surfaces.http.page.paging import paged
from pipeline.surfaces.http.page.rendering import PageThere, seen_other
from pipeline.surfaces.http.state import ConversationsThere
from schemas.base import Value
from schemas.conversation import LONGEST_NAME, SummaryWay
from schemas.conversation_receipts import ConversationView
from schemas.prompt_context import BUDGET, AssembledContext, ContextRequest, PromptLayout

router = APIRouter(include_in_schema=False)
_MESSAGES = 25
_User = Annotated[str, Query(max_length=LONGEST_NAME)]


class NextContext(QueryForm):
    """The question of which a person wants to see the context."""

    question: str = Field(default="", max_length=10_000)
    budget: Annotated[int | None, Empty, Field(ge=1, le=10_000_000)] = None
    layout: PromptLayout = PromptLayout.CACHE
    recall: int = Field(default=0, ge=0, le=5)
    page: int = Field(default=1, ge=1, le=100_000)
    user: str = Field(default="", max_length=LONGEST_NAME)

    @property
    def request(self) -> ContextRequest:
        """The question as the conversations take it."""
        budget = self.budget or BUDGET
        return ContextRequest(question=self.question, budget=budget, layout=self.layout, recall=self.recall)


class ClearForm(Form):
    """A person takes something away; what is pinned goes with `force` alone."""

    force: bool = False
    user: str = Field(default="", max_length=LONGEST_NAME)


class SummaryForm(Value):
    """Who writes the summaries."""

    model_config = ConfigDict(defer_build=False)

    summary: SummaryWay
    user: str = Field(default="", max_length=LONGEST_NAME)


@router.get("/conversations")
def conversations(
    page: PageThere, talks: ConversationsThere, user: _User = "", number: Annotated[int, Query(alias="page", ge=1)] = 1
) -> Response:
    """The conversations of a user, the owner's without one, the newest first."""
    part = paged(talks.listed(_person(user))[::-1], number)
    return page.show("conversations.html", {"part": part, "user": user})


@router.get("/conversations/{session_id}")
def conversation(
    page: PageThere, talks: ConversationsThere, session_id: str, wanted: Annotated[NextContext, Query()]
) -> Response:
    """One of them, with the context of a question where one is asked."""
    view = talks.view(_person(wanted.user), session_id)
    context, refusal = _context(talks, session_id, wanted)
    values = {
        "talk": view.conversation,
        "summary": view.summary,
        "part": paged(view.messages[::-1], wanted.page, _MESSAGES),
        "context": context,
        "refusal": refusal,
        "wanted": wanted,
        "user": wanted.user,
        "usual_budget": BUDGET,
        "layouts": list(PromptLayout),
        "ways": list(SummaryWay),
    }
    return page.show("conversation.html", values)


@router.get("/conversations/{session_id}/export")
def export(
    _page: PageThere, talks: ConversationsThere, session_id: str, form: ExportForm = ExportForm.LINES, user: _User = ""
) -> Response:
    """It to take away: Markdown to read, or lines to import."""
    content = talks.export(_person(user), session_id, form)
    name = f'attachment; filename="conversation.{form.value}"'
    return Response(content, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name})


@router.post("/conversations/{session_id}/summary")
def switch(
    _page: PageThere, talks: ConversationsThere, session_id: str, form: Annotated[SummaryForm, FormData()]
) -> Response:
    """Turn summaries on or off."""
    talk = talks.switch_summaries(_person(form.user), session_id, form.summary)
    return seen_other(f"/conversations/{talk.session_id}?notice=done&user={talk.user_id}")


@router.get("/conversations/{session_id}/clear")
def ask_clear(page: PageThere, talks: ConversationsThere, session_id: str, user: _User = "") -> Response:
    """What clearing would take out of the context, and what deleting would take away."""
    view = talks.view(_person(user), session_id)
    keys = session_details(talks.details, view.conversation, force=True)
    pinned = [key for key in keys if (detail := talks.details.find(key)) and detail.pinned]
    values = {"view": view, "keys": keys, "pinned": pinned, "seen": digest_of(_seen(view)), "user": user}
    return page.show("clear.html", values)


@router.post("/conversations/{session_id}/clear")
def clear(
    page: PageThere, talks: ConversationsThere, session_id: str, form: Annotated[ClearForm, FormData()]
) -> Response:
    """Take history and summary out of the context; preferences stay."""
    form.require_same(_seen(talks.view(_person(form.user), session_id)))
    receipt = talks.reset(_person(form.user), session_id)
    return page.show("cleared.html", {"receipt": receipt, "sort": "session", "session_id": session_id})


@router.post("/conversations/{session_id}/delete")
def delete(
    page: PageThere, talks: ConversationsThere, session_id: str, form: Annotated[ClearForm, FormData()]
) -> Response:
    """Delete all of a session; what was made of it stays, and is listed."""
    form.require_same(_seen(talks.view(_person(form.user), session_id)))
    receipt = talks.delete_session(_person(form.user), session_id, force=form.force)
    return page.show("cleared.html", {"receipt": receipt, "sort": "deleted", "session_id": session_id})


@router.get("/clear-global")
def ask_clear_global(page: PageThere, talks: ConversationsThere, user: _User = "") -> Response:
    """What clearing the global memory would take away."""
    values = {**_global(talks, user), "user": user}
    return page.show("clear_global.html", {**values, "seen": digest_of(values)})


@router.post("/clear-global")
def clear_global(page: PageThere, talks: ConversationsThere, form: Annotated[ClearForm, FormData()]) -> Response:
    """Delete what a user wants in all sessions, and the details that are of no one session."""
    form.require_same({**_global(talks, form.user), "user": form.user})
    receipt = talks.delete_global(_person(form.user), force=form.force)
    return page.show("cleared.html", {"receipt": receipt, "sort": "global", "session_id": ""})


def _person(user: str) -> Requester:
    return Requester(user_id=user, by_person=True)


def _context(talks: Conversations, session_id: str, wanted: NextContext) -> tuple[AssembledContext | None, str]:
    """The context that was asked for, or why there is none; neither without a question."""
    if not wanted.question.strip():
        return None, ""
    try:
        return talks.context(_person(wanted.user), session_id, wanted.request), ""
    except BudgetTooSmall as error:
        return None, str(error)


def _seen(view: ConversationView) -> object:
    """What a person decides about: as much of a conversation as was said when it was shown."""
    return [view.conversation.id, [message.number for message in view.messages], view.summary]


def _global(talks: Conversations, user: str) -> dict[str, object]:
    keys = user_details(talks.details, user, force=True)
    pinned = [key for key in keys if (detail := talks.details.find(key)) and detail.pinned]
    return {"preferences": dict(talks.table.preferences(user).stated), "keys": keys, "pinned": pinned}
