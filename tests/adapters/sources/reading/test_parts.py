"""Contents in the shape of Google's API."""

from pipeline.adapters.sources.reading.records import part_texts, result_texts, unknown_parts


def test_texts_of_every_shape() -> None:
    """A string, a part, and a list of either."""
    shapes: list[object] = ["a", {"text": "a"}, ["a"], [{"text": "a"}, {"text": "b", "thought": True}, {"text": " "}]]
    assert [["a"]] * 4 == [part_texts(shape) for shape in shapes]
    others: list[object] = [None, 5, {}, [None, 5, []], [{"text": 5}]]
    assert [[]] * 5 == [part_texts(shape) for shape in others]


def test_results_of_tools() -> None:
    """What went wrong is a result, too."""
    parts = [{"functionResponse": {"response": {key: key}}} for key in ("output", "error", "other")]
    assert ["output", "error"] == result_texts([*parts, {"functionResponse": 5}, None])


def test_unknown_parts_are_named() -> None:
    """Whoever reads the counts sees what is new."""
    assert ["hologram", ""] == unknown_parts([{"text": "a"}, {"hologram": 1}, {}, "x"])
