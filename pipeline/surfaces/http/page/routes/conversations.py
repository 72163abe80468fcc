"""Conversations in progress: what was said, the summary, what the next context would hold, and taking it away."""

from http import HTTPStatus
from typing import Annotated

from fastapi import HTTPException, Response
from pydantic import Field

from pipeline.app.conversations import Conversations, ExportForm, latest_conversations
from pipeline.errors.store import BudgetTooSmall
from pipeline.surfaces.http.page.forms import AskedPart, Form, InBody, InQuery, ListQuery, Words, digest_of
from pipeline.surfaces.http.page.paging import fetch_part, part_of
from pipeline.surfaces.http.page.rendering import PageThere, page_router, seen_other
from pipeline.surfaces.http.state import ConversationsThere, PreviewsThere, StateThere
from schemas.conversation import ConversationRecord, SettingsChange
from schemas.prompt_context import BUDGET, RECALL, AssembledContext, ContextRequest, PromptLayout
from schemas.search_limits import LONGEST_QUERY
from schemas.store_settings import SummaryWay

router = page_router()
_MESSAGES = 25
SHOWN = 10_000
"""Characters of one text that a document shows; a message has documents of its own for the rest."""
_Budget = Annotated[int, Field(ge=1, le=10_000_000)]


class TalkFilter(ListQuery):
    """The filter of listed conversations: those of a user, or with an agent."""

    user: Words = ""
    agent: Words = ""


class NextContext(ListQuery):
    """The question of which a person wants to see the context."""

    question: str = Field(default="", max_length=LONGEST_QUERY)
    budget: _Budget | None = None
    layout: PromptLayout = PromptLayout.CACHE
    recall: int = Field(default=RECALL, ge=0, le=5)


class SummaryForm(Form):
    """The writer of the summaries."""

    summary: SummaryWay


@router.get("/conversations")
def conversations(page: PageThere, state: StateThere, wanted: InQuery[TalkFilter]) -> Response:
    """The conversations of all users, first where something was said last."""
    part = fetch_part(
        lambda skip, limit: latest_conversations(state.store, wanted.user, wanted.agent, skip=skip, limit=limit),
        wanted.page,
    )
    return page.show("conversations.html", {"part": part, "wanted": wanted})


@router.get("/conversations/{session_id}")
def conversation(page: PageThere, talks: PreviewsThere, session_id: str, wanted: InQuery[NextContext]) -> Response:
    """A conversation, with the context of a question where there is a question."""
    who = talks.person_of(session_id)
    view = talks.view(who, session_id)
    context, refusal = _context(talks, session_id, wanted)
    values = {
        "talk": view.conversation,
        "view": view,
        "everywhere": talks.preferences(who),
        "part": part_of(view.messages[::-1], wanted.page, _MESSAGES),
        "context": context,
        "refusal": refusal,
        "wanted": wanted,
        "usual_budget": BUDGET,
        "layouts": list(PromptLayout),
        "ways": list(SummaryWay),
        "most": SHOWN,
        "seen": digest_of(_switch(view.conversation)),
    }
    return page.show("conversation.html", values)


@router.get("/conversations/{session_id}/messages/{number}")
def message(page: PageThere, talks: PreviewsThere, session_id: str, number: int, at: AskedPart = 1) -> Response:
    """A whole message, a part after the other."""
    messages = talks.view(talks.person_of(session_id), session_id).messages
    chosen = next((chosen for chosen in messages if chosen.number == number), None)
    if chosen is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    values = {"session_id": session_id, "message": chosen, "part": part_of(chosen.text, at, SHOWN)}
    return page.show("message.html", values)


@router.get("/conversations/{session_id}/export")
def export(talks: PreviewsThere, session_id: str, form: ExportForm = ExportForm.LINES) -> Response:
    """The export of a conversation: Markdown to read, or lines to import."""
    content = talks.export(talks.person_of(session_id), session_id, form)
    name = f'attachment; filename="conversation.{form.value}"'
    return Response(content, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name})


@router.post("/conversations/{session_id}/summary")
def switch(talks: ConversationsThere, session_id: str, form: InBody[SummaryForm]) -> Response:
    """Turn summaries on or off."""
    who = talks.person_of(session_id)
    form.require_same(_switch(talks.view(who, session_id).conversation))
    talk = talks.adjust(who, session_id, SettingsChange(summary=form.summary))
    return seen_other(f"/conversations/{talk.session_id}?notice=done")


def _switch(talk: ConversationRecord) -> object:
    return [talk.id, talk.settings.summary.value]


def _context(talks: Conversations, session_id: str, wanted: NextContext) -> tuple[AssembledContext | None, str]:
    """The context for the question, or the reason why there is none; neither without a question."""
    if not wanted.question.strip():
        return None, ""
    try:
        asked = wanted.model_dump(exclude={"page", "budget"}) | {"budget": wanted.budget or BUDGET}
        return talks.context(talks.person_of(session_id), session_id, ContextRequest.model_validate(asked)), ""
    except BudgetTooSmall as error:
        return None, str(error)
