"""The words of a rollout, each once: Codex writes a text down as the model's item, and again as an event."""

from collections import deque
from dataclasses import dataclass

from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.speakers.codex import is_image_mark, request_in, typed
from schemas.transcript import Origin, Role

RESPONSE, EVENT, ITEM = "response", "event", "item"
"""The records that a text stands in: an item of the model's input or output, an event, an item of the turn."""

_NEAR = 12  # texts between the two records of one


@dataclass(slots=True)
class _SpokenText:
    draft: DraftMessage
    text: str
    records: set[str]


class SpokenTexts:
    """Takes texts in the order of the file, and keeps of each the first record's place."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._recent: deque[_SpokenText] = deque(maxlen=_NEAR)
        self._doubtful: list[DraftMessage] = []
        self._answers: set[int] = set()

    def add(self, draft: DraftMessage, record: str) -> None:
        """Adds a text of the person or the assistant that stands in a record of the kind `record`."""
        draft.parts = [part for part in draft.parts if not is_image_mark(part)]
        text = "".join(request_in("".join(draft.parts)).split())
        twin = next((near for near in reversed(self._recent) if _is_twin(near, draft, text, record)), None)
        if twin:
            twin.records.add(record)
            twin.draft.ids += draft.ids
        else:
            self._assembly.add(draft)
            self._recent.append(_SpokenText(draft, text, {record}))
        if draft.role is Role.USER:
            self._speak(twin.draft if twin else draft, draft.parts, surely=record != RESPONSE)

    def _speak(self, draft: DraftMessage, parts: list[str], *, surely: bool) -> None:
        """Sets a user text's origin: what stands right before a person's input was put there by Codex.

        An item alone is a person's only as far as its text shows: early versions wrote no other record of words typed
        while the agent was busy.
        """
        if surely:
            for other in self._doubtful:
                other.origin = Origin.MACHINE if other.origin is Origin.OWNER else other.origin
            self._doubtful.clear()
        elif draft.origin is Origin.OWNER and parts:
            self._doubtful.append(draft)
        judged = [typed(part, surely=surely) for part in parts]
        said = [text for origin, text in judged if origin is Origin.OWNER]
        draft.origin = Origin.OWNER if said or not judged else judged[0][0]
        draft.parts = said or parts

    def add_answer(self, draft: DraftMessage) -> None:
        """Adds what the person answered within a turn: it begins no other turn, and is taken back with its own."""
        self._assembly.add(draft)
        self._answers.add(draft.number)

    def settle(self) -> None:
        """The turn goes on: what was said so far stays as it is."""
        self._doubtful.clear()

    def roll_back(self, turns: int) -> None:
        """Takes back the last turns of the person, with all that answers them."""
        drafts = self._assembly.drafts
        begun = [draft.origin is Origin.OWNER and draft.number not in self._answers for draft in drafts]
        spoken = [place for place, begins in enumerate(begun) if begins]
        if turns < 1 or not spoken:
            return
        gone = drafts[spoken[-min(turns, len(spoken))] :]
        del drafts[len(drafts) - len(gone) :]
        self._assembly.calls.keep(lambda evidence: evidence.number < gone[0].number)
        self._recent.clear()
        self._doubtful.clear()
        self._assembly.skipped["rolled_back"] += len(gone)


def _is_twin(written: _SpokenText, draft: DraftMessage, text: str, record: str) -> bool:
    return written.draft.role is draft.role and written.text == text and record not in written.records
