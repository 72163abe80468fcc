"""Settings on the page: looked at before they are written, and nothing else than what is offered."""

from pathlib import Path

from tests.support.tables import table
from tests.support.workspaces.page_reader import PageReader, SentForm

ATTACKS: tuple[dict[str, str], ...] = (
    {"change": "listen", "http": "0.0.0.0:80"},
    {"change": "pings", "url": "http://elsewhere/"},
    {"change": "source_added", "path": "/etc"},
    {"change": "source_added", "path": "store", "headless": "true"},
    {"change": "model", "model": '{"base_url":"http://elsewhere/v1","name":"m"}'},
    {"change": "model", "model": '{"program":"claude"}'},
    {"change": "model", "model": "", "api_key": "k"},
    {"change": "model", "environment": "LD_PRELOAD"},
    {"change": "limits", "tokens_per_run": "1", "tokens_per_day": "1", "base_url": "http://elsewhere/v1"},
    {"change": "schedule", "job": "micro_sync", "schedule": "* * * * *"},
    {"change": "schedule", "job": "../x", "schedule": ""},
    {"change": "zone", "timezone": 'UTC"\n[service]\nhttp = "0.0.0.0:80'},
    {"change": "agent_added", "name": "x", "source": "openclaw:main", "may_write": "*"},
    {"change": "agent_added", "name": "x", "source": "openclaw:main", "autonomy": "3"},
    {"change": "agent_added", "name": 'x"]\n[model]\nprogram = "claude', "source": "openclaw:main"},
    {"change": "agent_added", "name": "../../x", "source": "openclaw:main"},
    {"change": "embedder", "kind": "server"},
    {},
)
"""Free paths, addresses, arguments, keys, listen and pings, and models that have not seen a text."""


def _file(reader: PageReader) -> Path:
    return Path(reader.workspace.root, "memory.toml")


def test_a_change_is_looked_at_and_written(changer: PageReader) -> None:
    """The lines are shown first, and nothing is written by the look; then they stand in the file."""
    before = _file(changer).read_text()
    form = next(form for form in changer.get("/settings").forms if form.fields.get("change") == "zone")
    look = changer.get("/settings/change?change=zone&timezone=Asia/Tokyo")
    assert form.fields["timezone"] in before
    assert all(words in look.text for words in ('timezone = "', "Asia", "Tokyo"))
    assert before == _file(changer).read_text()
    answer = changer.post(look.form("/settings/change"))
    assert "Written." in answer.text
    assert 'timezone = "Asia/Tokyo"' in _file(changer).read_text()
    assert "Ustawienia" in PageReader(changer.workspace, "pl").get("/settings").text
    assert "设置" in PageReader(changer.workspace, "zh").get("/settings").text


def test_keys_are_not_shown(changer: PageReader) -> None:
    """A key stands in no line of a look, nor does a password in an address."""
    file = _file(changer)
    model = '[model]\napi_key = "sk-abcdefgh1234567890"\nbase_url = "http://me:sesame9@127.0.0.1:9/v1"\nname = "m"\n'
    file.write_text(f"{file.read_text()}\n{model}")
    limits = "tokens_per_run=7&tokens_per_day=0&backfill_tokens_per_day=0&tokens_in_total=0"
    for path in (f"/settings/change?change=limits&{limits}", "/settings/change?change=model", "/settings"):
        html = changer.get(path).html
        assert "sk-abcdefgh1234567890" not in html
        assert "sesame9" not in html


def test_schedules_are_words(reader: PageReader) -> None:
    """A person picks a time and no crontab line."""
    text = reader.get("/settings").text
    assert "every 3 h" in text
    assert "every Monday at 04:10" in text


def test_what_was_looked_at_is_what_is_written(changer: PageReader) -> None:
    """A file that was edited meanwhile is left alone, and said so."""
    look = changer.get("/settings/change?change=zone&timezone=Asia/Tokyo")
    _file(changer).write_text(_file(changer).read_text() + "# by hand\n")
    answer = changer.post(look.form("/settings/change"))
    assert (409, False) == (answer.status, "Tokyo" in _file(changer).read_text())


def test_a_form_that_was_sent_twice(changer: PageReader) -> None:
    """The second one changes nothing and is no error of the person: the file is another one than what was shown."""
    form = changer.get("/settings/change?change=zone&timezone=Asia/Tokyo").form("/settings/change")
    changer.post(form)
    after = _file(changer).read_text()
    assert 409 == changer.post(form).status
    assert after == _file(changer).read_text()


@table("fields", ATTACKS)
def test_a_stolen_session(changer: PageReader, fields: dict[str, str]) -> None:
    """A session that was stolen finds no form for what is typed at the terminal alone: nothing is written."""
    before = _file(changer).read_bytes()
    seen = changer.get("/settings/change?change=zone&timezone=Asia/Tokyo").form("/settings/change").fields["seen"]
    answer = changer.post(SentForm("/settings/change", {**fields, "seen": seen}))
    assert answer.status in {400, 409, 422}, answer.text
    assert before == _file(changer).read_bytes()


def test_an_agent_of_a_token_sees_no_settings(changer: PageReader) -> None:
    """The page is a person's."""
    assert 403 == changer.workspace.ask("/settings", authorization=f"Bearer {changer.workspace.agent}").status
