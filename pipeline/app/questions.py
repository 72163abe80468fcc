"""The questions to the index: every surface asks them here, and so does a command where there is no service."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeVar

from pipeline.app.index import OpenIndex
from pipeline.app.requests import check_request
from pipeline.app.said_readers import SaidReader, access_of
from pipeline.app.turns import Turns
from pipeline.clock import local_day, stopwatch
from pipeline.errors import Held, IndexUnavailable, LedgerDamaged, WriteFailed
from pipeline.index.said.get import read_said
from pipeline.index.said.request import SaidAccess
from pipeline.index.said.search import SaidAnswer, search_said
from pipeline.index.said.standing import marked_hits
from pipeline.index.search.fresh_search import Answering
from pipeline.index.search.get import read_place
from pipeline.index.search.query import encodable
from schemas.hit import Answer, Hit, Reach
from schemas.reports.recall import Recalled
from schemas.requests import PlaceRequest, RecallRequest, SearchRequest
from schemas.said import ADDRESS, SaidHit, SaidPage
from schemas.settings import Settings
from schemas.tier import Tier

_Wanted = TypeVar("_Wanted", SearchRequest, RecallRequest)


class Questions:
    """Answers questions by an open index; from several threads, a few at a time."""

    def __init__(
        self,
        opened: OpenIndex,
        turns: Turns | None = None,
        settings: Callable[[], Settings] | None = None,
        update: Callable[[], tuple[str, ...]] | None = None,
    ) -> None:
        """`settings` gives those of now, by which a reader may be shown what was said.

        `update` takes in what was said before a question, and gives notes; without it another process does.
        """
        self._searching, self._said = opened.searching, opened.said.searching
        self._settings = settings or (lambda: opened.settings)
        self._update = update or (lambda: ())
        self._answering = Answering(opened.indexing, opened.searching)
        self._of_details = Answering(opened.details.indexing, opened.details.searching)
        self._turns = turns or Turns()
        self._project_named, self._going_by = opened.project_named, opened.going_by

    @property
    def today(self) -> date:
        """The day now, in the zone of the workspace."""
        return local_day(self._searching.clock.now(), self._searching.zone)

    def search(self, request: SearchRequest) -> Answer:
        """The hits of a question."""
        wanted = self._in_projects(request)
        with self._turns.hold_place(ranked_again=wanted.rerank):
            if wanted.tier is Reach.SAID:
                return self._with_said(wanted, Answer(query=encodable(wanted.query), hits=()))
            answering = self._of_details if wanted.tier is Reach.DETAIL else self._answering
            return self._with_said(wanted, answering(wanted))

    def _with_said(self, wanted: SearchRequest, answer: Answer) -> Answer:
        """The answer with what was said; when that alone is asked for, with the notes on it."""
        alone = wanted.tier is Reach.SAID
        if not (wanted.asks_for_said and self._settings().search.said):
            off = ("What was said is not searched: search.said is off.",) if alone else ()
            return answer.model_copy(update={"notes": (*answer.notes, *off)}) if off else answer
        began, notes, hits, said = stopwatch(), self._update(), tuple[SaidHit, ...](), SaidAnswer()
        try:
            projects = tuple(whole for name in wanted.project for whole in self._going_by(name))
            limited = wanted.model_copy(update={"project": projects})
            said = search_said(self._said, limited, self._access(wanted))
            if said.hits:
                notes += self._answering.freshen_index() if alone else ()
                hits = marked_hits(self._said, self._searching.for_reader(wanted.reader), said.hits, wanted.as_of)
        except (Held, IndexUnavailable, LedgerDamaged, WriteFailed) as error:  # the memory has answered
            notes += (f"What was said could not be looked through. {error}",)
        return answer.model_copy(
            update={
                "said": hits,
                "notes": (*answer.notes, *((notes or said.notes) if alone else notes)),
                "reached": (Tier.SAID,) if alone else answer.reached,
                "milliseconds": round(answer.milliseconds + 1000 * (stopwatch() - began), 3),
            }
        )

    def _access(self, asked: SearchRequest | PlaceRequest) -> SaidAccess:
        project = self._project_named(asked.folder) if asked.folder else None
        return access_of(self._settings(), SaidReader(asked.reader, asked.client, project))

    def recall(self, request: RecallRequest) -> Recalled:
        """Facts."""
        wanted = self._in_projects(request)
        with self._turns.hold_place():
            return self._answering.recall_facts(wanted)

    def _in_projects(self, wanted: _Wanted) -> _Wanted:
        """The request with the names of projects in place of folders."""
        return wanted.model_copy(update={"project": tuple(map(self._project_named, wanted.project))})

    def get(self, request: PlaceRequest) -> Hit | SaidPage:
        """The lines of a place; of what was said a page."""
        with self._turns.hold_place():
            if request.place.startswith(ADDRESS):
                memory = self._searching.for_reader(request.reader)
                return read_said(self._said, memory, request.place, self._access(request))
            return read_place(self._searching, request.place, request.reader)


class JsonQuestions:
    """Questions of surfaces that have JSON: the fields of a request come in, and JSON goes out."""

    def __init__(self, questions: Questions) -> None:
        """`questions` answers."""
        self._questions = questions

    def search(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """An `Answer`, by the fields of a `SearchRequest`."""
        return self._questions.search(check_request(SearchRequest, fields, self._questions.today)).model_dump(
            mode="json"
        )

    def recall(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """A `Recalled`, by the fields of a `RecallRequest`."""
        return self._questions.recall(check_request(RecallRequest, fields, self._questions.today)).model_dump(
            mode="json"
        )

    def get(self, place: str, asker: Mapping[str, str] | None = None) -> dict[str, Any]:
        """A `Hit`, or a `SaidPage`; `asker` has the fields of a `PlaceRequest` that say who asks."""
        return self._questions.get(check_request(PlaceRequest, {"place": place, **(asker or {})})).model_dump(
            mode="json"
        )
