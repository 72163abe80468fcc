"""Which object of a model's text is its answer, and what is left of it when an item does not fit."""

import json
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.model.answers import ReadAnswer, read_answer
from schemas.extraction import Extraction
from schemas.links import LinkAnswer
from schemas.session_answer import MOST_FACTS, SessionAnswer, SessionExtraction
from tests.support.builders.long_texts import busy_at_most
from tests.support.tables import table

GOOD = {
    "kind": "decision",
    "title": "Port zamyka się o dziewiątej",
    "quote": "zamykamy o dziewiątej",
    "quote_number": 7,
    "conclusion": "Port zamyka się o dziewiątej.",
    "confidence": 0.9,
}
ANSWER = json.dumps({"candidates": [GOOD]}, ensure_ascii=False)
DRAFT = '{"candidates": []}'
FACT = {"operation": "CORE", "text": "a", "quote": "a", "quote_number": 3, "confidence": 1}


def read(text: str) -> ReadAnswer[Extraction]:
    """The answer to a question for candidates."""
    return read_answer(text, Extraction)


def candidates(*items: object) -> ReadAnswer[Extraction]:
    """The answer that holds these items."""
    return read(json.dumps({"candidates": items}))


AROUND: dict[str, Callable[[str], str]] = {
    "nothing": lambda answer: answer,
    "blanks": lambda answer: f" \n{answer}\n ",
    "a byte-order mark": lambda answer: f"\ufeff{answer}",
    "words before": lambda answer: f"Oto obiekt JSON, o który prosisz [1]:\n\n{answer}",
    "words after": lambda answer: f"{answer}\n\n希望这对您有帮助 {{ok}}。",
    "a fence": lambda answer: f"```json\n{answer}\n```",
    "a fence in words": lambda answer: f"Sure:\n```JSON \t\n{answer} ```\nBye",
    "an open fence": lambda answer: f"```json\n{answer}",
    "a fence of tildes": lambda answer: f"~~~\n{answer}\n~~~",
    "a fence and many spaces": lambda answer: "```\n" + " " * 200_000 + f"{answer}\n```",
    "a draft before": lambda answer: f"The form is\n```json\n{DRAFT}\n```\nThe answer is\n```json\n{answer}\n```",
    "a draft in thoughts": lambda answer: f"<think>\n```json\n{DRAFT}\n```\nNo, there is one.\n</think>\n{answer}",
    "thoughts without a beginning": lambda answer: f"Perhaps {DRAFT}? No.\n</think>\n\n{answer}",
    "thoughts in another mark": lambda answer: f"[THINK]{DRAFT}[/THINK]{answer}",
    "thoughts in a channel": lambda answer: (
        f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{answer}"
    ),
    "thoughts that name their mark": lambda answer: f"<think>I close <think> soon {DRAFT}</think></think>{answer}",
    "the schema": lambda answer: f'{{"properties": {{"candidates": {{"type": "array"}}}}}}\n{answer}',
}


@table("around", AROUND.values())
def test_what_stands_around_an_answer_does_not_matter(around: Callable[[str], str]) -> None:
    """The answer is found whole, and it is the final one."""
    assert (read(ANSWER).value, "") == (read(around(ANSWER)).value, read(around(ANSWER)).problem)


NO_ANSWERS = {
    "nothing": "",
    "a bare list": "[]",
    "no field": "no {} here",
    "thoughts only": f"<think>{ANSWER}",
    "thoughts that end": f"{ANSWER}</think>I cannot say.",
    "a draft of what broke off": f"A draft: {DRAFT}. The answer: {ANSWER[:-9]}",
    "words for the list": '{"candidates": "none"}',
    "another field": '{"decisions": []}',
}


@table("text", NO_ANSWERS.values())
def test_a_text_without_a_final_answer_is_none(text: str) -> None:
    """A thought, a draft whose final version broke off, or something else is never taken for "nothing found"."""
    assert (None, True) == (read(text).value, bool(read(text).problem))


def test_a_bare_list_of_items_is_taken_for_the_only_list_of_the_answer() -> None:
    """Small models leave out the object around it."""
    assert read(ANSWER).value == read(json.dumps([GOOD])).value


@pytest.mark.processor
@table(
    "text",
    ['{"a":' * 200_000, "{" * 300_000, '{"' * 300_000, "[{" * 300_000, "<think>" * 100_000, "{ " * 200_000,
     '{"a": 1} ' * 100_000, "{" + " " * 500_000, '{"a": ' + "9" * 5_000 + "}"],
)  # fmt: skip
def test_a_text_of_any_form_is_read_in_time(text: str) -> None:
    """No text takes the square of its length, and none is an error."""
    with busy_at_most(10):
        assert read(text).value is None


def test_an_answer_of_any_depth_is_read() -> None:
    """At one depth JSON can be read, and not written any more."""
    texts = [f'{{"candidates": {"[" * depth}{"]" * depth}}}' for depth in range(sys.getrecursionlimit())]
    assert [] == [depth for depth, text in enumerate(texts) if depth > 1 and not read(text).problem]


@given(st.text(alphabet='{}[]":,\\ <>/think\ufeff0a'))
def test_any_text_is_read(text: str) -> None:
    """Whatever a model says is an answer or none."""
    assert (read(text).value is None) == bool(read(text).problem)


UNFIT = {
    "a null": ({"title": None}, "title: null"),
    "an unknown kind": ({"kind": "preference"}, "kind: enum"),
    "a bad number": ({"quote_number": "seven"}, "quote_number: int_parsing"),
    "a number in a list": ({"support_numbers": [1, None]}, "support_numbers.1: int_type"),
    "a share": ({"confidence": 95}, "confidence: less_than_equal"),
    "no number": ({"confidence": float("nan")}, "confidence: less_than_equal"),
    "an empty quote": ({"quote": ""}, "quote: string_too_short"),
}


@table(("fault", "problem"), UNFIT.values())
def test_an_item_that_does_not_fit_costs_only_itself(fault: dict[str, object], problem: str) -> None:
    """It is left out and told by its fault and its message, never by its words; the others count."""
    answer = candidates(GOOD, GOOD | fault, GOOD)
    assert answer.value
    assert (2, [problem]) == (len(answer.value.candidates), [one.problem for one in answer.unfit])


def test_an_unfit_item_names_its_message() -> None:
    """By the number of its quote, or the first of its numbers; without either it is 0."""
    point = {"part": "loop", "text": "a", "numbers": [1]}
    points = [point, point | {"numbers": [8, "x"]}, point | {"numbers": "8"}, point | {"numbers": []}, "words"]
    assert [7] == [one.number for one in candidates(GOOD, GOOD | {"title": None}).unfit]
    assert [8, 0, 0, 0] == [one.number for one in read_answer(json.dumps({"points": points}), SessionAnswer).unfit]


def test_what_can_be_put_right_costs_no_item() -> None:
    """A title that is too long is clipped and counted, a null is "not said", and a name nobody asked for goes."""
    answer = candidates(GOOD | {"title": "bardzo długi " * 20, "why": None, "support_numbers": None, "note": {"a": 1}})
    assert answer.value
    [candidate] = answer.value.candidates
    assert ((), 1, "not stated", ()) == (answer.unfit, answer.clipped, candidate.why, candidate.support_numbers)
    assert (True, "długi…") == (len(candidate.title) <= 120, candidate.title[-6:])


def test_half_a_character_costs_no_answer() -> None:
    """Half of a surrogate pair, which some servers send, is replaced."""
    assert candidates(GOOD | {"why": "\ud83d"}).value == candidates(GOOD | {"why": "?"}).value


def test_a_list_that_is_too_long_keeps_its_beginning() -> None:
    """The rest is told."""
    answer = read_answer(json.dumps({"facts": [FACT] * (MOST_FACTS + 2)}), SessionAnswer)
    assert answer.value
    assert (MOST_FACTS, ["facts: too_long"] * 2) == (len(answer.value.facts), [one.problem for one in answer.unfit])


def test_a_statement_is_not_cut() -> None:
    """One that is too long is left out: without its end it may say the opposite."""
    answer = read_answer(json.dumps({"facts": [FACT, FACT | {"text": "a" * 401}]}), SessionExtraction)
    assert ["text: string_too_long"] == [one.problem for one in answer.unfit]


def test_the_reason_of_a_link_is_clipped() -> None:
    """A link with a verdict that is none costs only itself."""
    link = {"later": "n1", "earlier": "k1", "verdict": "same", "reason": "x " * 300}
    answer = read_answer(json.dumps({"links": [link, link | {"verdict": "alike", "reason": ""}]}), LinkAnswer)
    assert (1, 1, 1) == (len(answer.value.links) if answer.value else 0, answer.clipped, len(answer.unfit))
