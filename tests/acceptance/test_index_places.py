"""Where a workspace is, and what lies beside it, makes no difference."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.workspaces.searched import WORDS_ALONE, new_searched


def test_two_workspaces_do_not_disturb_one_another(tmp_path: Path) -> None:
    """Indexed and asked at the same time, each knows its own files alone, whatever its path has in it."""
    names = ("Mój notatnik (łódki)", "笔记 'x' #1")
    both = [new_searched(tmp_path / name, **WORDS_ALONE) for name in names]
    for number, searched in enumerate(both):
        searched.write("memory/ż ółw#1.md", f"# Herons\n\nThe heron of place {number} is grey.\n")
    with ThreadPoolExecutor(2) as pool:
        assert [1, 1] == [report["added"] for report in pool.map(lambda searched: searched.reindex("--full"), both)]
        answers = list(pool.map(lambda searched: searched.ask("heron"), both))
    for number, answer in enumerate(answers):
        assert [f"The heron of place {number} is grey."] == [hit.text for hit in answer.hits]
        assert both[number].cites(answer.hits[0])
        place = f"{answer.hits[0].path}#L3"
        assert answer.hits[0].text == both[number].memory.memory("show", "lines", place).out.rstrip("\n")
