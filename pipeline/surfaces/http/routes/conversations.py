"""Conversations in progress: begin, append, get a context that fits, clear, take away."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, BackgroundTasks, Body, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import ConfigDict, Field

from pipeline.app.conversations import ExportForm
from pipeline.surfaces.http.answers import PROBLEMS, answer, gives
from pipeline.surfaces.http.state import ConversationsThere, PersonThere, RequesterThere
from schemas.base import RequestValue
from schemas.conversation import (
    LONGEST_NAME,
    LONGEST_PREFERENCE,
    OWNER,
    SESSION_ID,
    AdjustedConversation,
    AppendedMessages,
    BegunConversation,
    ConversationRecord,
    ConversationView,
    DeletionReceipt,
    ListedConversation,
    NewConversation,
    NewMessage,
    Preferences,
    PreferenceScope,
    ResetReceipt,
    SessionSettings,
    SettingsChange,
)
from schemas.prompt_context import BUDGET, AssembledContext, Budget, ContextRequest
from schemas.store_settings import SummaryWay
from schemas.transcript import Role

router = APIRouter(tags=["conversations"], responses=PROBLEMS)
_Preference = Annotated[str, Field(max_length=LONGEST_PREFERENCE)]
_MOST = 1_000  # messages of one request
_LINES, _MARKDOWN = "application/jsonl", "text/markdown"
_TEXT = {"schema": {"type": "string"}}
_LINES_BODY = {"description": "What `export` gave as lines.", "required": True, "content": {_LINES: _TEXT}}
_EXPORTED: dict[int | str, dict[str, Any]] = {
    200: {"description": "The conversation", "content": {_LINES: _TEXT, _MARKDOWN: _TEXT}},
    **PROBLEMS,
}


class SessionRequest(RequestValue):
    """A conversation that is to begin; without a `session_id` it gets one. Preferences are in the user's words.

    A person may say with which `agent` it is. `user_id` is who talks; without it, the owner of the workspace.
    """

    session_id: str = Field(default="", pattern=SESSION_ID)
    user_id: str = Field(default=OWNER, max_length=LONGEST_NAME)
    agent: str = Field(default="", max_length=LONGEST_NAME)
    preferred_language: _Preference = ""
    tone: _Preference = ""
    style_notes: _Preference = ""
    preference_scope: PreferenceScope = PreferenceScope.SESSION
    store_knowledge: bool = True
    summary: SummaryWay | None = None
    budget: Budget = BUDGET
    clear_command: bool = False

    def session_request(self, summary: SummaryWay) -> NewConversation:
        """The request as the conversations take it; `summary` is who writes the summaries unless it says so itself."""
        preferences = Preferences(
            preferred_language=self.preferred_language, tone=self.tone, style_notes=self.style_notes
        )
        settings = SessionSettings(
            preferences=preferences,
            preference_scope=self.preference_scope,
            store_knowledge=self.store_knowledge,
            summary=self.summary or summary,
            budget=self.budget,
            clear_command=self.clear_command,
        )
        return NewConversation(session_id=self.session_id, agent_id=self.agent, settings=settings)


class SettingsBody(SettingsChange):
    """The changes of a conversation's settings, in the body of a request."""

    model_config = ConfigDict(defer_build=False)


class MessageBody(NewMessage):
    """A message in the body of a request; what speaks as the system is no message, but a part of a context."""

    model_config = ConfigDict(defer_build=False)

    role: Literal[Role.USER, Role.ASSISTANT, Role.TOOL]


class ContextBody(ContextRequest):
    """A request for a context in the body of a request."""

    model_config = ConfigDict(defer_build=False)


@router.post("/sessions", responses=gives(BegunConversation))
def begin(talks: ConversationsThere, who: RequesterThere, wanted: SessionRequest) -> Response:
    """Begin a conversation, or get the one of that session."""
    new = wanted.session_request(talks.settings.store.summary)
    return answer(talks.begin(replace(who, user_id=wanted.user_id or who.user_id), new))


@router.get("/sessions", responses=gives(list[ListedConversation]))
def sessions(talks: ConversationsThere, who: RequesterThere) -> Response:
    """The conversations that the caller may see."""
    return answer(talks.list_conversations(who))


@router.post("/sessions/import", responses=gives(ConversationRecord), openapi_extra={"requestBody": _LINES_BODY})
async def restore(talks: ConversationsThere, who: RequesterThere, request: Request) -> Response:
    """Bring back a conversation, of which the body is the export in lines."""
    content = await request.body()
    return answer(await run_in_threadpool(talks.restore, who, content))


@router.get("/sessions/{session_id}", responses=gives(ConversationView))
def session(talks: ConversationsThere, who: RequesterThere, session_id: str) -> Response:
    """A conversation with its messages and its last summary."""
    return answer(talks.view(who, session_id))


@router.post("/sessions/{session_id}/messages", responses=gives(AppendedMessages))
def append(
    talks: ConversationsThere,
    who: RequesterThere,
    session_id: str,
    said: Annotated[list[MessageBody], Body(min_length=1, max_length=_MOST)],
    later: BackgroundTasks,
) -> Response:
    """Append messages, all or nothing. A summary that is due is made afterwards; nobody waits for it."""
    appended = talks.append(who, session_id, said)
    response = answer(appended)
    if appended.summary_due:
        later.add_task(talks.summarize, session_id)
        response.background = later
    return response


@router.post("/sessions/{session_id}/context", responses=gives(AssembledContext))
def context(
    talks: ConversationsThere, who: RequesterThere, session_id: str, wanted: ContextBody, later: BackgroundTasks
) -> Response:
    """The messages of a prompt within a budget, and the account of what is in it and what was cut.

    A summary that is due by that budget is made afterwards, for the next context.
    """
    made = talks.context(who, session_id, wanted)
    response = answer(made)
    if made.summary_due:
        later.add_task(talks.summarize, session_id, made.receipt.budget)
        response.background = later
    return response


@router.patch("/sessions/{session_id}", responses=gives(AdjustedConversation))
def adjust(talks: ConversationsThere, who: RequesterThere, session_id: str, wanted: SettingsBody) -> Response:
    """Change the preferences of a conversation, or who writes its summaries; what is not named stays."""
    return answer(talks.adjust(who, session_id, wanted))


@router.post("/sessions/{session_id}/reset", responses=gives(ResetReceipt))
def reset(talks: ConversationsThere, who: RequesterThere, session_id: str) -> Response:
    """Take history and summary out of the context; preferences stay."""
    return answer(talks.reset(who, session_id))


@router.get("/sessions/{session_id}/export", response_class=Response, responses=_EXPORTED)
def export(
    talks: ConversationsThere, who: RequesterThere, session_id: str, form: ExportForm = ExportForm.LINES
) -> Response:
    """The conversation to take away: Markdown to read, or lines to import."""
    kind = _MARKDOWN if form is ExportForm.MARKDOWN else _LINES
    return Response(talks.export(who, session_id, form), media_type=f"{kind}; charset=utf-8")


@router.delete("/memory/session/{session_id}", responses=gives(DeletionReceipt))
def delete_session(talks: ConversationsThere, who: RequesterThere, session_id: str, *, force: bool = False) -> Response:
    """Delete all of a session. What became an entry or a fact stays, and is listed. Pinned details need `force`."""
    return answer(talks.delete_session(who, session_id, force=force and who.by_person))


@router.delete("/memory/global", responses=gives(DeletionReceipt))
def delete_global(
    _person: PersonThere, talks: ConversationsThere, who: RequesterThere, *, force: bool = False
) -> Response:
    """Delete the preferences and details of a user in all sessions; only a person may. What is pinned needs `force`."""
    return answer(talks.delete_global(who, force=force))
