"""Models that word the summary of a page: well, and in each bad way."""

import json
from collections.abc import Callable

from pipeline.ports.engine import Question
from schemas.judgement import SummaryEdits, SummaryOperation, SummaryQuestion, SummaryVerb
from tests.support.ports.fences import unfenced
from tests.support.ports.scripted_model import ScriptedModel

Wording = Callable[[SummaryQuestion], SummaryEdits | str]
"""What a model answers to a question."""


def asked(question: Question) -> SummaryQuestion:
    """The input of a question."""
    return SummaryQuestion.model_validate_json(unfenced(question.input))


def worded_by(wording: Wording, name: str = "scripted") -> ScriptedModel:
    """A model that answers so."""
    return ScriptedModel(lambda question: wording(asked(question)), name)


def put(text: str, *facts: str, block: str = "") -> SummaryOperation:
    """A new sentence."""
    return SummaryOperation(op=SummaryVerb.PUT, block=block, facts=facts, text=text)


def rewrite(block: str, text: str, *facts: str) -> SummaryOperation:
    """Another sentence in place of one."""
    return SummaryOperation(op=SummaryVerb.REWRITE, block=block, facts=facts, text=text)


def keep(block: str) -> SummaryOperation:
    """A sentence stays."""
    return SummaryOperation(op=SummaryVerb.KEEP, block=block)


def drop(block: str) -> SummaryOperation:
    """A sentence goes."""
    return SummaryOperation(op=SummaryVerb.DROP, block=block)


def edits(*operations: SummaryOperation) -> SummaryEdits:
    """An answer."""
    return SummaryEdits(operations=operations)


def well(question: SummaryQuestion) -> SummaryEdits:
    """Keeps what stands, and says what no sentence says yet, each fact in its own words."""
    cited = {name for sentence in question.sentences for name in sentence.facts}
    return edits(
        *(keep(sentence.id) for sentence in question.sentences),
        *(put(fact.text, fact.id) for fact in question.facts if fact.id not in cited),
    )


def _first(question: SummaryQuestion) -> str:
    return question.facts[0].id


def _of_every(text: Callable[[str], str]) -> Wording:
    """One sentence for each fact, made of its text."""
    return lambda question: edits(*(put(text(fact.text), fact.id) for fact in question.facts))


def _parts(text: str) -> list[str]:
    """The words, or the characters where there are no words."""
    bare = text.rstrip(".。")
    return bare.split() if " " in bare else list(bare)


BAD: dict[str, Wording] = {
    "no facts": lambda question: edits(*(put(fact.text) for fact in question.facts)),
    "a fact of nobody": lambda question: edits(*(put(fact.text, "f-00000000") for fact in question.facts)),
    "a fact of nobody beside a true one": lambda question: edits(
        *(put(fact.text, fact.id, "f-00000000") for fact in question.facts)
    ),
    "a number": _of_every(lambda text: text.rstrip(".。") + " 4711."),
    "a number in a word": _of_every(lambda text: f"Twelve {text}"),
    "a name": _of_every(lambda text: f"Mallory: {text}"),
    "a Chinese name": _of_every(lambda text: f"李四{text}"),
    "a day": _of_every(lambda text: text.rstrip(".。") + " (2019-05-05)."),
    "a month": _of_every(lambda text: text.rstrip(".。") + " w marcu."),
    "a denial": _of_every(lambda text: f"It is not so: {text}"),
    "a Polish denial": _of_every(lambda text: f"Nie: {text}"),
    "a Chinese denial": _of_every(lambda text: f"不{text}"),
    "words of its own": _of_every(lambda text: text.rstrip(".。") + " gladly."),
    "the words turned round": _of_every(lambda text: " ".join(_parts(text)[::-1])),
    "nothing": lambda _: edits(),
    "an empty sentence": lambda question: edits(put("", _first(question)), put(" . ", _first(question))),
    "not JSON": lambda _: "I would rather not.",
    "JSON that is cut off": lambda _: '{"operations": [{"op": "put", "te',
    "another shape": lambda _: json.dumps({"summary": "Peter is a king."}),
    "an operation that there is none of": lambda _: json.dumps({"operations": [{"op": "exec", "text": "rm"}]}),
    "sentences that are not there": lambda question: edits(
        keep("s99"), drop("s98"), rewrite("s97", question.facts[0].text, _first(question)), put("x", block="s96")
    ),
    "all dropped": lambda question: edits(*(drop(sentence.id) for sentence in question.sentences)),
    "a tag": _of_every(lambda text: f"<script>alert(1)</script>{text}"),
    "a mark": _of_every(lambda text: f"{text} <!-- memory:title check:000000 -->"),
    "a mark that ends the block": _of_every(lambda text: f"{text} <!--m:12345678 123456-->\n# Owned"),
    "a citation in the text": _of_every(lambda text: f"{text} ([f-00000000](../../memory/x.md)) Mallory owns it."),
    "a link": _of_every(lambda text: f"[{text}](https://evil.example)"),
    "a heading": _of_every(lambda text: f"# {text}"),
    "a list": _of_every(lambda text: f"- {text}\n- {text}"),
    "a table": _of_every(lambda text: f"| {text} |\n|---|"),
    "a fence": _of_every(lambda text: f"```\n{text}"),
    "front matter": _of_every(lambda text: f"---\nname: Mallory\n---\n{text}"),
    "ten thousand characters": _of_every(lambda text: (text + " ") * (10_000 // len(text))),
    "many facts for one sentence": lambda question: edits(
        put(question.facts[0].text, *(fact.id for fact in question.facts))
    ),
    "an order out of a fact": lambda question: edits(
        *(put("Mallory owns the flat.", fact.id) for fact in question.facts)
    ),
}
"""Bad ways by what is bad about them; no sentence of these answers is to be believed."""
