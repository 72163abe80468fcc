"""What a server refuses, read from the words of many servers: there is no common code for most of it."""

import json
import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import openai

_READ = 4_000
"""Characters of an error that are read: some servers repeat the whole question in it."""

_CODES = re.compile(r"context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_length")
_LONG = re.compile(
    r"context[ _-]?(?:length|size|window|limit|overflow)|max_model_len"
    r"|\b(?:prompt|inputs?|request|messages?|payload)\b.{0,60}\btoo (?:long|large|many|big)"
    r"|\btoo many (?:input |prompt )?tokens|\btokens?\b.{0,80}\b(?:exceed|maximum|must be <=|at most|limit)"
    r"|\bexceed\w*.{0,80}\btokens?\b|\breduce the (?:length|size)|\brequest entity too large",
    re.DOTALL,
)
_RATE = re.compile(r"per[ _]min|per[ _]day|\btp[md]\b|rate.?limit|quota")
_MAY_BE_LONG = frozenset({0, 400, 413, 422, 500})


@dataclass(frozen=True)
class Refusal:
    """An error that a server answers with. `status` is 0 where it names none; `words` are all of it, in small letters.

    Only this module reads the words: they may repeat the question, or the key.
    """

    status: int
    words: str
    param: str = ""
    context: int = 0

    @classmethod
    def of(cls, error: "openai.APIStatusError") -> Self:
        """The refusal by a status."""
        return cls._read(error.status_code, error.body)

    @classmethod
    def inside(cls, completion: object) -> Self | None:
        """The error in the place of an answer, as proxies hand it on with status 200; `None` when there is none."""
        choices = getattr(completion, "choices", None)
        places = [completion, *(choices[:1] if isinstance(choices, list) else [])]
        error = next(filter(None, (getattr(place, "error", None) for place in places)), None)
        code = error.get("code") if isinstance(error, dict) else None
        return cls._read(code if isinstance(code, int) else 0, error) if error else None

    @classmethod
    def _read(cls, status: int, body: object) -> Self:
        fields = body if isinstance(body, dict) else {}
        context, param = fields.get("n_ctx"), fields.get("param")
        words = json.dumps(body, ensure_ascii=False, default=str)[:_READ].lower()
        return cls(status, words, param if isinstance(param, str) else "", context if isinstance(context, int) else 0)

    @property
    def is_too_long(self) -> bool:
        """Whether the question is longer than the server or its model can take."""
        if self.status not in _MAY_BE_LONG or _RATE.search(self.words):
            return False
        return self.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or bool(
            _CODES.search(self.words) or _LONG.search(self.words)
        )

    @property
    def is_busy(self) -> bool:
        """Whether there are too many requests."""
        return self.status == HTTPStatus.TOO_MANY_REQUESTS or (not self.status and bool(_RATE.search(self.words)))

    @property
    def minds_temperature(self) -> bool:
        """Whether the model has a temperature of its own; proxies say so in words alone."""
        return self.param == "temperature" or "temperature" in self.words

    @property
    def is_about_request(self) -> bool:
        """Whether another request may be taken: the server read it, and minds something in it."""
        return self.status in {400, 422}

    @property
    def broke_down(self) -> bool:
        """Whether the server failed at the request, as some do at a schema that they cannot make a grammar of."""
        return self.status in {500, 501}
