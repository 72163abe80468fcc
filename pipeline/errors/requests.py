"""Requests that cannot be met as they are, whoever makes them: a command line, an agent or another program."""

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
