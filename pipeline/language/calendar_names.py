"""How months, weekdays and parts of the day are named in English, Polish and Chinese, in texts made `flat`."""

from typing import Final

# Polish names stand here in the cases dates are written in. The index makes terms of them: see `analysis.VERSION`.
_NAMES = (
    "jan january styczen stycznia styczniu styczniem",
    "feb february luty lutego lutym lutemu",
    "mar march marzec marca marcu marcem",
    "apr april kwiecien kwietnia kwietniu kwietniem",
    "may maj maja maju majem",
    "jun june czerwiec czerwca czerwcu czerwcem",
    "jul july lipiec lipca lipcu lipcem",
    "aug august sierpien sierpnia sierpniu sierpniem",
    "sep sept september wrzesien wrzesnia wrzesniu wrzesniem",
    "oct october pazdziernik pazdziernika pazdzierniku",
    "nov november listopad listopada listopadzie",
    "dec december grudzien grudnia grudniu",
)
MONTHS: Final = {name: month for month, names in enumerate(_NAMES, start=1) for name in names.split()}
"""The number of a month by its name, in lower case without accents."""

MONTH: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
"""Any of these names, for a pattern."""

DOUBTFUL: Final = {name for name in MONTHS if len(name) <= len("sept")} - {"luty", "june", "july"} | {
    "march",
    "maja",
    "august",
}
"""Names that are other words too: they are months beside a day, a year or a preposition."""

WEEKDAYS: Final = {
    "mon": "mondays?|poniedzial[a-z]+",
    "tue": "tuesdays?|wtor(?:ek|k)[a-z]*",
    "wed": "wednesdays?|srod(?:a|y|e|zie|ami|ach)",
    "thu": "thursdays?|czwart(?:ek|k)[a-z]*",
    "fri": "fridays?|piat(?:ek|k)[a-z]*",
    "sat": "saturdays?|sobot[a-z]*",
    "sun": "sundays?|niedziel[a-z]*",
}
"""The days of the week from Monday on, in any case and number."""

HAN_WEEK: Final = "(?:周|星期|礼拜)"
HAN_WEEKDAYS: Final = "一二三四五六日天"
"""The characters behind `HAN_WEEK`, from Monday on; the last two are both Sunday."""

PARTS_OF_DAY: Final = {
    "morning": "mornings?|rano",
    "noon": "noon|w poludnie",
    "afternoon": "afternoons?|po ?poludniu",
    "evening": "evenings?|wieczor[a-z]*",
    "night": "nights?|midnight|noca",
}
HAN_PARTS_OF_DAY: Final = {
    "早上": "morning",
    "上午": "morning",
    "中午": "noon",
    "下午": "afternoon",
    "傍晚": "evening",
    "晚上": "evening",
    "凌晨": "night",
    "半夜": "night",
}
TODAY: Final = r"\b(?:today|tonight|dzis(?:iaj)?)\b|今[天晚日]"
