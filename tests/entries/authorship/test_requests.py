"""Short words under an empty line that say how a text is wanted: what stands above them is that text."""

from pipeline.entries.authorship import foreign
from tests.support.tables import table

TEXTS = [
    "We agreed to shut the garage on Sundays. From now on all keys hang with Rosa.",
    "Uzgodniliśmy, że w niedziele garaż jest zamknięty. Od teraz wszystkie klucze ma Róża.",
    "我们商定周日关闭车库。从现在起所有钥匙都在小罗那里。",
]
WANTED = [
    "in Spanish please",
    "Dutch version",
    "a bit more formal, thanks",
    "warmer",
    "po hiszpańsku",
    "na francuski poproszę",
    "trochę mniej formalnie",
    "krócej",
    "翻成法文",
    "德语版本谢谢",
    "写得正式一点",
    "更短一些",
]


@table("words", WANTED)
@table("text", TEXTS)
def test_a_text_that_is_wanted_otherwise_is_not_the_owners(text: str, words: str) -> None:
    """In whatever language; with the words on the same line nothing is said of a text."""
    assert ((0, len(text)),) == tuple((start, min(end, len(text))) for start, end in foreign(f"{text}\n\n{words}"))


@table("words", ["ok?", "thanks", "please", "Rosa knows", "dzięki", "jasne", "谢谢", "明白了吗", "done"])
@table("text", TEXTS)
def test_other_words_below_leave_it_the_owners(text: str, words: str) -> None:
    """They ask for nothing to be done with a text."""
    assert () == foreign(f"{text}\n\n{words}")
