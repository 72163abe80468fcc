"""What a series of runs will take, told before it begins: exact as far as it can be known, nothing asked or written."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.engine import Engine
from pipeline.foreseeing import OUTPUT_SHARE, Partitioned, Spoken, foresee, size_of
from pipeline.job import OFFLINE
from schemas.settings import ModelSettings

_MILLION = 1_000_000


@dataclass(frozen=True)
class Estimate:
    """What a plan comes to. Questions that build on what is not known yet come on top.

    `answered` are the questions with a cached answer, which cost nothing; `input_tokens` are an exact count of what is
    sent for the others, and `output_tokens` a guess. `cost` is in `currency`; `None` when the settings name no price.
    `model` is `offline` when none is asked.
    """

    partitions: int
    sessions: int
    model: str = OFFLINE
    questions: int = 0
    answered: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    currency: str = ""


def estimate(engine: Engine, plan: Sequence[Partitioned]) -> Estimate:
    """What a plan will take. The catalog must have been refreshed."""
    spoken = Spoken(engine)
    reading = [each for each in plan if each.job.reads.transcripts]
    asker, asked, answered = engine.asker(), dict[str, int](), set[str]()
    for partition in reading if asker.model else ():
        engine.safe_point()
        if spoken.during(partition.window):
            foreseen = foresee(engine, partition, asker)
            answered |= foreseen.answered
            asked |= {key: size_of(task) for key, task in foreseen.asked.items() if key not in asked}
    tokens = sum(asked.values())
    output = round(tokens * OUTPUT_SHARE)
    return Estimate(
        partitions=len(plan),
        sessions=spoken.sessions([each.window for each in reading]),
        model=asker.way,
        questions=len(asked),
        answered=len(answered),
        input_tokens=tokens,
        output_tokens=output,
        cost=_cost(engine.settings.model, tokens, output),
        currency=engine.settings.model.currency,
    )


def _cost(model: ModelSettings, tokens: int, output: int) -> float | None:
    if not model.configured or not (model.input_price or model.output_price):
        return None
    return (tokens * model.input_price + output * model.output_price) / _MILLION
