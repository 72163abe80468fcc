"""Large texts over HTTP: stored, read in pages, pinned, taken away; an agent's are its own."""

from tests.support.builders.details import shell_detail, with_store
from tests.support.tables import table
from tests.support.workspaces.served_demo import ServedWorkspace

LINES = [f"line {number}: compiled module {number * 7}" for number in range(400)]
LOG = "\n".join([*LINES, "ERROR: ERESOLVE no match"])
MEMORIES = "/api/v1/memories"


def stored(workspace: ServedWorkspace, token: str = "", **fields: object) -> str:
    """The key of the log, stored with a token."""
    body = {"content": LOG, "command": "npm install", "exit_code": 1, **fields}
    answer = workspace.ask(MEMORIES, "POST", body, authorization=f"Bearer {token or workspace.person}").value
    assert f"[MemoryRef: {answer['key']} - " in answer["text"]
    assert "ERESOLVE" in answer["text"]
    return str(answer["key"])


def test_a_log_is_stored_and_read_in_parts(changing: ServedWorkspace) -> None:
    """Some lines, those with a word, one page after another; a small text stays as it is."""
    key = stored(changing)
    lines = changing.ask(f"{MEMORIES}/{key}?lines=3-4").value
    assert ("line 2: compiled module 14\nline 3: compiled module 21\n", 401) == (lines["text"], lines["lines"])
    assert 1 == changing.ask(f"{MEMORIES}/{key}?query=ERESOLVE").value["matches"]
    assert changing.ask(f"{MEMORIES}/{key}").value["pages"] > 1
    for small in ("ok", ""):
        kept = changing.ask(MEMORIES, "POST", {"content": small}).value
        assert ("", small, True) == (kept["key"], kept["text"], kept["notice"].startswith("It was not stored: "))
    assert key in [one["key"] for one in changing.ask(f"{MEMORIES}?words=npm").value]


def test_an_exit_code_is_one(changing: ServedWorkspace) -> None:
    """A number that a system may give, told with the command whatever the type is."""
    body = {"content": f"{LOG}\nonce", "type": "log", "command": "npm install"}
    assert 422 == changing.ask(MEMORIES, "POST", {**body, "exit_code": 10**400}).status
    kept = changing.ask(MEMORIES, "POST", {**body, "exit_code": 1}).value
    assert kept["text"].startswith("Log of 'npm install' stored, exit 1. [MemoryRef: log_npm-install_")


@table(("called", "type_", "pinned"), [("command_output", "command", False), ("user_preference", "text", True)])
def test_the_words_that_agents_have_for_types(
    called: str, type_: str, *, pinned: bool, changing: ServedWorkspace
) -> None:
    """They are taken as they are over MCP."""
    key = stored(changing, type=called, description=f"a {called}")
    [kept] = [one for one in changing.ask(MEMORIES).value if one["key"] == key]
    assert (type_, pinned) == (kept["type"], kept["pinned"])


def test_the_same_text_is_stored_once(changing: ServedWorkspace) -> None:
    """Under one key, in whatever order it comes."""
    assert stored(changing) == stored(changing)


def test_an_agent_reads_its_own_alone(changing: ServedWorkspace) -> None:
    """What another agent, or a person, stored is not there for it."""
    mine, theirs = stored(changing, changing.agent, thread_id="a"), stored(changing, thread_id="b")
    by_agent = f"Bearer {changing.agent}"
    assert 200 == changing.ask(f"{MEMORIES}/{mine}", authorization=by_agent).status
    assert 200 == changing.ask(f"{MEMORIES}/{mine}").status
    own = {one["key"] for one in changing.ask(MEMORIES, authorization=by_agent).value}
    assert mine in own
    assert theirs in {one["key"] for one in changing.ask(MEMORIES).value}


def test_a_search_of_details_gives_an_agent_its_own(changing: ServedWorkspace) -> None:
    """And those of nobody, whatever reader it names; without the tier there is none."""
    nobodys = shell_detail(changing.root, LOG, command="npm install").key
    persons = stored(changing, content=f"{LOG}\nERESOLVE once")
    own = stored(changing, changing.agent, thread_id="a", content=f"{LOG}\nERESOLVE twice")

    def keys(query: str, token: str) -> set[str]:
        hits = changing.ask(f"/api/v1/search?query=ERESOLVE{query}", authorization=f"Bearer {token}").value["hits"]
        return {hit["path"].removeprefix("detail:") for hit in hits} & {nobodys, persons, own}

    assert {nobodys, persons, own} == keys("&tier=detail", changing.person)
    assert {nobodys, own} == keys("&tier=detail&reader=zoe", changing.agent)
    assert {nobodys} == keys("&tier=detail&reader=zoe", changing.person)
    assert {own} == keys("&tier=detail&thread_id=a", changing.agent)
    assert set() == keys("", changing.person) | keys("&tier=all", changing.person)


def test_what_is_taken_away_is_no_hit_any_more(changing: ServedWorkspace) -> None:
    """A search right after does not meet it, alone or with its session; nothing is left to the next update."""
    session = {"session_id": "s1"}
    assert 200 == changing.ask("/api/v1/sessions", "POST", session).status
    one, two = (
        stored(changing, content=f"{LOG}\nwalrus {thread}", thread_id=thread, description=f"build {thread}")
        for thread in ("other", "s1")
    )
    search = "/api/v1/search?query=walrus&tier=detail"
    assert {f"detail:{one}", f"detail:{two}"} == {hit["path"] for hit in changing.ask(search).value["hits"]}
    receipt = changing.ask(f"{MEMORIES}/{one}", "DELETE").value
    deleted = changing.ask("/api/v1/memory/session/s1", "DELETE").value
    assert ([one], "", "") == (receipt["gone"], receipt["notice"], deleted["notice"])
    answer = changing.ask(search).value
    assert ([], 1) == (answer["hits"], len(answer["notes"]))


def test_pinned_and_taken_away(changing: ServedWorkspace) -> None:
    """A person takes it away; nothing is known of it any more, and what expired says so, once and for all."""
    key = stored(changing)
    assert 1 == changing.ask(f"{MEMORIES}/{key}", "PATCH", {"pinned": True}).value["present"]
    refused = changing.ask(f"{MEMORIES}/{key}", "DELETE", authorization=f"Bearer {changing.agent}")
    assert 403 == refused.status
    assert [key] == changing.ask(f"{MEMORIES}/{key}", "DELETE").value["gone"]
    other = shell_detail(changing.root).key
    with_store(changing.root, lambda store: store.details.retire([other]))
    for name, status in ((key, 404), ("cmd_never_0123456789", 404), (other, 410)):
        gone = changing.ask(f"{MEMORIES}/{name}")
        assert (status, True) == (gone.status, "do not try" in gone.value["detail"].lower()), name


@table("query", ["lines=9-1", "lines=x", "lines=9999", "page=0", "page=99", "tokens=1"])
def test_a_page_that_is_none(changing: ServedWorkspace, query: str) -> None:
    """A sentence that says what there is."""
    answer = changing.ask(f"{MEMORIES}/{stored(changing)}?{query}")
    assert answer.status in {400, 404, 409, 422}
    assert answer.value["detail"]


def test_the_same_text_of_another_agent_is_its_own(changing: ServedWorkspace) -> None:
    """Another key, and its own description: nobody learns that somebody has it."""
    theirs = stored(changing, description="private")
    mine = stored(changing, changing.agent, description="mine")
    assert theirs != mine
    by_agent = f"Bearer {changing.agent}"
    assert 200 == changing.ask(f"{MEMORIES}/{mine}", authorization=by_agent).status


def test_what_an_agent_may_not_do_with_details(changing: ServedWorkspace) -> None:
    """Unpin what is not its own, or store for all agents."""
    by_agent, key = f"Bearer {changing.agent}", shell_detail(changing.root).key
    assert 403 == changing.ask(f"{MEMORIES}/{key}", "PATCH", {"pinned": False}, authorization=by_agent).status
    body = {"content": LOG, "scope": "global"}
    assert 403 == changing.ask(MEMORIES, "POST", body, authorization=by_agent).status


def test_a_text_of_one_user_is_for_no_other(changing: ServedWorkspace) -> None:
    """An agent gets it as that user alone, by no route as another one or as the owner; a person gets all, or one's."""
    by_agent = {"authorization": f"Bearer {changing.agent}"}
    alices = stored(changing, changing.agent, user_id="alice", scope="user", description="alice's")
    session = stored(changing, changing.agent, user_id="alice", content=f"{LOG}\nin a session")
    owners = stored(changing, changing.agent, content=f"{LOG}\nof the owner")

    def visible(query: str, **headers: str) -> set[str]:
        listed = {one["key"] for one in changing.ask(f"{MEMORIES}?{query}", **headers).value}
        hits = changing.ask(f"/api/v1/search?query=ERESOLVE&k=50&tier=detail&{query}", **headers).value["hits"]
        places = {place["path"].removeprefix("detail:") for hit in hits for place in hit["places"]}
        read = {key for key in known if changing.ask(f"{MEMORIES}/{key}?{query}", **headers).status == 200}
        assert read == listed & known == places & known, query
        return read

    known = {alices, session, owners}
    assert {alices, session} == visible("user_id=alice", **by_agent) == visible("user_id=alice")
    assert set() == visible("user_id=bob", **by_agent) == visible("user_id=bob")
    assert {owners} == visible("", **by_agent) == visible("user_id=", **by_agent) == visible("user_id=")
    assert known == visible("")
    pin = {"pinned": True}
    assert 404 == changing.ask(f"{MEMORIES}/{session}?user_id=bob", "PATCH", pin, **by_agent).status
    assert 200 == changing.ask(f"{MEMORIES}/{session}?user_id=alice", "PATCH", pin, **by_agent).status
    assert 404 == changing.ask(f"{MEMORIES}/{session}?user_id=bob", "DELETE").status
    assert 200 == changing.ask(f"{MEMORIES}/{session}?user_id=alice", "DELETE").status


def test_what_a_person_stores_is_for_persons(changing: ServedWorkspace) -> None:
    """No agent lists or reads it, unless it is for all; a shell's is everybody's, also when a person has the same."""
    by_agent = {"authorization": f"Bearer {changing.agent}"}
    own, public = stored(changing), stored(changing, content=f"{LOG}\nfor all", scope="global")
    shells = shell_detail(changing.root, LOG, command="npm install", exit_code=1).key
    assert own != shells
    listed = {one["key"] for one in changing.ask(f"{MEMORIES}?limit=1000", **by_agent).value}
    assert {public, shells} == listed & {own, public, shells}
    assert [404, 200, 200] == [changing.ask(f"{MEMORIES}/{key}", **by_agent).status for key in (own, public, shells)]


def test_a_list_is_cut_after_it_is_filtered(changing: ServedWorkspace) -> None:
    """What others have takes no place of it; a header says how many there are, and the rest is behind those skipped."""
    by_agent = {"authorization": f"Bearer {changing.agent}"}
    own = [stored(changing, changing.agent, content=f"{LOG}\n{number}", thread_id="t") for number in range(3)]
    for number in range(3):
        stored(changing, content=f"{LOG}\n{number}", thread_id="t")
    listed = [changing.ask(f"{MEMORIES}?thread_id=t&limit=2&skip={skip}", **by_agent) for skip in (0, 2)]
    assert ["3", "3"] == [answer.headers["x-total-count"] for answer in listed]
    assert own[::-1] == [one["key"] for answer in listed for one in answer.value]
    assert "6" == changing.ask(f"{MEMORIES}?thread_id=t").headers["x-total-count"]


def test_a_parameter_that_is_none_is_refused(changing: ServedWorkspace) -> None:
    """A sentence names it, and those that there are."""
    for path in (f"{MEMORIES}?userid=bob", "/api/v1/search?query=x&userid=bob", "/api/v1/agents?userid=bob"):
        answer = changing.ask(path)
        assert (422, True) == (answer.status, "no parameter userid." in answer.value["detail"]), path
    assert "user_id" in changing.ask(f"{MEMORIES}?userid=bob").value["detail"]
