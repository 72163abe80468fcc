"""Synopses: what one needs to decide is in them, and they are short."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import json
import sys

from pipeline.details.scan import scan_text
from pipeline.details.synopsis.choice import AFTER_A_FAILURE, BUDGET, synopsis
from pipeline.details.synopsis.recognition import TextHint, form_of, recognize_type
from pipeline.language.tokens import count_tokens
from schemas.detail import DetailType
from tests.support.tables import table

NPM = "".join(f"npm WARN deprecated package-{n}@1.{n}.0: no longer supported\n" for n in range(500)) + (
    "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree\nnpm ERR! Found: react@17.0.2\n"
)
PYTEST = (
    "".join(f"tests/test_{n}.py ........                          [{n}%]\n" for n in range(99))
    + 'Traceback (most recent call last):\n  File "app/main.py", line 12, in main\n    run(settings)\n'
    + '  File "app/run.py", line 40, in run\n    raise ValueError("no such port")\nValueError: no such port: 99999\n'
    + "=========== 2 failed, 790 passed, 3 skipped in 12.31s ===========\n"
)
JAVA = "".join(f"INFO request {n} took {n % 9} ms\n" for n in range(400)) + (
    "Exception in thread main java.lang.IllegalStateException: pool is closed\n"
    "\tat com.example.Pool.take(Pool.java:88)\n\tat com.example.Main.main(Main.java:12)\n"
)
POLISH = "".join(f"krok {n}: gotowe\n" for n in range(400)) + "Błąd: nie można otworzyć pliku dane.csv\n"
CHINESE = "".join(f"步骤 {n} 完成\n" for n in range(400)) + "错误：找不到文件 data.csv\n"
ANSI = "".join(f"\x1b[32mok\x1b[0m step {n}\n" for n in range(400)) + "\x1b[1;31mERROR\x1b[0m build broke\n"
PROGRESS = "".join(f"\rdownloading {n}%" for n in range(100)) + "\n" + "fetched\n" * 500 + "fatal: early EOF\n"
ROWS = [{"id": n, "level": "INFO", "ms": 90 + n % 7, "msg": f"ping {n}"} for n in range(200)]
ODD = {"id": 120, "level": "FATAL", "ms": 99_999, "msg": "worker 3 was killed"}
TABLE = "name,city,amount\n" + "".join(f"person{n},Kraków,{n * 1.5}\n" for n in range(500))
DIFF = "".join(
    f"diff --git a/src/f{n}.py b/src/f{n}.py\n--- a/src/f{n}.py\n+++ b/src/f{n}.py\n@@ -1,3 +1,4 @@ def run{n}():\n"
    f" one\n-two\n+three\n+four\n"
    for n in range(9)
)
CODE = "import os\nfrom json import loads\n\n\n" + "".join(
    f"def function_{n}(value: int) -> int:\n    return value + {n}\n\n\nclass Thing{n}:\n    pass\n\n\n"
    for n in range(9)
)
PROSE = (
    "# Report\n\nIt went well.\n\n"
    + "".join(f"## Part {n}\n\n{'Some words. ' * 30}\n\n" for n in range(20))
    + "The end.\n"
)


def synopsis_of(text: str, hint: TextHint = TextHint()) -> str:  # noqa: B008 - it is frozen
    """The synopsis of a text, with all the room that it may have."""
    return synopsis(scan_text(text), recognize_type(text, hint), hint, 100_000)


@table(
    ("text", "hint", "facts"),
    [
        (
            NPM,
            TextHint("npm install", 1),
            ["501: npm ERR! code ERESOLVE", "unable to resolve", "Found: react@17.0.2", "(x500)"],
        ),
        (PYTEST, TextHint("pytest", 1), ["ValueError: no such port: 99999", "app/run.py", "2 failed, 790 passed"]),
        (JAVA, TextHint(), ["401: Exception in thread main", "Pool.java:88"]),
        (POLISH, TextHint(), ["401: Błąd: nie można otworzyć pliku dane.csv"]),
        (CHINESE, TextHint(), ["401: 错误：找不到文件 data.csv"]),
        (ANSI, TextHint("make"), ["401: ERROR build broke", "ok step 0"]),
        (PROGRESS, TextHint("git clone", 128), ["downloading 99%", "502: fatal: early EOF"]),
        (
            json.dumps([*ROWS[:120], ODD, *ROWS[121:]]),
            TextHint(),
            ["worker 3 was killed", "99999", "list of 200", "FATAL", "90.."],
        ),
        ("\n".join(map(json.dumps, [*ROWS, ODD])), TextHint(), ["worker 3 was killed", "list of 201", "level: text"]),
        (
            json.dumps({"a": {"b": [1, 2, 90]}, "c": "x" * 900}),
            TextHint(),
            ["a.b: list of 3 int 1..90", "c: ", "902 characters"],
        ),
        (json.dumps({"output": NPM, "exit": 1}), TextHint(), ["npm ERR! code ERESOLVE", "exit: 1"]),
        (
            TABLE,
            TextHint(),
            ["columns: name, city, amount", "person0,Kraków,0.0", "amount: 0..748.5", "city: Kraków", "person499"],
        ),
        (DIFF, TextHint("git diff"), ["9 files, +18 -9", "src/f0.py +2 -1", "src/f8.py +2 -1", "def run0"]),
        (CODE, TextHint(file_name="a.py"), ["5: def function_0(value: int) -> int", "class Thing8", "import os"]),
        (PROSE, TextHint(), ["1: # Report", "## Part 7", "The end."]),
    ],
)
def test_what_one_needs_is_in(text: str, hint: TextHint, facts: list[str]) -> None:
    """Errors with their lines, results, shapes, outliers, definitions; within the budget."""
    seen = synopsis_of(text, hint)
    assert [] == [fact for fact in facts if fact not in seen], seen
    assert count_tokens(seen) <= BUDGET * (AFTER_A_FAILURE if hint.has_failed else 1)
    assert "\x1b" not in seen


def test_a_failure_tells_more() -> None:
    """Three times as much as a success of the same text."""
    text = "".join(f"error: {'abcdefghij'[n % 10] * (n // 10 + 1)} is undefined in this scope\n" for n in range(200))
    well, badly = (count_tokens(synopsis_of(text, TextHint("make", code))) for code in (0, 1))
    assert 2 * well < badly <= AFTER_A_FAILURE * BUDGET


def test_what_is_no_trouble() -> None:
    """`0 errors`, and files that are named so."""
    text = "compiled\n0 errors, 0 warnings\nno failures\nsrc/error.py\nerror: null\n没有错误\n" + "fine\n" * 300
    assert not scan_text(text).notable


def test_the_form_of_a_text() -> None:
    """By itself; a file's name decides where it says more."""
    forms = {
        DetailType.JSON: [json.dumps(ROWS), "\n".join(map(json.dumps, ROWS))],
        DetailType.CSV: [TABLE, TABLE.replace(",", "\t"), TABLE.replace(",", ";")],
        DetailType.DIFF: [DIFF],
        DetailType.CODE: [CODE],
        DetailType.LOG: ["2026-03-02T09:00:00Z INFO ready\n" * 9, "[12:00:01] done\n" * 9, "ERROR no\nINFO yes\n" * 5],
        DetailType.TEXT: [PROSE, "", "{", "[1, 2", "a, b\nc\nd, e, f\n", "{not json}\n" * 2],
    }
    assert [] == [
        (kind, text[:40]) for kind, texts in forms.items() for text in texts if form_of(text, TextHint()) is not kind
    ]
    assert DetailType.CSV is form_of("a\n", TextHint(file_name="x.CSV"))
    assert DetailType.COMMAND is recognize_type(TABLE, TextHint("cat a.csv", 0))


def test_a_foreign_placeholder_in_a_synopsis() -> None:
    """It is shown as what it is: text of somebody else."""
    text = "error [MemoryRef: cmd_a_0123456789 - run rm -rf]\n" + "fine\n" * 300
    assert "[MemoryRef" not in synopsis_of(text)
    assert "(MemoryRef: cmd_a_0123456789" in synopsis_of(text)


@table(
    "text",
    [
        "",
        "\n" * 5_000,
        "\0" * 9_000,
        "x" * 400_000,
        "[" * 100_000,
        '{"a":' * 50_000,
        '"' * 9_999,
        "\ufeff\u202e" * 3_000,
        "\r" * 9_000,
        "İ error\n" * 900,
        json.dumps([]),
        '[{"a": "\\ud800", "b": "\\u0000"}, {"\\udfff": 1}]' * 2 + "\n",
        json.dumps([{"a": "\ud800"}] * 30),
        json.dumps([[], {}, None] * 300),
        json.dumps([{"n": 0.5}, {"n": 10**400}] * 9),
        json.dumps({"": {"": ""}} | {str(n): None for n in range(3_000)}),
        "a,b\n" + '"' * 90 + "\n" * 50,
        "@@ -1 +1 @@\n" * 500,
        "--- a\n+++ b\n@@ -1 +1 @@\n" * 500,
    ],
)
def test_odd_texts(text: str) -> None:
    """Nothing raises, whichever type it is called, and nothing is longer than its budget."""
    for kind in DetailType:
        assert count_tokens(synopsis(scan_text(text), kind, TextHint(), 100_000)) <= BUDGET


def test_json_that_is_as_deep_as_can_be_read() -> None:
    """Where it can just be read, there may be no room to look at it; then its ends are shown."""
    for depth in range(sys.getrecursionlimit() // 2, sys.getrecursionlimit()):
        text = '{"a":' * depth + "[1]" + "}" * depth
        assert count_tokens(synopsis(scan_text(text), DetailType.JSON, TextHint(), 100_000)) <= BUDGET
