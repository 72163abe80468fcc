"""A sub-agent's task that bears no mark of its own."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from datetime import timedelta
from pathlib import Path

import pytest

from pipeline.adapters.sources.speakers.tasks import AT_ONCE, is_bare_task
from tests.support.builders import harness_texts as shape
from tests.support.builders.harness_texts import WORDS
from tests.support.builders.long_texts import busy_at_most, long_texts
from tests.support.builders.openclaw_lines import START, OpenClawLines, said
from tests.support.tables import table

TASK = {
    "english": "Research the opening hours of five bakeries in the old town and write them into a table.\n\n"
    "Instructions:\n1. Search each bakery by its name.\n2. Open its own page and note the hours.\n"
    "3. Check the hours on a second page.\n4. Write the table to research/bakeries.md.\n\n"
    "Rules:\n- Always cite your sources with URLs.\n- Never guess an opening hour.\n- Do not restart from scratch.\n"
    "- Keep the table short: one line for each bakery.\n",
    "polish": "Sprawdź godziny otwarcia pięciu piekarni na starym mieście i zapisz je w tabeli.\n\n"
    "Instrukcje:\n1. Wyszukaj każdą piekarnię po nazwie.\n2. Otwórz jej stronę i zanotuj godziny.\n"
    "3. Porównaj godziny z drugą stroną.\n4. Zapisz tabelę w research/piekarnie.md.\n\n"
    "Zasady:\n- Zawsze podawaj źródła z adresami.\n- Nigdy nie zgaduj godzin.\n- Nie zaczynaj od nowa.\n"
    "- Tabela ma być krótka, jeden wiersz na piekarnię.\n- Odpowiedz dopiero po zapisaniu tabeli.\n",
    "chinese": "调查老城区五家面包店的营业时间，并整理成一张表格。\n\n"
    "步骤：\n1. 按名称逐一搜索面包店。\n2. 打开官方页面，记录营业时间。\n3. 在第二个页面核对营业时间。\n"
    "4. 把表格写入 research/bakeries.md。\n\n"
    "要求：\n- 一律注明来源网址。\n- 不要猜测营业时间。\n- 不要从头开始。\n- 表格保持简短，每家一行。\n"
    "- 如果页面打不开，换一个来源，并在备注里说明原因。\n- 所有时间使用二十四小时制。\n"
    "- 完成之后直接返回表格，不要加任何评论。\n",
}


def first(text: str, delay: timedelta) -> OpenClawLines:
    """A session whose first record in a person's place comes this long after its beginning."""
    lines = OpenClawLines(timestamp=START.isoformat())
    lines.add(
        {
            "type": "message",
            "message": {"role": "user", "content": text},
            "timestamp": (START + delay).isoformat(),
        }
    )
    return lines


@table("language", TASK)
def test_a_bare_task_of_a_sub_agent_has_all_its_marks(tmp_path: Path, language: str) -> None:
    """A long list of instructions, a bare stamp, nobody else, and no time to type it."""
    lines = first(shape.stamped(TASK[language]), AT_ONCE)
    lines.assistant("Written.")
    session = lines.read(tmp_path)
    assert ["machine", "machine"] == [origin for origin, _ in said(session)]
    assert session.machine


@table("language", TASK)
@table(
    ("text", "delay"),
    [
        (shape.stamped("{task}"), timedelta(seconds=4)),
        (shape.stamped("{task}"), timedelta(seconds=-1)),
        (shape.surface("{task}"), AT_ONCE),
        (shape.metadata("{task}"), AT_ONCE),
        ("{task}", AT_ONCE),
        (shape.stamped("{words}"), AT_ONCE),
        (shape.stamped("{words}\n" * 20), AT_ONCE),
        (shape.stamped("{task}\n{mine}"), AT_ONCE),
    ],
)
def test_one_mark_less_and_it_is_a_persons_first_message(
    tmp_path: Path, language: str, text: str, delay: timedelta
) -> None:
    """A person's long first message is never lost for its look alone."""
    mine = {"english": "I live in the old town.", "polish": "To moja dzielnica.", "chinese": "我住在老城区。"}
    words = text.replace("{task}", TASK[language]).replace("{words}", WORDS[language])
    lines = first(words.replace("{mine}", mine[language]), delay)
    assert ["owner"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_where_a_person_goes_on_the_first_message_was_a_persons(tmp_path: Path) -> None:
    """A sub-agent gets its task, and then nothing."""
    lines = first(shape.stamped(TASK["english"]), AT_ONCE)
    lines.assistant("Written.")
    lines.user(shape.stamped("now the butchers too"))
    assert ["owner", "assistant", "owner"] == [origin for origin, _ in said(lines.read(tmp_path))]


@table(
    ("minutes", "text", "delay", "origin"),
    [
        (60.0, shape.stamped("Find five bakeries."), AT_ONCE, "machine"),
        (61.0, shape.stamped("znajdź pięć piekarni"), AT_ONCE, "machine"),
        (60.5, shape.stamped("我想找五家面包店"), AT_ONCE, "machine"),
        (45.0, shape.stamped("Find five bakeries."), AT_ONCE, "owner"),
        (1440.0, shape.stamped("Find five bakeries."), AT_ONCE, "owner"),
        (60.5, shape.stamped("Find five bakeries."), timedelta(seconds=4), "owner"),
        (60.5, "Find five bakeries.", AT_ONCE, "owner"),
    ],
)
def test_the_gateway_deletes_a_sub_agents_session_after_an_hour(
    tmp_path: Path, minutes: float, text: str, delay: timedelta, origin: str
) -> None:
    """The time in the name of the file tells whose a single message at the beginning is, whatever it says."""
    time = (START + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H-%M-%S.000Z")
    lines = first(text, delay)
    assert [origin] == [spoken for spoken, _ in said(lines.read(tmp_path, path=f"8f1c2d.jsonl.deleted.{time}"))]


@pytest.mark.processor
def test_a_long_text_takes_no_time() -> None:
    """Whatever stands behind the stamp: each text takes hundredths of a second, and all of them some time."""
    for text in long_texts(60_000):
        with busy_at_most(4):
            assert ("Rules" in text) >= is_bare_task(shape.stamped(text), AT_ONCE)
