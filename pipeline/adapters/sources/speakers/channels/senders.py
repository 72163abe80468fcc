"""The names of senders in channels, in the one form in which they are compared."""

import re

CHANNELS = (
    "WebChat|WhatsApp|Telegram|Signal|Slack|Discord|Google Chat|iMessage|SMS|Teams|Microsoft Teams|Matrix|Mattermost|"
    "Zalo|Zalo Personal|BlueBubbles|LINE|Feishu|Lark|WeChat|WeCom|QQ|QQBot|DingTalk|Nostr|IRC|Twitch|"
    "Nextcloud Talk|Tlon|Voice"
)
# Surfaces on the gateway's own host: no channel account speaks there.
LOCAL = frozenset({"openclaw-control-ui", "openclaw-tui", "gateway-client", "webchat-ui", "webchat", "cli"})

_BEFORE_AN_ID = frozenset(
    {*CHANNELS.lower().split("|"), "googlechat", "msteams", "user", "uuid", "direct", "dm", "phone", "tel"}
)
_NUMBER = re.compile(r"\+?\d+")
_IN_PARENTHESES = re.compile(r"\(@?([^()\n]+)\)\s*\Z")


def sender_name(name: str) -> str:
    """A sender's id or user name in the one form that is compared: no channel before it, no `@`, small letters.

    Only the name of a channel is cut: in the ids of Matrix and IRC what stands before a colon is the person.
    """
    name = name.strip()
    while ":" in name:
        before, _, rest = name.partition(":")
        if before.lower() not in _BEFORE_AN_ID:
            break
        name = rest
    name = name.lstrip("@")
    # Other letters have look-alikes that become equal when they are made small.
    return name.lower() if name.isascii() else name


def names(*values: object) -> tuple[str, ...]:
    """The names among these values, each in the form that is compared."""
    said = (sender_name(str(name)) for name in values if isinstance(name, str | int) and name)
    return tuple(name for name in said if name)


def user_names(*values: object) -> tuple[str, ...]:
    """The same for chosen names: one that looks like a number could be another person's id elsewhere."""
    return tuple(name for name in names(*values) if not _NUMBER.fullmatch(name))


def is_number(name: str) -> bool:
    """Whether a name is a number, as ids and telephone numbers are."""
    return _NUMBER.fullmatch(name) is not None


def nickname(name: str) -> str:
    """A name that anybody can choose: it distinguishes senders, but is no id."""
    return f"name {name.strip()}"


def labelled(label: str) -> tuple[str, ...]:
    """The sender in a label before or after the words. It may be a chosen name from end to end, so it is no proof."""
    inside = _IN_PARENTHESES.search(label[-200:])
    return names(inside[1]) if inside else (nickname(label),)
