"""Settings: from the file, then the environment, with all problems told at once."""

from pathlib import Path

import pytest

from pipeline.errors import ReadFailed, SettingsInvalid
from pipeline.settings.load import configured_secrets, load_settings, parse_settings, sift_settings
from schemas.settings import Settings
from tests.support.tables import table

FULL = """
timezone = "Europe/Warsaw"
[[sources]]
kind = "openclaw"
path = "~/x"
[model]
base_url = "http://127.0.0.1:9/v1"
name = "m"
parallel = 2
"""


def workspace(root: Path, text: str = FULL) -> Path:
    """A workspace with these settings."""
    (root / "memory.toml").write_text(text, encoding="utf-8")
    return root


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    """Nothing has to be set."""
    assert parse_settings({}, "here") == load_settings(workspace(tmp_path, ""), {})


def test_the_environment_goes_over_the_file(tmp_path: Path) -> None:
    """Nested names are joined by two underscores; what is not named keeps the file's value."""
    environment = {
        "MEMORY_TIMEZONE": "Asia/Shanghai",
        "MEMORY_MODEL__PARALLEL": "7",
        "MEMORY_MODEL__API_KEY": "hush",
        "MEMORY_JOBS__MICRO_SYNC__TIMEOUT": "PT5M",
    }
    loaded = load_settings(workspace(tmp_path), environment)
    assert ("Asia/Shanghai", "m", 7) == (loaded.timezone, loaded.model.name, loaded.model.parallel)
    assert "hush" == loaded.model.api_key.get_secret_value()
    assert "hush" not in repr(loaded)
    timeout = loaded.jobs["micro_sync"].timeout
    assert timeout is not None
    assert 300 == timeout.total_seconds()


def test_variables_of_others_are_left_alone(tmp_path: Path) -> None:
    """A beginning in common is no setting; neither is the workspace's own variable."""
    environment = {
        "MEMORY_LIMIT": "2g",
        "MEMORY_WORKSPACE": "/x",
        "MEMORYX": "1",
        "memory_timezone": "no",
        "MEMORY_": "",
    }
    assert load_settings(workspace(tmp_path), {}) == load_settings(workspace(tmp_path), environment)


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    """Each with its path, whether it comes from the file or the environment."""
    text = """
timezone = "Mars/Olympus"
colour = "red"
start = 2026-03-02T00:00:00
[[sources]]
kind = "openclaw"
[[sources]]
kind = "openclaw"
path = "x"
agent = "main"
[model]
parallel = 0
"""
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(workspace(tmp_path, text), {"MEMORY_MODEL__ATTEMPTS": "many"})
    paths = sorted(problem.split(": ")[0] for problem in caught.value.problems)
    assert [
        "colour",
        "model.attempts (MEMORY_MODEL__ATTEMPTS)",
        "model.parallel",
        "sources[0].path",
        "sources[1].agent",
        "start",
        "timezone",
    ] == paths
    assert str(tmp_path / "memory.toml") in str(caught.value)
    assert 2 == caught.value.exit_code


def test_a_secret_is_not_shown(tmp_path: Path) -> None:
    """A value that does not fit is not repeated in the message."""
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(workspace(tmp_path), {"MEMORY_MODEL__API_KEY__X": "sk-hush"})
    assert "hush" not in str(caught.value)


def test_two_sources_of_one_name_are_refused() -> None:
    """Entries name their source; two of a name could not be told apart."""
    source = {"kind": "openclaw", "path": "x"}
    with pytest.raises(SettingsInvalid, match="two are called 'openclaw'"):
        parse_settings({"sources": [source, source]}, "here")
    parse_settings({"sources": [source, {**source, "name": "other"}]}, "here")


@table("content", [b"timezone = ", b"\xff\xfe", b"[a]\n[a]\n", b"\x00", b"a = " + b"[" * 9_999, b"a = " + b"1" * 9_999])
def test_a_file_that_is_no_toml_is_reported(tmp_path: Path, content: bytes) -> None:
    """With the file's name, and the parser's word."""
    (tmp_path / "memory.toml").write_bytes(content)
    with pytest.raises(SettingsInvalid, match=r"memory\.toml has 1 problem"):
        load_settings(tmp_path, {})


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    """The system's own word."""
    (tmp_path / "memory.toml").mkdir()
    with pytest.raises(ReadFailed, match="it is a folder and no regular file"):
        load_settings(tmp_path, {})


TAKEN = "belongs to another part of the workspace; name a folder of its own, such as agents"
NO_ADDRESS = "has to begin with http:// or https:// and name a host"
SOURCE = '[[sources]]\nkind = "openclaw"\npath = "x"\n'


@table(
    ("text", "problem"),
    [
        ('timezoen = "UTC"', "timezoen: there is no such setting; did you mean timezone?"),
        ("colour = 1", "colour: there is no such setting"),
        (f'{SOURCE}agent = ["x"]', "sources[0].agent: there is no such setting; did you mean agents?"),
        (f'{SOURCE}owner.id = ["x"]', "sources[0].owner.id: there is no such setting; did you mean ids?"),
        ("[agents.zoe]\nsource = []", "agents.zoe.source: there is no such setting; did you mean sources?"),
        ('[jobs.a]\nshedule = "x"', "jobs.a.shedule: there is no such setting; did you mean schedule?"),
        (f'{SOURCE}agents = "main"', 'sources[0].agents: write a list, such as ["main"]'),
        ('[sources]\nkind = "x"', "sources: write each one as a table [[sources]]"),
        ('sources = ["x"]', "sources[0]: write a table, [[sources]], with its settings below it"),
        ("model = 3", "model: write a table, [model], with its settings below it"),
        ("jobs = 3", "jobs: write a table, [jobs], with its settings below it"),
        ('[model]\ntimeout = "5 min"', "model.timeout: write seconds, or an ISO 8601 duration such as PT5M"),
        ('log_level = "loud"', "log_level: write debug, info, warning, error"),
        *(
            (
                f'[[index.extra_paths]]\npath = "x"\nname = "x"\ntier = {tier}',
                "index.extra_paths[0].tier: write 'hot', 'warm', 'cold', 'research' or 'archive'",
            )
            for tier in ('"detail"', '"far"', "3")
        ),
        ('embedder.kind = "x"', "embedder.kind: write 'auto', 'package', 'fastembed', 'openai' or 'none'"),
        ('agents.root = ""', "agents.root: name a folder inside the workspace, relative to it, such as agents"),
        ('agents.root = "/x"', "agents.root: name a folder inside the workspace, relative to it, such as agents"),
        ('agents.root = "a/../b"', "agents.root: name a folder inside the workspace, relative to it, such as agents"),
        *(
            (
                f'agents.root = "{path}"',
                "agents.root: write a short path of letters, digits, hyphens, dots and underscores, such as agents",
            )
            for path in ("a*", "{agent}", "~/agents", "a:b", "a\\nb", "x" * 300, "\uff0e\uff0e/a")
        ),
        *(
            (
                f'agents.root = "{path}"',
                f"agents.root: {path.partition('/')[0]} {TAKEN}",
            )
            for path in ("memory", "Memory/agents", ".memory/agents", "second-brain/summaries", "AGENTS.md")
        ),
        ("agents.root = 3", "agents.root: write a text in quotes"),
        ('timezone = "Mars"', "timezone: 'Mars' is not an IANA time zone; write one such as Europe/Warsaw"),
        ("timezone = 5", "timezone: write a text in quotes"),
        ("start = 2026-03-02", "start: write a time with its offset, such as 2026-02-20T00:00:00+01:00"),
        ("start = 2026-03-02T00:00:00", "start: write a time with its offset, such as 2026-02-20T00:00:00+01:00"),
        ("start = 2026", "start: write a time with its offset, such as 2026-02-20T00:00:00+01:00"),
        ("start = 1772.5", "start: write a time with its offset, such as 2026-02-20T00:00:00+01:00"),
        ('start = "1771545600"', "start: write a time with its offset, such as 2026-02-20T00:00:00+01:00"),
        (
            "start = 1999-12-31T00:00:00Z",
            "start: 1999-12-31T00:00:00+00:00 does not lie between the years 2000 and 2999",
        ),
        (
            "start = 9999-12-31T23:59:59-05:00",
            "start: 9999-12-31T23:59:59-05:00 does not lie between the years 2000 and 2999",
        ),
        ('[model]\nbase_url = "localhost:11434"\nname = "m"', f"model.base_url: {NO_ADDRESS}"),
        (
            '[[sources]]\nkind = "openclaw"\npath = "~nobody-of-this-name/x"',
            "sources[0].path: '~nobody-of-this-name/x' begins in the home folder of nobody who is known here",
        ),
        ('[embedder]\nfolder = "a\\u0000b"', "embedder.folder: 'a\\x00b' holds a character that no path has"),
        ('[index]\nurl = "qdrant"', f"index.url: {NO_ADDRESS}"),
        ('[index]\nurl = "http://:6333"', f"index.url: {NO_ADDRESS}"),
        ('[index]\nurl = "http://q:99999"', f"index.url: {NO_ADDRESS}"),
        ('[embedder]\nbase_url = "https://user:hush@[half/v1"', f"embedder.base_url: {NO_ADDRESS}"),
        ("[model]\nparallel = 0", "model.parallel: has to be 1 or more"),
        ("[model]\nattempts = 99", "model.attempts: has to be 10 or less"),
        ("[model]\nattempts = 3.5", "model.attempts: write a whole number"),
        ('[[sources]]\nkind = "x"', "sources[0].path: has to be set"),
        ("retention = -5", "retention: has to be 0 seconds or more"),
        ('retention = "P999999999D"', "retention: has to be 36500 days or less"),
        ("[model]\ntimeout = 0", "model.timeout: has to be more than 0 seconds"),
        ("[pings]\ntimeout = 0", "pings.timeout: has to be more than 0 seconds"),
        ("[pings]\ntimeout = 60.1", "pings.timeout: has to be 60 seconds or less"),
        ('[jobs.a]\ntimeout = "P9000000D"', "jobs.a.timeout: has to be 1 day or less"),
    ],
)
def test_a_problem_is_a_plain_sentence(tmp_path: Path, text: str, problem: str) -> None:
    """It says what to write, without the terms of the library that checks."""
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(workspace(tmp_path, text), {})
    assert [problem] == list(caught.value.problems)


@table(("expected", "seconds"), [("90", 90), ("1.5", 1.5), (" 0 ", 0), ("PT2M", 120)])
def test_a_duration_in_the_environment_is_written_as_in_the_file(tmp_path: Path, expected: str, seconds: float) -> None:
    """A variable is always a text; seconds are understood there too."""
    settings = load_settings(workspace(tmp_path, ""), {"MEMORY_RETENTION": expected})
    assert seconds == settings.retention.total_seconds()


@table(
    ("text", "environment", "problem"),
    [
        ('base_url = "http://127.0.0.1:9/v1"', {}, "model.name: set this too, or empty base_url: "),
        ('name = "m"', {}, "model.base_url: set this too, or empty name: "),
        (
            'base_url = "http://127.0.0.1:9/v1"\nname = "m"',
            {"MEMORY_MODEL__BASE_URL": ""},
            "model.base_url (MEMORY_MODEL__BASE_URL): set this too, or empty name: ",
        ),
    ],
)
def test_half_a_model_is_refused(tmp_path: Path, text: str, environment: dict[str, str], problem: str) -> None:
    """Without the other half every job would work offline, and nobody would know."""
    with pytest.raises(SettingsInvalid) as caught:
        load_settings(workspace(tmp_path, f"[model]\n{text}\n"), environment)
    (only,) = caught.value.problems
    assert only.startswith(problem)


def test_a_model_can_be_switched_off_for_one_command(tmp_path: Path) -> None:
    """Both halves emptied in the environment are no model."""
    environment = {"MEMORY_MODEL__BASE_URL": "", "MEMORY_MODEL__NAME": ""}
    assert not load_settings(workspace(tmp_path), environment).model.is_configured


@table("expected", ["9464", "127.0.0.1:99999", "localhost:http", "127.0.0.1:"])
def test_an_address_that_cannot_be_one_is_refused(expected: str) -> None:
    """Where the settings are checked, and not first where the service begins."""
    with pytest.raises(SettingsInvalid, match=r"service\.http"):
        parse_settings({"service": {"http": expected}}, "memory.toml")
    assert "[::1]:0" == parse_settings({"service": {"http": "[::1]:0"}}, "memory.toml").service.http


def test_the_secrets_that_settings_hold() -> None:
    """Every key there is a setting for, and of a check's address each part after the host, whatever it looks like."""
    fields = {
        "model": {"api_key": "model-key"},
        "embedder": {"api_key": "embedder-key"},
        "index": {"api_key": "index-key"},
        "pings": {"url": "https://hc.example.org/ping/words-alone/memory-daily/{job}?create=1&token=t0ken-too"},
    }
    keys = {"model-key", "embedder-key", "index-key"}
    fields["model"] |= {"base_url": "http://tom:url%2Dpassword@127.0.0.1:8080/v1", "name": "m"}
    fields["embedder"] |= {"base_url": "http://tom:pass@word@127.0.0.1/v1?at=@"}
    fields["index"] |= {"url": "http://tom:4711#secret?word@127.0.0.1:6333"}
    keys |= {"url-password", "pass@word", "4711#secret?word"}
    check = {fields["pings"]["url"], "words-alone", "memory-daily", "t0ken-too"}
    assert keys | check == set(configured_secrets(Settings.model_validate(fields)))


def test_what_is_too_short_for_a_key_is_none() -> None:
    """A server without keys is given some word, which a log or a chat may well hold; so are words of an address."""
    assert [] == configured_secrets(Settings())
    for word in ("none", "lm-studio"):
        assert [] == configured_secrets(Settings.model_validate({"model": {"api_key": word}}))
    url = "https://checks.example.org/services/T0FAKE12345"
    assert [url, "T0FAKE12345"] == configured_secrets(Settings.model_validate({"pings": {"url": url}}))


def test_what_is_wrong_behind_something_wrong_is_reported_too(tmp_path: Path) -> None:
    """A table is looked at as a whole although a value in it is wrong; nothing is told twice."""
    text = f"{SOURCE}{SOURCE}[model]\nname = 5\n[model.x]\n[index]\nurl = 1\n"
    settings, problems = sift_settings(workspace(tmp_path, text), {"MEMORY_TIMEZONE": "Asia/Shanghai"})
    assert "Asia/Shanghai" == settings.timezone
    lines = ["index.url", "model.name", "model.x", "sources"]
    assert lines == sorted(problem.split(": ")[0] for problem in problems)


def test_half_a_model_is_reported_beside_a_wrong_value(tmp_path: Path) -> None:
    """And sources that cannot be used leave the others as they are counted."""
    text = f'[model]\nname = "m"\nparallel = 0\n{SOURCE}agent = "x"\n[[sources]]\nkind = "icq"\npath = "y"\n'
    settings, problems = sift_settings(workspace(tmp_path, text), {})
    assert ["openclaw", "icq"] == [source.kind for source in settings.sources]
    lines = ["model.base_url", "model.parallel", "sources[0].agent"]
    assert lines == sorted(problem.split(": ")[0] for problem in problems)


@table("text", ['sources = ["x"]\n', '[[sources]]\nkind = "x"\n', "[model]\nx = 1\n", "jobs.a = 3\n"])
def test_what_cannot_be_used_is_left_out(tmp_path: Path, text: str) -> None:
    """Whatever its shape, the rest can still be looked at."""
    settings, problems = sift_settings(workspace(tmp_path, f'log_level = "error"\n{text}'), {})
    assert (1, "error", ()) == (len(problems), settings.log_level, settings.sources)


@table(
    ("data", "sentence"),
    [
        (b"\xef\xbb\xbftimezone = 'UTC'\n", "it begins with a byte order mark; save it as UTF-8 without the mark"),
        ("timezone = 'UTC'\n".encode("utf-16"), "it is no text in UTF-8; save it as UTF-8"),
        (b"# caf\xe9\n", "it is no text in UTF-8; save it as UTF-8"),
    ],
)
def test_a_file_that_another_editor_saved(tmp_path: Path, data: bytes, sentence: str) -> None:
    """The person is told what to do in the editor."""
    (tmp_path / "memory.toml").write_bytes(data)
    with pytest.raises(SettingsInvalid) as refused:
        load_settings(tmp_path, {})
    assert [f"the file: {sentence}"] == refused.value.problems


@table("key", ["MODEL__API_KEY", "EMBEDDER__API_KEY", "INDEX__API_KEY", "SHIP__TOKEN"])
def test_a_key_that_no_header_can_hold(tmp_path: Path, key: str) -> None:
    """It was pasted with a sign of an editor, or with the end of its line; the sentence does not repeat it."""
    for wrong in ("sk-abcdefgh…", "sk-abcdefgh\n", " sk-abcdefgh"):
        with pytest.raises(SettingsInvalid, match="a letter that no key has") as refused:
            load_settings(workspace(tmp_path, ""), {f"MEMORY_{key}": wrong})
        assert "sk-abc" not in str(refused.value)
    load_settings(workspace(tmp_path, ""), {f"MEMORY_{key}": "not needed"})
