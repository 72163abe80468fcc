"""An embedder that comes, goes, and is not there; on the wire, for that is what goes away."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.servers.embedding_server import MODEL, EmbeddingServer, embedding
from tests.support.workspaces.searched import WORDS_ALONE, Searched, new_searched

DAY = "memory/2026-03-01.md"
TEXT = "# 2026-03-01\n\n- The heron nests on the jetty.\n- The otter sleeps below the sauna.\n"


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """A server that answers well."""
    with EmbeddingServer(embedding(64)) as server:
        yield server


def beside(server: EmbeddingServer, **changes: str) -> dict[str, str]:
    """The environment that makes this server the embedder."""
    settings = {
        "kind": "openai",
        "base_url": server.base_url,
        "model": MODEL,
        "attempts": "1",
        "timeout": "PT60S",
    } | changes
    return {f"MEMORY_EMBEDDER__{name.upper()}": value for name, value in settings.items()}


@pytest.fixture(scope="module")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    """A workspace of one file, indexed by words alone."""
    by_words = new_searched(tmp_path_factory.mktemp("by-words") / "w")
    by_words.write(DAY, TEXT)
    report = by_words.reindex(**WORDS_ALONE)
    assert (0, "") == (report["vectors"], report["without_vectors"])
    return by_words


@pytest.fixture
def searched(by_words: Searched, tmp_path: Path) -> Searched:
    """A copy of it for one test."""
    return by_words.copied(tmp_path / "w")


def test_an_embedder_comes_and_is_changed(searched: Searched, server: EmbeddingServer) -> None:
    """The words stay, and all text gets vectors, one for both lines; none is made again for the same embedder."""
    report = searched.reindex(**beside(server))
    assert (1, 0, "") == (report["vectors"], report["waiting"], report["rebuilt"])
    made = len(server.asked())
    answer = searched.ask("heron", **beside(server))
    assert not any("Words alone" in note or "No embedder" in note for note in answer.notes)
    assert [["heron"]] == [texts for texts in server.asked()[made:] if texts != [""]][-1:]
    assert ("asked for", 0) == tuple(searched.reindex("--full", **beside(server))[n] for n in ("rebuilt", "vectors"))
    with EmbeddingServer(embedding(32)) as other:
        answer = searched.ask("heron", **beside(other, model="another"))
        assert ["memory/2026-03-01.md"] == [hit.path for hit in answer.hits][:1]
        assert ("", 0) == tuple(searched.reindex(**beside(other, model="another"))[n] for n in ("rebuilt", "waiting"))


def test_an_embedder_that_does_not_answer(searched: Searched, server: EmbeddingServer) -> None:
    """Words alone are compared, which is said; vectors stay, and new text gets its own when it is back."""
    up = beside(server)
    searched.reindex(**up)
    with EmbeddingServer(embedding(64)) as gone:
        down = up | {"MEMORY_EMBEDDER__BASE_URL": gone.base_url}
    searched.write("memory/owl.md", "# Owl\n\nThe owl hoots in cabin 4.\n")
    answer = searched.ask("owl", **down)
    assert ["memory/owl.md"] == [hit.path for hit in answer.hits][:1]
    assert any(note.startswith("Words alone were compared. ") for note in answer.notes), answer.notes
    [note] = [note for note in answer.notes if note.startswith("Words answer for now")]
    assert note.startswith("Words answer for now: 1 of 2 vectors are made"), answer.notes
    report = searched.reindex(**down)
    assert ("", 0, 1) == (report["rebuilt"], report["vectors"], report["waiting"])
    assert "`memory doctor` says what to do" in report["without_vectors"]
    report = searched.reindex(**up)
    assert ("", 1, 0) == (report["rebuilt"], report["vectors"], report["waiting"])


def test_a_search_without_the_embedder_keeps_the_vectors(searched: Searched, server: EmbeddingServer) -> None:
    """Somebody whose settings name none asks by words, and the next one with the embedder finds its vectors there."""
    searched.reindex(**beside(server))
    answer = searched.ask("heron", **WORDS_ALONE)
    assert [DAY] == [hit.path for hit in answer.hits][:1]
    assert [] == [note for note in answer.notes if "embedder" in note]
    assert ("", 0) == tuple(searched.reindex(**beside(server))[name] for name in ("rebuilt", "vectors"))
