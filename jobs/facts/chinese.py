"""How these things are said in Chinese, in simplified characters, into which texts are folded."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from jobs.facts.saying import Saying, SayingWords, sayings
from pipeline.language.detection import Language
from schemas.fact import FactKind

_KIN = (
    "老婆|老公|妻子|丈夫|太太|先生|女朋友|男朋友|对象|妈妈|爸爸|母亲|父亲|妈|爸|姐姐|妹妹|哥哥"
    "|弟弟|姐|妹|哥|弟|女儿|儿子"
    "|奶奶|爷爷|外婆|外公|舅舅|叔叔|阿姨|姑姑|表哥|表姐|表弟|表妹|室友|老板|领导|同事|朋友|闺蜜|导师|房东|猫|狗"
)
_TRADE = (
    "程序员|工程师|设计师|老师|教师|医生|护士|律师|翻译|译者|作家|编辑|记者|学生|研究生|博士生"
    "|厨师|会计|建筑师|音乐人|摄影师"
    "|研究员|产品经理|运维|顾问|自由职业者|退休"
)
_FRAGMENTS = {
    "kin": _KIN,
    "trade": _TRADE,
    "value": "(?P<value>[^，,。；;：:！!？?、（）()]{1,30})",
    "who": rf"(?P<who>(?:我|我们)家?的?(?:{_KIN})|[小老阿][\u4e00-\u9fff]|[a-z][\w'-]*)",
    "very": "(?:很|最|更|比较|特别|非常|真的|还是|一直|其实|超|挺|就)*",
    "now": "(?:现在|目前|一直|平时)?",
    "workplace": (
        "(?P<value>(?!.*(?:旁边|家里|这里|这边|那里|那边|外面|路上|努力|认真|偷偷|忙))[^，,。；;：:！!？?、 ]{2,12}?"
        "(?:工作|上班|上学|读书|读博|念书|教书)(?![的时]))"
    ),
}

_SAYINGS: tuple[Saying, ...] = (
    *sayings(
        FactKind.WORLD,
        _FRAGMENTS,
        {
            "home": (
                "我(?:们)?<now>住在?(?!院|宿舍了|哪)<value>",
                "我(?:已经|现在)?(?P<no>不)住在?<value>",
                "我(?:已经)?搬到了?<value>",
                "<who><now>住在?(?!院|哪)<value>",
            ),
            "origin": (
                "我来自<value>",
                "我是(?P<value>[\u4e00-\u9fff]{2,4}人)",
                "我出生[在于]<value>",
                "我老家在<value>",
            ),
            "name": ("我(?:的名字)?叫(?![你他她它外车快人])<value>",),
            "work": (
                "我<now>在<workplace>",
                "我是(?P<value>(?:一?[名个位])?[\u4e00-\u9fff]{0,6}(?:<trade>))",
                "<who><now>在<workplace>",
                "<who>是(?P<value>(?:一?[名个位])?[\u4e00-\u9fff]{0,6}(?:<trade>))",
            ),
            "birthday": ("我的?生日[是在]<value>", "<who>的?生日[是在]<value>"),
        },
        "single passing",
    ),
    *sayings(
        FactKind.WORLD,
        _FRAGMENTS,
        {
            "called": ("(?P<who>(?:我|我们)家?的?(?:<kin>))(?:名字)?叫(?![你他她它外车快人我])<value>",),
            "diet": (
                "我(?:从来|从|平时)?(?P<value>不[吃喝抽][^了，,。；;：:！!？?、这那]{1,12})(?!了)",
                "我(?P<value>吃素|是素食者)",
            ),
            "allergy": (
                "我(?P<value>对[^，,。；;：:！!？?]{1,12}过敏)",
                "<who>(?P<value>对[^，,。；;：:！!？?]{1,12}过敏)",
            ),
            "has": (
                ("我(?:们)?家?有(?P<value>[一两二三四1-4][个只条](?:猫|狗|孩子|小孩|女儿|儿子|哥哥|姐姐|弟弟|妹妹))"),
            ),
            "speaks": ("我会说<value>", "<who>会说<value>"),
            "role": ("<who>是(?P<value>我们?的?(?!最|首选|选择)[\u4e00-\u9fff]{2,10})",),
        },
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {
            "likes": (
                "我<very>(?:喜欢|喜爱|热爱|爱吃|爱喝)(?!的)<value>",
                "我<very>(?P<no>不再|不太|不怎么|不大|不)<very>(?:喜欢|爱吃|爱喝)<value>",
                "我<very>(?P<no>讨厌)<value>",
            ),
            "prefers": (
                "我<very>(?:偏好|偏爱|习惯用)<value>",
                "我<very>(?P<no>不再?|已经不)(?:偏好|偏爱|习惯用)<value>",
            ),
        },
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {"habit": ("我(?:总是|从来不|从不|一向|习惯)(?P<value>[用喝吃穿坐写买][^，,。；;：:！!？?、]{1,20})",)},
        "passing",
    ),
    *sayings(
        FactKind.OPINION,
        _FRAGMENTS,
        {"favourite": ("我最(?:喜欢|爱)的(?P<what>[\u4e00-\u9fff]{1,6}?)是<value>",)},
        "single",
    ),
)

CHINESE = SayingWords(
    code=Language.CHINESE,
    lead=re.compile(
        r"\W*(?:(?:对了|另外|还有|顺便(?:说一?下?|一提)?|其实|哦|嗯|啊|好的?|那个|你好|请?记住|记得"
        r"|请?记一?下|请?记下来|别忘了)[，,：: ]*)*"
    ),
    sayings=_SAYINGS,
    relatives=re.compile(rf"(?:我|我们)家?的?(?:{_KIN})"),
    contextual=re.compile(
        "[这那它你他她哪第]|什么|怎么|上面|前面|后面|前者|后者|以上|.*(?:方案|版本|选项|主意|想法"
        "|说法|这样|那样|一点|你|刚才)|.{1,2}[它他她](?!人)|[a-d]$"
    ),
    goes_on=re.compile("但|不|只|因为|而|和|或|除了|直到|尤其"),
    done=(
        re.compile("(?:好了[，,。 ]*)?我?(?:已经?)?(?:把(?P<value>.{4,}?)(?:修好|修复|解决|改好)了?.*)"),
        re.compile("(?:好了[，,。 ]*)?(?:我(?:已经?)?|已)(?:修好|修复|解决)了?(?P<value>.{6,})"),
        re.compile("(?:修好|修复|解决)了(?P<value>.{6,})"),
    ),
)
