"""The parts of a content in the shape of Google's API: an object with `text`, `thought` or `functionResponse` each."""

from pipeline.adapters.sources.reading.records import Record, blocks, clean, mapping

_KNOWN = frozenset(
    {"text", "thought", "thoughtSignature", "functionCall", "functionResponse", "inlineData", "fileData",
     "executableCode", "codeExecutionResult", "videoMetadata", "partMetadata"}
)  # fmt: skip


def part_texts(content: object) -> list[str]:
    """The texts of a content: a string, one part, or a list of either. Thoughts and empty texts are left out."""
    pieces = content if isinstance(content, list) else [content]
    said = [piece if isinstance(piece, str) else _text(mapping(piece)) for piece in pieces]
    return [clean(text) for text in said if text and not text.isspace()]


def _text(part: Record) -> str:
    text = part.get("text")
    return text if isinstance(text, str) and not part.get("thought") else ""


def result_texts(content: object) -> list[str]:
    """The texts that tools gave back, in the `functionResponse` parts of a content."""
    responses = [mapping(mapping(part.get("functionResponse")).get("response")) for part in blocks(content)]
    given = [response.get("output") or response.get("error") for response in responses]
    return [clean(text) for text in given if isinstance(text, str) and text and not text.isspace()]


def is_result(content: object) -> bool:
    """Whether a tool gave a content back: a program can put the texts of a result beside its `functionResponse`."""
    return any("functionResponse" in part for part in blocks(content))


def unknown_parts(content: object) -> list[str]:
    """The names of the parts that are none of the known ones."""
    return [next(iter(part), "") for part in blocks(content) if not _KNOWN.intersection(part)]
