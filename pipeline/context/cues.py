"""The words by which a line is a denial, a correction or a decision, in each language, over folded text."""

import re
from collections.abc import Mapping

from pipeline.language.cues import Cues, cues
from schemas.conversation import NoteKind

_ENGLISH: Mapping[NoteKind, Cues] = {
    NoteKind.DENIAL: cues(
        "no; not; never; none; nobody; nothing; neither; nor; cannot; without; don'?t; doesn'?t; didn'?t",
        "won'?t",
        "can'?t; isn'?t; aren'?t; wasn'?t; weren'?t; shouldn'?t; mustn'?t; reject(?:s|ed)?",
        "refus(?:e|es|ed)",
        "declin(?:e|es|ed); den(?:y|ies|ied); forbid(?:s|den)?; forbade; off[ -]limits; ruled out; stop",
        "avoid",
    ),
    NoteKind.CORRECTION: cues(
        "actually; correction; i meant; i mean; instead(?: of)?; rather than; not .{1,40} but",
        "changed? (?:my|our) minds?",
        "scratch that; wrong; mistaken; misspoke; sorry,; on second thought; no longer; any ?more",
        "replaces?; take back",
        "it'?s now; is now; renamed; moved to; switch(?:ed)? (?:from|back|to)",
    ),
    NoteKind.DECISION: cues(
        "decid(?:e|es|ed); decision; agreed?; settled; go(?:ing)? with; we(?:'ll| will| use|'re going)?",
        "let'?s; must",
        "yes; yep; yeah; yup; ok; okay; deal; sure; approve; i'?ll; we'?re; stays?; drop; kill; no need",
        "out; chose; chosen; choose; pick(?:ed)?; stick with; keep; use; always; only; rule; from now on",
        "remember; important",
        "need to; have to; has to; should; required?; mandatory; approved?; final; deadline; i want",
        "i need; prefer",
    ),
}
_POLISH: Mapping[NoteKind, Cues] = {
    NoteKind.DENIAL: cues(
        "nie; nigdy; zaden; zadna; zadnego; zadnych; zadne; nikt; nikogo; nic; ani; bez; odrzuc\\w*",
        "odmaw\\w*; odmow\\w*",
        "zabrani\\w*; zakaz\\w*; wyklucz\\w*; rezygnuj\\w*; zrezygnow\\w*; unika\\w*",
    ),
    NoteKind.CORRECTION: cues(
        "jednak; poprawk\\w*; poprawiam; zamiast; raczej; pomyl\\w*; mialem na mysli; mialam na mysli",
        "chodzilo; blad",
        "zmieni\\w* zdanie; wlasciwie; sprostowan\\w*; cofam; juz nie; od teraz; teraz to; przenies\\w*",
        "przemianowa\\w*",
    ),
    NoteKind.DECISION: cues(
        "tak; zgoda; dobra; ok; okej; zostaje; wylatuj\\w*; leci; przechodz\\w*; bierz\\w*; robimy",
        "decyduj\\w*; decyzj\\w*; zdecydow\\w*; ustal\\w*; postanow\\w*; umow\\w*; wybier\\w*; wybra\\w*",
        "zostaj\\w*; musi\\w*",
        "trzeba; nalezy; uzyw\\w*; zawsze; tylko; zasad\\w*; pamietaj; zapamietaj; wazne; termin; chce",
        "potrzebuj\\w*; wol\\w*",
    ),
}
_CHINESE: Mapping[NoteKind, Cues] = {
    NoteKind.DENIAL: cues("不; 没; 别; 无; 禁止; 拒绝; 从不; 未; 勿; 否"),
    NoteKind.CORRECTION: cues("其实; 更正; 改成; 改为; 而是; 不是; 换成; 说错; 搞错; 收回; 不再; 纠正"),
    NoteKind.DECISION: cues(
        "好; 对; 行; 可以; 就; 改; 用; 要; 推掉; 算了; 统一; 全部; 永远; 每",
        "决定; 确定; 同意; 选; 采用; 就用; 使用; 必须; 一定; 总是; 只; 规则; 记住",
        "需要",
        "应该; 截止; 定为; 定在; 以后; 重要; 要求; 批准",
    ),
}


def _compiled(kind: NoteKind) -> re.Pattern[str]:
    words = "|".join((*_ENGLISH[kind], *_POLISH[kind]))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)|{'|'.join(_CHINESE[kind])}")


CUES: Mapping[NoteKind, re.Pattern[str]] = {kind: _compiled(kind) for kind in _ENGLISH}
"""A pattern for each of these kinds."""
