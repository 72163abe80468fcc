"""The answer in a model's text: which JSON object counts, and which of its items fit the schema of the task.

Models put thoughts, sentences, fences and drafts around their answer. The final one counts: the last object outside of
thoughts that has a field of the schema. Items of its lists are judged one by one, so that one bad item costs only
itself.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Answer = TypeVar("Answer", bound=BaseModel)

# Thoughts, an answer behind a model's own mark for the end of its thoughts, or what may begin an object.
_THOUGHT = r"(?:think|thinking|thoughts?|reasoning|reflection|analysis)"
_CLOSING = re.compile(rf"</(?:\w+:)?{_THOUGHT}>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>", re.IGNORECASE)
_OPENING = re.compile(rf"<(?:\w+:)?{_THOUGHT}>|\[THINK\]|◁think▷", re.IGNORECASE)
_MARK = re.compile(
    rf"(?P<opening>{_OPENING.pattern})|(?P<closing>{_CLOSING.pattern})|\{{(?=\s*+[\"}}])|\[(?=\s*+\{{)", re.IGNORECASE
)
_FIRST_NAME = re.compile(r'\{\s*"(\w+)"')

_LABELS = frozenset({"title", "subject", "why", "reason"})
"""Fields that only name or explain: if they are too long, they are clipped. A clipped statement would be none."""
_DECODER = json.JSONDecoder(strict=False)  # many models break lines inside a string
_MOST_BROKEN = 200
"""The number of truncated objects after which a text is given up: the decoder reads each text before them again."""
_ROUNDS = 4  # what is mended may show another fault of the same item
_NAMED_PROBLEMS = 3
_NO_ITEM = frozenset({"missing", "model_type", "model_attributes_type"})


@dataclass(frozen=True)
class UnfitItem:
    """An item of an answer that its schema refuses: where it stood, and the kind of the problem, never its words."""

    item: object
    problem: str

    @property
    def number(self) -> int:
        """The number of the message that it names first; 0 without a number."""
        fields = self.item if isinstance(self.item, dict) else {}
        named = [fields.get("quote_number"), *_as_list(fields.get("numbers"))]
        return next((number for number in named if type(number) is int and number > 0), 0)


@dataclass(frozen=True)
class ReadAnswer(Generic[Answer]):
    """The answer in a text. Without a `value` it is no answer, and `problem` has the reason.

    `text` is the object that counts, as JSON. `unfit` are the items that were left out of the value, and `clipped` is
    the number of labels that were too long. With a value, a `problem` says that no item of any list was left.
    """

    value: Answer | None
    text: str = ""
    unfit: tuple[UnfitItem, ...] = ()
    clipped: int = 0
    problem: str = ""


def read_answer(text: str, returns: type[Answer]) -> ReadAnswer[Answer]:
    """The answer in a model's text, in time that grows with its length alone."""
    final = _final_object(text, returns)
    if final is None:
        return ReadAnswer(None, problem="it holds no JSON object that has a field of the schema")
    try:
        kept = json.dumps(final, ensure_ascii=False, separators=(",", ":")).encode(errors="replace").decode()
        return replace(_AnswerFitting(json.loads(kept)).fit_to(returns), text=kept)
    except RecursionError:  # what is written out may be nested less deep than what is read
        return ReadAnswer(None, problem="it is nested too deep")


def join_answers(reads: Sequence[ReadAnswer[Answer] | None]) -> ReadAnswer[Answer] | None:
    """Join the answers to the parts of a question; `None` if a part has no answer.

    Every field of theirs is a list, and may become longer than an answer's.
    """
    fitting = [read for read in reads if read]
    values = [read.value for read in fitting if read.value is not None]
    if not values or len(values) < len(reads):
        return None
    fields = type(values[0]).model_fields
    lists = {name: tuple(chain.from_iterable(getattr(value, name) for value in values)) for name in fields}
    unfit = tuple(chain.from_iterable(read.unfit for read in fitting))
    return ReadAnswer(values[0].model_copy(update=lists), "", unfit, sum(read.clipped for read in fitting))


def _final_object(text: str, returns: type[BaseModel]) -> dict[str, Any] | None:
    """The last object outside of thoughts that has a field of the answer, or a bare list of the only field's items.

    `None` when there is none, and when a later one broke off: what stands before it is its draft.
    """
    fields = returns.model_fields.keys()
    if _decode(text) == {}:
        return {}
    final: dict[str, Any] | None = None
    for value in _outer_values(text, fields):
        if isinstance(value, dict) and not fields.isdisjoint(value):
            final = value
        elif value is None:
            final = None
        elif final is None and len(fields) == 1 and _as_list(value) and all(isinstance(item, dict) for item in value):
            final = dict.fromkeys(fields, value)
    return final


def _decode(text: str) -> object:
    """Decode the text as one JSON value; `None` if it is no JSON."""
    try:
        return _DECODER.decode(text.strip("\ufeff \t\r\n"))
    except (ValueError, RecursionError):
        return None


def _outer_values(text: str, fields: Collection[str]) -> Iterator[Any]:
    """The outermost JSON values outside of thoughts, and `None` for a mark that all before it does not count."""
    place = broken = 0
    while broken < _MOST_BROKEN and (mark := _MARK.search(text, place)):
        place = mark.end()
        if mark["opening"]:
            closing = _CLOSING.search(text, place)
            place = closing.end() if closing else len(text)
        elif mark["closing"]:
            yield None
        else:
            try:
                value, place = _DECODER.raw_decode(text, mark.start())
            except json.JSONDecodeError as error:
                # Nothing before the fault is read again: else a text of nested beginnings takes the square of its size.
                place, broken = max(place, error.pos), broken + 1
                first = _FIRST_NAME.match(text, mark.start())
                if first and first[1] in fields:
                    yield None
            except (ValueError, RecursionError):  # a number, or a nest, that Python refuses to read
                break
            else:
                yield value
    if mark:  # given up
        yield None


class _AnswerFitting:
    """A JSON object that is fitted to a schema: items that do not fit are removed, and noted."""

    def __init__(self, value: dict[str, Any]) -> None:
        self._value = value
        self._unfit: list[UnfitItem] = []
        self._clipped = 0
        self._nulls: set[tuple[int | str, ...]] = set()
        self._formless = True

    def fit_to(self, returns: type[Answer]) -> ReadAnswer[Answer]:
        """Fit the object to a schema. Returns the answer, or the problem.

        Where not a single item has the fields of one, the model speaks of something else.
        """
        problem = ""
        for _ in range(_ROUNDS):
            try:
                answer = returns.model_validate_json(json.dumps(self._value))
            except ValidationError as error:
                faults = error.errors(include_url=False)
                # Never the values: they may quote a person, and this goes into messages and logs.
                problem = "; ".join(
                    f"{_path(fault['loc']) or 'answer'}: {fault['type']}" for fault in faults[:_NAMED_PROBLEMS]
                )
                if not self._remove_faults(faults):
                    break
            else:
                empty = self._unfit and not any(_as_list(getattr(answer, name)) for name in returns.model_fields)
                if empty and self._formless:
                    return ReadAnswer(None, problem=problem)
                return ReadAnswer(answer, "", tuple(self._unfit), self._clipped, problem if empty else "")
        return ReadAnswer(None, problem=problem)

    def _remove_faults(self, faults: Iterable[ErrorDetails]) -> bool:
        """Correct or remove the faults. Returns whether all could be."""
        bad: dict[tuple[str, int], ErrorDetails] = {}
        for fault in faults:
            if not self._correct(fault):
                item = _item_of(fault["loc"])
                if item is None:
                    return False
                bad.setdefault(item, fault)
        for (name, place), fault in sorted(bad.items(), key=lambda removed: removed[0]):
            self._note(self._value[name][place], fault)
        for name, place in sorted(bad, reverse=True):  # from the end, so that the places of others hold
            del self._value[name][place]
        return True

    def _correct(self, fault: ErrorDetails) -> bool:
        """Correct a fault without loss of an item: an extra name, a null for "not said", a long label or list."""
        *path, last = fault["loc"] or ("",)
        holder: Any = self._value
        for step in path:
            holder = holder[step]
        match fault["type"]:
            case "extra_forbidden":
                del holder[last]
            case "string_too_long" if last in _LABELS:
                holder[last] = _clip(holder[last], fault["ctx"]["max_length"])
                self._clipped += 1
            case "too_long" if not path:
                most = fault["ctx"]["max_length"]
                self._unfit += [UnfitItem(item, f"{last}: too_long") for item in holder[last][most:]]
                self._formless = False
                del holder[last][most:]
            case _ if isinstance(holder, dict) and holder.get(last, "") is None:
                del holder[last]
                self._nulls.add(fault["loc"])
            case _:
                return False
        return True

    def _note(self, item: object, fault: ErrorDetails) -> None:
        null = fault["loc"] in self._nulls
        self._formless &= fault["type"] in _NO_ITEM and not null
        problem = f"{_path(fault['loc'][2:]) or 'item'}: {'null' if null else fault['type']}"
        self._unfit.append(UnfitItem(item, problem))


def _item_of(place: tuple[int | str, ...]) -> tuple[str, int] | None:
    """The list of the answer and the item in it that hold a place."""
    match place:
        case (str() as name, int() as index, *_):
            return name, index
        case _:
            return None


def _clip(text: str, most: int) -> str:
    """The beginning of a text, up to the end of a word if that leaves half of it."""
    short = text[: most - 1]
    head = short.rpartition(" ")[0]
    return (head if len(head) > most // 2 else short).rstrip(" ,;:-") + "…"


def _path(place: Iterable[int | str]) -> str:
    return ".".join(map(str, place))


def _as_list(value: object) -> list[Any] | tuple[Any, ...]:
    return value if isinstance(value, list | tuple) else []
