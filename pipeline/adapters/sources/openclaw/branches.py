"""The tree of a session's entries: which of them lead to the last one.

An entry names its parent. A person who rewinds, and an agent that rewrites history, leave entries that the last one
does not come from: a dead branch. The rules are those of OpenClaw and Pi:

- An entry becomes the last one of its session, unless it is of a kind of a plugin's, or appended at the side.
- `leaf` makes another entry the last one: `targetId`, or none at all.
- An entry without `parentId`, as older versions wrote, follows the last one; so does one that follows what does not
  count as the last.
"""

from pipeline.adapters.sources.reading.records import Record, word

_NONE = -1  # the place of no entry: before the first one
_KINDS = frozenset(
    {
        "message",
        "thinking_level_change",
        "model_change",
        "compaction",
        "branch_summary",
        "custom",
        "custom_message",
        "label",
        "session_info",
    }
)


class Branches:
    """The entries noted so far, by their places from 0; ids and places alone are held.

    `branched` is set once an entry does not follow the last one.
    """

    def __init__(self, taken_back: frozenset[str] = frozenset()) -> None:
        """`taken_back` are ids of entries that are known to be on dead branches, from a later copy of the session."""
        self.branched = bool(taken_back)
        self._taken_back = taken_back
        self._places: dict[str, int] = {}
        self._parents: list[int] = []
        self._aside: set[int] = set()
        self._last = self._appended = _NONE
        self._lost = False

    def note(self, record: Record) -> None:
        """Takes the next entry of the file; one without an id, or of an id that was there before, has no place."""
        entry_id = record.get("id")
        if not isinstance(entry_id, str) or entry_id in self._places or record.get("type") == "session":
            return
        if record.get("type") == "leaf":
            self._turn(entry_id, record)
            return
        side = record.get("appendMode") == "side"
        parent = self._parent(record, side=side)
        place = self._add(entry_id, parent)
        self._appended = place
        if side or word(record.get("type")) not in _KINDS:
            self._aside.add(place)
        else:
            self.branched = self.branched or parent != self._last
            self._last = place

    def dead(self) -> frozenset[str]:
        """The ids of the entries on dead branches; none of them when the parents of some are not in the file."""
        if self._lost:
            return self._taken_back
        alive, place = bytearray(len(self._parents)), self._last
        while place != _NONE:
            alive[place] = True
            place = self._parents[place]
        for place in sorted(self._aside):  # what is aside stands and falls with what it is about
            alive[place] = self._parents[place] == _NONE or alive[self._parents[place]]
        return self._taken_back.union(entry_id for entry_id, place in self._places.items() if not alive[place])

    def _add(self, entry_id: str, parent: int) -> int:
        self._places[entry_id] = len(self._parents)
        self._parents.append(parent)
        return len(self._parents) - 1

    def _parent(self, record: Record, *, side: bool) -> int:
        if "parentId" not in record:
            return self._last
        if record["parentId"] is None:
            return _NONE
        parent = self._place(record["parentId"])
        if parent is None:
            # The first entry may follow one of another file; where another one stood, there may be branches.
            self._lost = self._lost or bool(self._parents)
            self.branched = self.branched or self._lost
            return self._last
        return self._last if parent == self._appended and not side else parent

    def _turn(self, entry_id: str, record: Record) -> None:
        """Makes the target of a `leaf` the last entry; one that names no entry of the file changes nothing."""
        target = self._place(record.get("targetId"))
        appended = self._place(record.get("appendParentId", record.get("targetId")))
        if target is None or appended is None or "targetId" not in record:
            self._aside.add(self._add(entry_id, self._last))
            return
        self._aside.add(self._add(entry_id, target))
        self.branched = self.branched or target != self._last
        self._last, self._appended = target, appended

    def _place(self, entry_id: object) -> int | None:
        """The place of an id, `_NONE` for no id, and `None` for one that is not known."""
        if entry_id is None:
            return _NONE
        return self._places.get(entry_id) if isinstance(entry_id, str) else None
