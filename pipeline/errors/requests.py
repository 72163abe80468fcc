"""Requests that cannot be met as they are, whoever makes them: a command line, an agent or another program."""

from collections.abc import Mapping

from pipeline.errors import PipelineError


class RequestRefused(PipelineError):
    """A field of a request has a value that makes no sense now."""

    exit_code = 2

    def __init__(self, field: str, sentence: str) -> None:
        """`sentence` has `{field}` where the field is named: each surface calls it by its own name."""
        self.field, self.sentence = field, sentence
        super().__init__(self.worded(field))

    def worded(self, name: str) -> str:
        """The sentence with the field's name on a surface."""
        return self.sentence.replace("{field}", name)


class NothingToRead(PipelineError):
    """A back-fill of a job that reads transcripts has no source that can be read."""

    exit_code = 2

    def __init__(self, reasons: Mapping[str, str]) -> None:
        """`reasons` are why each source cannot be listed, by its name; empty when the settings name none."""
        why, advice = "memory.toml names no [[sources]]", "Add one; `memory config check` says what is read of it."
        if reasons:
            why = f"none of the sources can be read ({'; '.join(f'{name}: {text}' for name, text in reasons.items())})"
            advice = "`memory doctor` says what mends it."
        super().__init__(f"There is nothing to fill back from: {why}. {advice}")
