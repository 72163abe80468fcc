"""The expected errors of forgetting a topic, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError
from schemas.reports.corrections import TopicTraces

_SHOWN = 3


class NoTopic(PipelineError):
    """What is to be forgotten is no name."""

    exit_code = 2

    def __init__(self, name: str) -> None:
        """`name` has neither a letter nor a digit."""
        super().__init__(f"{name!r} names nothing. Say what to forget: a name, or some words in a row.")


class TopicUnknown(PipelineError):
    """Nothing of ours has the names of a topic."""

    exit_code = 2

    def __init__(self, seen: TopicTraces) -> None:
        """`seen` is what else was found: lines of people, and words that may mean it too."""
        names = " or ".join(f'"{name}"' for name in seen.names)
        alike = f" These words are alike; name the ones that you mean: {', '.join(seen.alike)}." if seen.alike else ""
        places = ", ".join(line.where for line in seen.kept[:_SHOWN])
        kept = f" It stands in lines that people wrote, which only people take out: {places}." if places else ""
        nothing = "" if alike or kept else " Try another form of the word: only whole words count."
        super().__init__(f"Nothing that the memory wrote has {names}.{alike}{kept}{nothing}")
