"""What a question is asked with, and what holds sentences together, in English and Polish (without accents).

One list for both, since a question does not say its language. Left out are words that mean something in the other one
or to a developer: ale, go, jest, may, most, pan, pod, ten, will. What is frequent weighs little in BM25 anyhow.
"""

from typing import Final

_ENGLISH = """
a about am an and any are as at be been but by can could did do does doing done for from had has have he her here him
his how i if in into is it its me my no not of on or our out she should so some than that the their them then there
these they this those to up us was we were what when where which while who whom whose why with would you your
"""
_POLISH = """
aby albo beda bede bo by byc byl byla byli bylo byly bym chyba ci co czego czemu czy czyli czym dla dlaczego do gdy
gdzie i ich ile im ja jak jaka jaki jakich jakie jakiego jakiej je jego jej jestem kiedy kogo komu kto ktora ktore
ktorego ktorej ktory ktorych ktorym lub ma mam mamy mi mial miala mialem mnie moj moja moje my na nam nas nasz nasza
nasze nie niz o od oraz po przez przy sa sie ta tak te tego tej tez to tym u w we wiec z za ze
"""
_OF_OLD = """
ago before beforehand earlier formerly originally previously
dawniej kiedys poczatkowo pierwotnie poprzednio przedtem temu wczesniej
"""
"""What only tells that something older is meant: it is in no answer."""
WORDS: Final = frozenset((_ENGLISH + _POLISH + _OF_OLD).split())
