"""The shape of JSON: its keys with their types, lengths and ranges, and the elements that are unusual."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pipeline.details.scan import Excerpt, scan_text
from pipeline.details.synopsis.recognition import json_lines, parse_json
from pipeline.details.synopsis.sections import SynopsisPart, clip_line, end_sections, log_sections, section, trouble

_DEEPEST = 4
_KEYS = 40
_FEW = 6  # values of a field that are listed
_RARE = 0.08  # of the elements: fewer have a value that is rare
_LONGEST = 60
_LINES = 5  # of a text that is worth a look of its own


def json_sections(excerpt: Excerpt) -> list[SynopsisPart]:
    """The shape, and what is rare in its lists; of a text that is cut, what its beginning tells."""
    value = parse_json(excerpt.head) if excerpt.whole else None
    value = value if value is not None else (json_lines(excerpt.head) or _first_elements(excerpt.head))
    with suppress(RecursionError):  # what can just be read may be too deep to be looked at
        if value:
            return _sections_of(value, excerpt)
    return [*end_sections(excerpt), trouble(excerpt)]


def _sections_of(value: object, excerpt: Excerpt) -> list[SynopsisPart]:
    unusual = list(dict.fromkeys(_find_unusual(value)))
    return [
        section(_describe_shape(value, ""), 2, rest="more keys"),
        section(unusual, 1, 0.6, "more that are unusual"),
        *([] if unusual else [trouble(excerpt)]),
        section(_show_samples(value), 3),
        *(part for text in _long_texts(value) for part in log_sections(scan_text(text))),
    ]


def _long_texts(value: Any) -> list[str]:  # noqa: ANN401 - any JSON
    """The texts of many lines in an object, the longest first: such as the output of a command with its exit code."""
    inner = value.values() if isinstance(value, Mapping) else ()
    texts = [text for text in inner if isinstance(text, str) and text.count("\n") >= _LINES]
    return sorted(texts, key=len, reverse=True)[:2]


def _first_elements(text: str) -> list[Any]:
    """The complete elements at the beginning of the text of a long list."""
    decoder, place, values = json.JSONDecoder(), text.find("[") + 1, list[Any]()
    while place and len(values) < 2_000:  # noqa: PLR2004 - enough to see what is usual
        place += len(text[place : place + 200]) - len(text[place : place + 200].lstrip(" \t\r\n,"))
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            break
        values.append(value)
    return values


def _describe_shape(value: Any, path: str, depth: int = 0) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(value, Mapping):
        yield f"{path or '(root)'}: object, {len(value)} keys"
        for key, inner in list(value.items())[:_KEYS]:
            yield from _describe_shape(inner, f"{path}.{key}".lstrip("."), depth + 1) if depth < _DEEPEST else ()
    elif isinstance(value, list):
        yield from _describe_list(value, path, depth)
    else:
        yield f"{path}: {_shorten(value)}"


def _describe_list(values: Sequence[Any], path: str, depth: int) -> Iterator[str]:
    rows = [value for value in values if isinstance(value, Mapping)]
    kinds = Counter(type(value).__name__ for value in values)
    if not rows:
        yield f"{path or '(root)'}: list of {len(values)} {'/'.join(kinds) or 'elements'}{_describe_range(values)}"
        return
    yield f"{path or '(root)'}: list of {len(values)} objects"
    for key in list(dict.fromkeys(key for row in rows for key in row))[:_KEYS]:
        cells = [row[key] for row in rows if key in row]
        nested = [cell for cell in cells if isinstance(cell, Mapping | list)]
        name = f"{path}[].{key}"
        if nested and depth < _DEEPEST:
            merged = [element for value in nested for element in (value if isinstance(value, list) else [value])]
            yield from _describe_shape(merged, name, depth + 1)
        else:
            often = "" if len(cells) == len(values) else f" (in {len(cells)})"
            yield f"{name}: {_name_kinds(cells)}{_describe_range(cells)}{often}"


def _name_kinds(cells: Sequence[Any]) -> str:
    names = {"str": "text", "int": "integer", "float": "number", "NoneType": "null", "bool": "true/false"}
    kinds = Counter(type(cell).__name__ for cell in cells)
    return "/".join(names.get(kind, kind) for kind in kinds)


def _describe_range(cells: Sequence[Any]) -> str:
    numbers = [cell for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]
    if numbers and len(numbers) == len(cells):
        return f" {min(numbers)}..{max(numbers)}" if min(numbers) != max(numbers) else f" {numbers[0]}"
    plain = Counter(_shorten(cell) for cell in cells if not isinstance(cell, Mapping | list))
    if 0 < len(plain) <= _FEW:
        return " " + ", ".join(f"{value} x{times}" if times > 1 else value for value, times in plain.most_common())
    return f", {len(plain)} different, such as {next(iter(plain))}" if plain else ""


def _find_unusual(value: Any, path: str = "") -> Iterator[str]:  # noqa: ANN401 - any JSON
    """The elements of lists that have a rare value, a rare key, or a number far from the others."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _find_unusual(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        rows = [(place, element) for place, element in enumerate(value) if isinstance(element, Mapping)]
        places = _find_rare_places([row for _, row in rows])
        for place in places:
            yield f"{path}[{rows[place][0]}] {json.dumps(rows[place][1], ensure_ascii=False)}"
        for _, row in rows[:200]:
            yield from _find_unusual(
                {key: element for key, element in row.items() if isinstance(element, list)}, f"{path}[]"
            )


def _find_rare_places(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    if len(rows) < 2 * _FEW:
        return []
    most, scores = max(1, int(len(rows) * _RARE)), Counter[int]()
    for key in dict.fromkeys(key for row in rows for key in row):
        having = [place for place, row in enumerate(rows) if key in row]
        if len(having) <= most:
            scores.update(having)
            continue
        for place in _find_rare_cells([(place, rows[place][key]) for place in having], most):
            scores[place] += 1
    return [place for place, _ in sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))][: 2 * most]


def _find_rare_cells(cells: Sequence[tuple[int, Any]], most: int) -> Iterator[int]:
    numbers = [cell for _, cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]
    if len(numbers) == len(cells):
        ordered = sorted(numbers)
        low, high = ordered[len(ordered) // 4], ordered[3 * len(ordered) // 4]
        try:
            reach = 3 * (high - low)
        except OverflowError:  # an integer beside a number with a point, which cannot be as large
            return
        yield from (place for place, cell in cells if not low - reach <= cell <= high + reach)
        return
    shapes = Counter(_pattern_of(cell) for _, cell in cells)
    usual = shapes.most_common(1)[0][1]
    yield from (place for place, cell in cells if shapes[_pattern_of(cell)] <= most and usual * 2 >= len(cells))


def _pattern_of(cell: object) -> str:
    """A value without its numbers, so that counters and stamps do not make each one rare."""
    text = json.dumps(cell, ensure_ascii=False) if isinstance(cell, Mapping | list) else str(cell)
    return "".join("0" if letter.isdigit() else letter for letter in text[:200]).replace("00", "0").replace("00", "0")


def _show_samples(value: Any) -> list[str]:  # noqa: ANN401 - any JSON
    if not isinstance(value, list):
        return []
    first, last = (json.dumps(value[place], ensure_ascii=False) for place in (0, -1))
    return [f"first: {clip_line(first)}", f"last: {clip_line(last)}"] if len(value) > 1 else []


def _shorten(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
