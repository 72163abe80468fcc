"""What questions to a model cost, in tokens."""

from schemas.base import Value


class Usage(Value):
    """The cost of some questions; tokens are the server's own count.

    `asked` are the questions put to the model, and `cached` those whose answer was known here, which cost nothing.
    `cached_tokens` are those of the input that the server still knew from an earlier question.
    """

    asked: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage(
            asked=self.asked + other.asked,
            cached=self.cached + other.cached,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
        )

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens
