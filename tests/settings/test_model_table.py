"""The choice of a model in `memory.toml`: the lines of the model alone change."""

import tomllib

from pipeline.settings.tables import set_model
from tests.support.tables import table

REST = 'timezone = "UTC"  # ours\n\n[model]  # who answers\nparallel = 2\n# note\n\n# note\n[jobs.retain]\nname = "x"\n'
PROGRAM = {"program": "claude"}
SERVER = {"base_url": "http://127.0.0.1:1/v1", "name": "m"}


@table("text", ["", "a = 1", "a = 1\n", "#[model]\n", "[modelled]\n[agents.model]\n"])
def test_a_file_without_a_table_gets_a_table(text: str) -> None:
    """At its end; what stood there stays."""
    assert text == set_model(text, {})[: len(text)]
    after = set_model(text, PROGRAM)
    assert (True, PROGRAM) == (after.startswith(text), tomllib.loads(after)["model"])


def test_a_choice_takes_the_place_of_another() -> None:
    """All else stays, in the table too, and the earlier choice can be read behind a `#`."""
    first = set_model(REST, PROGRAM)
    assert {"parallel": 2, **PROGRAM} == tomllib.loads(first)["model"]
    second = set_model(first, SERVER)
    assert {"parallel": 2, **SERVER} == tomllib.loads(second)["model"]
    assert '#program = "claude"\n' in second
    assert {"name": "x"} == tomllib.loads(second)["jobs"]["retain"]
    assert {"parallel": 2} == tomllib.loads(set_model(second, {}))["model"]


def test_choices_to_and_fro_leave_no_heap() -> None:
    """The file does not grow with each."""
    texts = [REST]
    for values in (PROGRAM, SERVER) * 3:
        texts.append(set_model(texts[-1], values))
    assert [texts[-4], texts[-3]] == texts[-2:]
    assert {"parallel": 2, **SERVER} == tomllib.loads(texts[-1])["model"]
