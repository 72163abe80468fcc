"""What a person typed, in OpenCode."""

from pipeline.adapters.sources.speakers.opencode import extract_typed_words
from tests.support.tables import table


@table(
    ("text", "words"),
    [
        ('"From now on we deploy on Tuesdays."', "From now on we deploy on Tuesdays."),
        ('"Nazywaj to \\"wydaniem\\", nie inaczej."', 'Nazywaj to "wydaniem", nie inaczej.'),
        ("以后周报都在周四发。", "以后周报都在周四发。"),
        ('"Never" is a word. So is "ever"', '"Never" is a word. So is "ever"'),
        ('"word"', '"word"'),
    ],
)
def test_an_argument_of_the_command_line_is_no_quotation(text: str, words: str) -> None:
    """`opencode run` puts quotation marks around an argument with blanks in it."""
    assert words == extract_typed_words(text)
