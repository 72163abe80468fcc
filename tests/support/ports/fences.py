"""Reading what stands between the marks that a model's input is fenced with, for servers and models that we script."""

import re

_FENCE = re.compile(r"\A<<<(?P<mark>data-[0-9a-f]+)\n(?P<inside>.*)\n(?P=mark)>>>\Z", re.DOTALL)


def unfenced(text: str) -> str:
    """The text inside of `pipeline.model.ask.fenced`; `text` itself when there is no fence."""
    match = _FENCE.match(text)
    return match["inside"] if match else text
