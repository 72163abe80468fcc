"""What belongs to the languages and not to any subject: words that stand in all talk."""

_ENGLISH = """
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

_POLISH = """
albo ale ani bardzo bedzie bez bo by byc byl byla bylo byly chce chcemy chyba ci cie co cos czas czego czy czyli
dla dlatego do dobra dobrze dopiero duzo dwa dzien dzis dzisiaj gdy gdyby gdzie go i ich ile im inne inny ja jak
jaka jaki jakie jako jakis je jeden jedna jednak jedno jego jej jest jestem jesli jeszcze jezeli juz kazda kazde
kazdy kiedy kilka kto ktora ktore ktorego ktorej ktory lat ma maja mam mamy mi miec mnie moga moge moze mozna
moj moja moje musi musze my na nad nam nas nasz nasza nasze nawet nic nie niech nigdy nim no o od ok on ona one
oni oraz po pod poza potem prosze przed przez przy rok roku robic robimy sa sam sama same sie sobie swoj ta tak
taka taki takie takze tam te tego tej ten teraz tez to toba trzeba tu tutaj twoj ty tych tydzien tygodnie tylko
tym u w we wiec wiem wlasnie wszystkie wszystko wtedy z za zawsze ze zeby zostaje zostaja zrob zrobic
"""

_CHINESE = """
我们 你们 他们 这个 那个 这样 那样 什么 怎么 可以 不是 就是 还是 没有 一个 一下 现在 以后 今天 明天
时候 因为 所以 但是 如果 已经 需要 应该 全部 所有
"""

FREQUENT = frozenset((_ENGLISH + _POLISH + _CHINESE).split())
"""Words that stand in talk about anything, in lower case and without diacritics; they tell no subject apart."""

_SETTLING = """
accep agree annou chang confi decid decis fine forget fixed migra mind move note remem remin rule settl shift
switc swear
decyz posta potwi pamie przyp uzgod ustal ustas zapam zapis zasad zdani zdecy zgoda zmian zmien
决定 记住 定了 说好 主意 改主 规定 商量 规则 同意 确认 记下 说定 定下 就定 定为
"""

SETTLING = frozenset(_SETTLING.split())
"""Stems of the words with which something is settled, changed or called to mind: they tell of no thing."""

FUNCTION = frozenset("的了我你他她它是就也都和与这那吧吗呢啊把被给让跟很还又着们么嘛之不没一二两三四五六七八九十个每第")
"""Chinese characters of grammar: a pair with one of them is no word."""
