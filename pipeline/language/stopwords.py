"""Words without a meaning of their own: English, Polish (without accents) and Chinese lists for three uses.

`WORDS` are left out of a question, and lie in every index. `FREQUENT` do not distinguish entries: there a name of two
letters counts, so all small words have to be known. `EMPTY` are left out where the words of one conversation are
compared, by their first five letters from four letters on. With `FREQUENT` in their place fewer decisions were found in
labelled conversations, and fewer repetitions recognised; with `WORDS` other lines came into the wrap-ups, and no better
ones.
"""

from typing import Final

# One list, since a question does not say its language. Left out are words that mean something in the other one or to a
# developer: ale, go, jest, may, most, pan, pod, ten, will. What is frequent weighs little in BM25 anyhow.
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
"""Words that only point to something earlier: no answer has them."""
WORDS: Final = frozenset((_ENGLISH + _POLISH + _OF_OLD).split())

_TALK_ENGLISH = """
a able about after again ago all already also always am an and another any anyway are as at back be because been
before being best better between both but by call came can cannot cant come could day days did didnt do does
doesnt doing done dont down each else end enough even ever every everything few find first for from get gets
getting give go goes going good got had has have he help her here him his how however i if im in into is isnt it
its just keep keeps kept kind know last late least leave less let lets like little long look lot made make makes
making many may maybe me mean means might month months more most much must my need needs never new next no
nobody none not nothing now of off ok okay old on once one only or other our out over own part per place please
put ready really right said same say see set she should since so some something soon stay stays still stop such
sure take takes than thank that thats the their them then there these they thing things think this those through
time times to today together tomorrow too try two under until up us use used uses using very via want wants was
way we week weeks well were what when where which while who whole why will with without wont work works would
year years yes yet you your ll ve re oh id don doesn didn isn wasn aren weren haven hasn won couldn
wouldn shouldn yeah um uh hmm mm hm ah haha lol gonna wanna
"""

_TALK_POLISH = """
albo ale ani bardzo bedzie bez bo by byc byl byla bylo byly chce chcemy chyba ci cie co cos czas czego czy czyli
dla dlatego do dobra dobrze dopiero duzo dwa dzien dzis dzisiaj gdy gdyby gdzie go i ich ile im inne inny ja jak
jaka jaki jakie jako jakis je jeden jedna jednak jedno jego jej jest jestem jesli jeszcze jezeli juz kazda kazde
kazdy kiedy kilka kto ktora ktore ktorego ktorej ktory lat ma maja mam mamy mi miec mnie moga moge moze mozna
moj moja moje musi musze my na nad nam nas nasz nasza nasze nawet nic nie niech nigdy nim no o od ok on ona one
oni oraz po pod poza potem prosze przed przez przy rok roku robic robimy sa sam sama same sie sobie swoj ta tak
taka taki takie takze tam te tego tej ten teraz tez to toba trzeba tu tutaj twoj ty tych tydzien tygodnie tylko
tym u w we wiec wiem wlasnie wszystkie wszystko wtedy z za zawsze ze zeby zostaje zostaja zrob zrobic
"""

_TALK_CHINESE = """
我们 你们 他们 这个 那个 这样 那样 什么 怎么 可以 不是 就是 还是 没有 一个 一下 现在 以后 今天 明天
时候 因为 所以 但是 如果 已经 需要 应该 全部 所有
"""

FREQUENT: Final = frozenset((_TALK_ENGLISH + _TALK_POLISH + _TALK_CHINESE).split())
"""Words of any conversation, in lower case and without diacritics; they distinguish no subjects."""

_LONGER = """
that this then than them they what when where which with will would from have here there your yours just like also
some only into about over been were does dont should could still more most much very want need make made back good
okay yeah jest jestem tylko jeszcze teraz moze bardzo albo zeby kiedy ktory ktora ktore tego tych temu jako przez
nich mnie sobie bedzie beda dobra dobrze wiec oraz jednak wszystko trzeba mamy byla bylo
"""
EMPTY: Final = frozenset(_LONGER.split())
"""Longer words that are about nothing."""

FUNCTION: Final = frozenset(
    "的了我你他她它是就也都和与这那吧吗呢啊把被给让跟很还又着们么嘛之不没一二两三四五六七八九十个每第"
)
"""Chinese characters of grammar: a pair with one of them is no word."""
