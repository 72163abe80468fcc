"""Details: large texts outside of the context, behind placeholders."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Response
from pydantic import ConfigDict, Field

from pipeline.app.details.expiry import erase_detail
from pipeline.app.details.keep import KeepRequest
from pipeline.app.details.retrieve import show
from pipeline.app.details.upkeep import count_details, list_details, pin
from pipeline.reports.details import listed_detail
from pipeline.surfaces.http.answers import PROBLEMS, answer, gives
from pipeline.surfaces.http.state import CallerThere, PersonThere, ReaderThere, StateThere, reader_of
from schemas.base import RequestValue
from schemas.conversation import LONGEST_NAME
from schemas.detail import DetailFilter, DetailPage, DetailScope, ExitCode, NamedType, PageRequest, Placement
from schemas.reports.details import KeptDetail, ListedDetail, PinnedDetails, PrunedDetails

router = APIRouter(prefix="/memories", tags=["details"], responses=PROBLEMS)
_NAME = 200
TOTAL = "X-Total-Count"
"""The header with how many there are of what is listed in part."""


class NewDetail(RequestValue):
    """A text that is to stay outside of the context, and what is known of it. A `user_preference` is pinned."""

    content: str
    description: str = Field(default="", max_length=2_000)
    type: NamedType | None = None
    command: str = Field(default="", max_length=10_000)
    exit_code: ExitCode | None = None
    thread_id: str = Field(default="", max_length=_NAME)
    user_id: str = Field(default="", max_length=_NAME)
    scope: DetailScope = DetailScope.SESSION


class DetailsQuery(RequestValue):
    """Which details to list, in an address: of a thread, with some words; so many, behind those that are skipped.

    `user_id` is as whom the caller asks.
    """

    thread_id: str = ""
    words: str = ""
    limit: int = Field(default=50, ge=1, le=1000)
    skip: int = Field(default=0, ge=0, lt=2**31)
    user_id: str | None = Field(default=None, max_length=LONGEST_NAME)


class PageQuery(PageRequest):
    """A request for a page, in an address; `user_id` is as whom the caller asks."""

    model_config = ConfigDict(defer_build=False)

    user_id: str | None = Field(default=None, max_length=LONGEST_NAME)


class PinRequest(RequestValue):
    """Whether details never expire."""

    pinned: bool


@router.post("", responses=gives(KeptDetail))
def store_memory(state: StateThere, caller: CallerThere, wanted: NewDetail) -> Response:
    """Store a text, and get what stands for it in the context. An agent stores for its sessions, or for its user.

    A text of at most store.threshold tokens, or no longer than its placeholder, is not stored: it comes back as it is,
    without a key, and `notice` says so.
    """
    if wanted.scope is DetailScope.GLOBAL and not caller.is_person:
        raise HTTPException(HTTPStatus.FORBIDDEN, "Only a person stores a text for all agents.")
    place = Placement(
        agent_id=caller.agent,
        thread_id=wanted.thread_id,
        user_id=wanted.user_id,
        scope=wanted.scope,
        by_person=caller.is_person,
    )
    request = KeepRequest(
        wanted.content,
        description=wanted.description,
        type=wanted.type.type if wanted.type else None,
        command=wanted.command,
        exit_code=wanted.exit_code,
        placement=place,
        pinned=wanted.type is not None and wanted.type.is_pinned,
    )
    return answer(state.details.keep(request).report)


@router.get("", responses=gives(list[ListedDetail]))
def details(state: StateThere, caller: CallerThere, wanted: Annotated[DetailsQuery, Query()]) -> Response:
    """The newest details that the caller may read, as `memory store list --json`; a header has how many there are."""
    choice = DetailFilter(thread_id=wanted.thread_id, words=wanted.words, reader=reader_of(caller, wanted.user_id))
    kept = list_details(state.store, choice, wanted.limit, wanted.skip)
    response = answer([listed_detail(detail) for detail in kept])
    response.headers[TOTAL] = str(count_details(state.store, choice))
    return response


@router.get("/{memory_key}", responses=gives(DetailPage))
def page(state: StateThere, caller: CallerThere, memory_key: str, wanted: Annotated[PageQuery, Query()]) -> Response:
    """A page of a detail: some lines, those with a query, or one page after another."""
    return answer(state.details.retrieve(memory_key, wanted, reader_of(caller, wanted.user_id)))


@router.patch("/{memory_key}", responses=gives(PinnedDetails))
def keep_for_good(
    state: StateThere, caller: CallerThere, reader: ReaderThere, memory_key: str, wanted: PinRequest
) -> Response:
    """Pin a detail, so that it never expires, or unpin it. An agent may only do so with its own."""
    detail = show(state.store, memory_key, reader)
    if not caller.is_person and detail.placement.agent_id != caller.agent:
        raise HTTPException(HTTPStatus.FORBIDDEN, "This text is not the agent's own; a person may pin or unpin it.")
    return answer(PinnedDetails((detail.key,), pin(state.store, [detail.key], pinned=wanted.pinned), wanted.pinned))


@router.delete("/{memory_key}", responses=gives(PrunedDetails))
def erase(_person: PersonThere, state: StateThere, reader: ReaderThere, memory_key: str) -> Response:
    """Take a detail away for good; only a person may."""
    return answer(erase_detail(state.store, state.context, show(state.store, memory_key, reader)))
