"""What belongs to the languages and not to any subject: words that stand in all talk, and the two Chinese scripts."""

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

# Characters that the two scripts write differently and that are frequent in talk about work and life.
_TRADITIONAL = (
    "誌萬與專業東絲兩嚴個豐臨為麗舉義樂習鄉書買亂爭於虧雲亞產親億僅從倉儀們價眾優會傳傷倫偽體餘傭佔來兒黨蘭"
    "關興養獸內岡冊寫軍農馮沖決況凍淨準涼減湊幾鳳憑凱擊劃劉則剛創刪別剎劑劇勸辦務動勵勞勢勻區醫華協單賣盧"
    "衛卻廠廳歷壓厭縣參雙發變敘號嘆葉嗎聽啟員問喪嘗團園圍國圖圓聖場壞塊堅壇報壺處備復夠頭誇夾奪奮獎婦媽嬌"
    "孫學寧寶實審憲宮寬賓對尋導將爾塵層屬歲島嶺幣帥師帳帶幫庫應廟廢開異棄張強彈錄徹徑後憶懷態憐總戀懸戰戲"
    "戶執擴掃揚換據揮損搖搶撥擇擋擔攜攝敗敵數斷無舊時曆顯曉暫術樸機殺雜權條極構槍標樣樓檢櫃檔橋歡歐殘毀氣"
    "漢湯溝沒淚潔灑測濟渾濃渦漲潤滅滿滾漁濕溫遊灣濱滯災爐點煉燒熱愛爺牽犧狀獨獄獲環現瑪電畫暢療瘋癥監盤著"
    "睜矚礎碼磚確禮禍離種積稱穩窮競筆築簽簡籃糧紀約紅純紙級細終組結給絕統經綁維綱網緊線編緩練緒縮績織繼續"
    "纜罷羅聯聰職聲腦腳脫臟臉艙藝節蘇範薦藥虛蟲蠟補裝裡製複見規視覺覽觸計訂認討讓訓議訊記講許論設訪證評識"
    "訴診詞譯試詩話該詳語誤說請諸課誰調談謀謂謝謹護讀貝負財責賢貨質販貪購貫費貼貴貸資賠賞賴贊贈趕趨跡踐躍"
    "車軌軟轉輪輕載較輔輛輸輯辭邊達遷過運還這進遠連遲適選遞遺郵鄰釋鐘針鈕鋼錢鍵鎖錯鏈鏡鐵長門閃閉間閱隊階"
    "際陸險隨隱難靈靜頁頂項順須預頓領頻題額顏願類風飛飯飲館馬駐驅驗驚髮魚鮮鳥黃齊齒龍龜檯鏽餅鬆麼擺緣"
)

_SIMPLIFIED = (
    "志万与专业东丝两严个丰临为丽举义乐习乡书买乱争于亏云亚产亲亿仅从仓仪们价众优会传伤伦伪体余佣占来儿党兰"
    "关兴养兽内冈册写军农冯冲决况冻净准凉减凑几凤凭凯击划刘则刚创删别刹剂剧劝办务动励劳势匀区医华协单卖卢"
    "卫却厂厅历压厌县参双发变叙号叹叶吗听启员问丧尝团园围国图圆圣场坏块坚坛报壶处备复够头夸夹夺奋奖妇妈娇"
    "孙学宁宝实审宪宫宽宾对寻导将尔尘层属岁岛岭币帅师帐带帮库应庙废开异弃张强弹录彻径后忆怀态怜总恋悬战戏"
    "户执扩扫扬换据挥损摇抢拨择挡担携摄败敌数断无旧时历显晓暂术朴机杀杂权条极构枪标样楼检柜档桥欢欧残毁气"
    "汉汤沟没泪洁洒测济浑浓涡涨润灭满滚渔湿温游湾滨滞灾炉点炼烧热爱爷牵牺状独狱获环现玛电画畅疗疯症监盘着"
    "睁瞩础码砖确礼祸离种积称稳穷竞笔筑签简篮粮纪约红纯纸级细终组结给绝统经绑维纲网紧线编缓练绪缩绩织继续"
    "缆罢罗联聪职声脑脚脱脏脸舱艺节苏范荐药虚虫蜡补装里制复见规视觉览触计订认讨让训议讯记讲许论设访证评识"
    "诉诊词译试诗话该详语误说请诸课谁调谈谋谓谢谨护读贝负财责贤货质贩贪购贯费贴贵贷资赔赏赖赞赠赶趋迹践跃"
    "车轨软转轮轻载较辅辆输辑辞边达迁过运还这进远连迟适选递遗邮邻释钟针钮钢钱键锁错链镜铁长门闪闭间阅队阶"
    "际陆险随隐难灵静页顶项顺须预顿领频题额颜愿类风飞饭饮馆马驻驱验惊发鱼鲜鸟黄齐齿龙龟台锈饼松么摆缘"
)

SIMPLER = str.maketrans(_TRADITIONAL, _SIMPLIFIED)
"""From traditional to simplified characters, for `str.translate`."""
