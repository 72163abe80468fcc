"""Words that are about the project they are said in."""

from pipeline.entries.project_names import is_bound, names_project
from tests.support.tables import table


@table(
    "text",
    [
        "In this repo we use tabs.",
        "for this small service, always log in JSON",
        "This project's tests run with pytest.",
        "never touch the migrations of this code base",
        "the current repository has no CI",
        "w tym repo używamy tabów",
        "Tylko w tym repozytorium komentarze są po polsku.",
        "ten projekt nie ma testów",
        "nie zmieniaj nic w tej aplikacji bez pytania",
        "to repo jest prywatne",
        "在这个项目里用制表符",
        "这个仓库的提交信息写英文",
        "本项目只用 pnpm",
        "当前代码库不要加依赖",
    ],
)
def test_it_is_bound(text: str) -> None:
    """In English, Polish and Chinese."""
    assert is_bound(text)


@table(
    "text",
    [
        "In every repo we use tabs.",
        "Answer me in Polish.",
        "This is the projection of next year.",
        "the project of my life",
        "To jest aplikacja do faktur.",
        "we wszystkich projektach używamy tabów",
        "tego dnia był projekt",
        "所有项目都用制表符",
        "这个人喜欢项目管理",
    ],
)
def test_it_is_not_bound(text: str) -> None:
    """Words of every project, and of none."""
    assert not is_bound(text)


@table(
    ("text", "project", "expected"),
    [
        ("the shop uses pnpm", "~/code/shop", True),
        ("Shop: never on Fridays", "~/code/shop", True),
        ("shopping lists", "~/code/shop", False),
        ("the my-shop module", "~/code/shop", False),
        ("we go to it", "~/code/it", False),
        ("anything", "", False),
    ],
)
def test_a_project_is_named_by_its_last_folder(text: str, project: str, expected: bool) -> None:  # noqa: FBT001 - a row
    """As a word of its own, of three letters at least."""
    assert expected is names_project(text, project)
