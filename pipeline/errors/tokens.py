"""The expected errors about tokens, in the manner of `pipeline.errors`."""

from pipeline.errors import PipelineError, UnknownName


class UnknownToken(UnknownName):
    """No token has this name."""

    sort = "token"
    listed = "`memory token list` lists the tokens"


class TokenNameTaken(PipelineError):
    """A token has this name already."""

    exit_code = 2

    def __init__(self, name: str) -> None:
        """`name` is the token's."""
        super().__init__(f"There is a token {name!r} already. Name this one otherwise, or revoke that one first.")


class TokensDamaged(PipelineError):
    """The file of the tokens cannot be read: nobody may call."""

    def __init__(self, path: str, reason: str) -> None:
        """`reason` is why."""
        super().__init__(f"The tokens in {path} cannot be read: {reason}. Remove the file, and add the tokens anew.")
