"""English."""

from pipeline.entries.authorship.cues import Foreign
from pipeline.language.cues import cues

# `from the first of May` is no source, nor is `from my side`.
_TIME = (
    r"(?!\w*(?:start|first|beginning|day|week|month|year|moment|next|\d)|(?:side|end|view|perspective|point|part)\b)"
)
_FROM = rf"from (?:the|a|an|my|our|his|her|their) {_TIME}\w+"
_TURNED = (  # `turn this into a haiku`, and not `keep this in mind`
    r"(?!keep|put|write|store|save|jot|note|remember|file|log|set|back|hook|wire|lock|mark)\w+ (?:this|that|it|these) "
    r"(?:into|as|up|in (?:\w+ish|french|german|chinese|japanese))"
)
_CALLED = (  # `You are Max.`, and not `You are right.`
    r"you(?:'re| are) (?!right|wrong|welcome|late|good|great|funny|sure|kidding|correct|smart|done|free|so|too|very|"
    r"not)[\w-]+(?= ?[.!]|$)"
)
# The head of an English compound is its last noun: `log lines` are no log, but `log output` is output. Only a thing is
# such a head. A person (`email tenants`), a name (`slack brandon`) and a part of a text (`chat excerpts`) are none, nor
# is a case of another language (`mail szefa`); so a head is a plural that is none of these, or is listed here.
_NO_HEAD = (
    r"(?:<source>|<role>|<name>|<says>|<hands>|<header>)s?|\w+(?:er|or|ant|ent|ee|ist|ian|wo?man)s|\w+[aiou]s"
    r"|this|always|afterwards|does|goes|comes|has|his|hers|ours|yours|theirs|\w+days|news|guests|kids|boys|girls"
    r"|friends"
    "|colleagues|folks|guys|mates|parts|pieces|excerpts|extracts|snippets|fragments|dumps|exports|contents|details"
    "|copies|versions|bits|entries|words|answers|threads|chats|groups|channels|boards"
)
_THING = (
    "servers?|headers?|footers?|folders?|filters?|levels?|format|style|layout|template|queue|size|length|width|height"
    "|limit|order|colou?r|font|tone|path|address|pool|budget|deadline|signature|structure|archive|storage|backup"
    "|hosting"
    r"|domain|provider|\w{3,}(?:tion|ness|ity)"
)
_HEAD = rf"(?:{_THING}|(?!(?:{_NO_HEAD})\W*$)[a-z]{{3,}}s)"
_COMPOUND = rf"(?:(?:for|in|on|all|every|any|new|and|the|my|our|your) ){{0,4}}(?:<source> ){{1,3}}{_HEAD}"

ENGLISH = Foreign(
    bounded=True,
    forward=cues(
        r"(?:fwd?|fw)(?= ?[:\]\n-]|$); forwarded (?:message|from|by|e-?mail|mail)|forwarded(?= ?[:\]-]|$)",
        "forwarding (?:this|a|an|the|his|her|you); begin forwarded message; original message",
    ),
    sender=cues("from; sender; reply-to"),
    header=cues("to; cc; bcc; sent; date; subject; re"),
    subject=cues("subject; re"),
    wrote=cues("on .{4,90}(?:wrote|writes)"),
    salutation=cues("dear (?!diary)[^.!?]{1,60}; to whom it may concern; ladies and gentlemen"),
    greeting=cues(r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: [^\W\d]+){0,4}"),
    farewell=cues(
        "(?:kind |best |warm )?regards; best(?: wishes)?; cheers; sincerely; yours(?: truly| sincerely| faithfully)?",
        "thanks and regards; respectfully; sincerely yours; many thanks",
        "thank you for your (?:understanding|attention|cooperation)",
    ),
    device=cues(r"sent from my \w+; get outlook for \w+; unsubscribe; confidentiality notice; all rights reserved"),
    notice=cues(
        "(?:public |important )?notice; notice to [^.:]{2,40}; attention [^.:]{2,40}; announcement; memo(?:randum)?",
        "to (?:all|the) (?:staff|tenants|residents|employees|customers|users|parents|members)[^.:]{0,30}",
        "press release",
    ),
    role=cues(
        "user; assistant; human; system; q; him; her; ai; bot; agent; me; boss; (?:the |my )?manager; client",
        "customer",
        "support; landlord; teacher; doctor; lawyer; mum; mom; mother; dad; father; wife; husband; colleague; ceo",
        "cto",
        "admin; moderator; seller; buyer; narrator; captain; king; queen; interviewer; consultant; director",
        "supervisor; landlady; secretary; accountant; neighbou?r; vendor; recruiter; reviewer; author",
        r"speaker(?: \w+)?",
    ),
    name=cues(
        "bob; bobby; rob; robert; alice; john; johnny; jane; tom; tommy; mike; michael; anna; ann; mary; peter; paul",
        "james; jim; jimmy; david; dave; dan; daniel; steve; steven; stephen; mark; george; kate; katie; emma; emily",
        "sarah; laura; lisa; linda; susan; sue; karen; nancy; helen; alex; sam; ben; max; jack; harry; oliver",
        "charlie",
        "will; bill; billy; ed; eddie; eve; carol; frank; fred; greg; henry; ian; joe; joseph; josh; kevin; larry",
        "leo",
        "luke; matt; nick; nina; oscar; pat; phil; ray; ron; rose; ruth; ryan; sophie; ted; tim; tony; vera; victor",
        "zoe; amy; andy; andrew; chris; claire; diana; eric; fiona; grace; jenny; jess; jessica; julia; lucy; maria",
        "megan; olivia; rachel; rebecca; simon; stella; thomas; wendy; adam; ali; ahmed; ivan; carlos; jose; priya",
        "ravi; raj; mia; noah; liam; lena; nadia; hannah; felix; marco; pedro; sven; hans; klaus; pierre; yuki; wei",
        "li; chen; mallory; trent; dana; bruce; martin; marcus; neil; oleg; olga; omar; kim; lee; jordan; taylor",
        "morgan; robin",
    ),
    me=cues("me; you"),
    bot=cues(
        r"chat ?gpt(?:-?[\w.]+)?; gpt-?\w[\w.]*; gemini; bard; copilot; perplexity; deepseek; grok; mistral; llama",
        "qwen; claude; kimi; bing chat",
        "(?:the|my|a|another|other|some) (?:other |different )?(?:ai|llm|chat ?bot|bot|model)",
        "(?:another|other|some) assistant",
    ),
    says=cues(
        "says|said|say; (?:he|she|they|it) goes?; writes|wrote|written; reads|states|stated; tells|told",
        "texted|texts|messaged|mailed; e-?mailed|posted; replied|replies|replying with; answered|answers",
        "suggests|suggested; recommends|recommended",
        "advises|advised; announces|announced; claims|claimed; insists; insisted; declares|declared",
        "shouts|shouted|whispers|whispered; asks|asked; thinks; demands|demanded; proclaims; according to",
        "gave me|gave us|came up with|wrote me|wrote back; quotes|quoted|quoting; responds|responded",
        "commented|tweeted; orders me|ordered me; commands; explains|explained; argues|argued; proposes|proposed",
        "mentions|mentioned; returned|returns|printed|prints",
        "(?:he|she|they|boss|manager) (?:has |have |just |already )?decided",
        "(?:team|board|committee|ceo|landlord|client) (?:has |have |just |already )?decided; decided yesterday",
    ),
    hands=cues(
        r"left (?:me |us )?(?:a|an|this|the|some) \w+; (?:handed|gave|showed) (?:me|us)",
        "pasted?; pasting; copied; copy-?pasted?; forwarded; sent (?:me|us|this|it|over|round|around)",
        "(?:got|received|found|saw|read|spotted) (?:this|that|these|the following)|look at this; see below",
        "as follows",
        r"(?:here(?:'s| is| are) |this is )?what (?:\w+ ){1,4}(?:sent|said|wrote|says?|got|told|posted|thinks?)",
        "(?:the |some |what )?following; check this(?: out)?; found (?:on|in|at); below; quote; excerpt",
        _FROM,
        r"not my words; \w+'s words",
        r"\w+'s (?:take|view|opinion|position|verdict|answer|advice|rule|version|reply|message|suggestion)",
        r"here(?:'s| is| are) (?:a|an|my|our|the|his|her|their|some) (?:[\w']+ ){0,3}<source>",
        r"(?:notes|words|minutes|rules|advice|tips) (?:by|from|of the) \w+",
        r"(?:list|policy|quote|line|answer|reply|reminder) (?:by|from|of the) \w+",
    ),
    source=cues(
        r"e-?mail; mail; message; letter; memo; notice; newsletter; readme(?:\.md)?; wiki; handbook; manual; article",
        "blog(?: ?post)?; post; page; website; web ?site; docs; documentation; log; logs; output; stack ?trace",
        r"transcript; chat(?: log| history| export)?; conversation; thread; (?:system )?prompt; skill(?:\.md)?",
        "contract; instructions; guide; guidelines; tutorial; comment; ticket; tweet; screenshot; poster; sign",
        "leaflet; flyer; msg; content; body; payload; caption; horoscope; fortune cookie; proverb; motto; slogan",
        "saying; doc; lyrics; poem; story; novel; book; scene; dialogue; script; paragraph; passage; text; slack",
        "whatsapp; telegram; discord; reddit; stack ?overflow; linkedin; wikipedia; document; attachment; file; terms",
        r"speech; review; answer from \w+; draft; essay; report; brochure; label on [^:]{2,30}; announcement",
        r"statement; summary of; sentence; phrase; clause; notes? (?:from|by); minutes",
        r"suggestions?|recommendations?|advice|tips; agents\.md; claude\.md",
        r"\w+\.(?:md|txt|pdf|docx?|html?); release notes",
    ),
    compound=(rf"^\W{{0,12}}{_COMPOUND}\W*$",),
    disowned=cues(
        r"not (?:my|mine)(?: words)?(?= ?[):,]| words); (?:his|her|their|\w+'s) (?:exact )?words(?! count)",
    ),
    speaking=cues("i|we|you; my|our; thanks?|ok(?:ay)?"),
    own_saying=cues(
        "(?:as |like |what )?(?:i|we)(?:'ve|'d| have| had)?(?: already| just| always)? "
        "(?:said|say|tell you|told(?: you)?|wrote|mentioned|asked|answered|decided|texted|messaged|e-?mailed)",
        "(?:i|we) (?:want|suggest|insist|think); let me (?:say|tell you); i'?m telling you",
        "(?:i|we)(?:'ll|'m|'ve| will| am| can| must| have to| need to)(?: just| only| already| always)*"
        " (?:say|tell|write|repeat|explain|answer|mention|state)(?:ing)?",
    ),
    label=cues(
        "decisions?; decided; rules?; remember(?: this| that)?; reminder",
        "note to self; (?<!this )(?<!a )(?<!the )note; note down; write down",
        "jot(?: this| it)? down; keep in mind; polic(?:y|ies); principles?; conventions?; agreed; settled; final",
        "architecture; preferences?; standing order; from now on; important; for the record; going forward; facts?",
        "save(?: this)?; verdict",
    ),
    keep=cues(
        "remember(?! when)(?! how); write (?:it |this |that )?down; jot (?:it |this |that )?down",
        "note (?:it |this |that )?down; keep (?:it |this |that )?in mind|save this",
    ),
    origin_of_label=cues(
        r"(?:from|of|in) (?:the |a |an |my |our |his |her |their |this |that )?(?:\w+(?:'s)? ){0,2}<source>",
        r"(?:per|by|on) (?:the |a |an |my |our |his |her |their |this |that )?(?:\w+(?:'s)? ){0,2}<source>",
        r"\w+'s(?: \w+)?; their; his; her",
        rf"(?:by|from) (?:the|my|our) {_TIME}\w+",
        "(?:policy|rules?|decisions?|principles?|conventions?) <source>",
    ),
    returning=cues(
        "(?:no|yes|ok|okay|so|well|anyway|but|and|nope|yep)?[,.:! ]{0,3}(?:(?:my|our|final|the) )?"
        "(?:decision|ruling|verdict)",
        "(?:(?:no|yes|ok|okay|so|well|anyway|but|and)[,.:! ]{1,3})?(?:i|we)(?:'ve| have)? decided",
        "(?:no|yes|ok|okay|nope)[.,!] (?:new )?rule; (?:my|our) (?:rule|answer|call|take)",
    ),
    lasting=cues("from now on; from today(?: on)?; henceforth; going forward"),
    topic=cues(
        r"ps; p\.s; update; correction; change; plan; goal; answer; todo; fyi; question; idea; option; deadline",
        "budget; deploys?; backend; frontend; database; stack; hosting; naming; format; tone; style; language",
        "time ?zone; api; storage; tests?; testing; releases?; meetings?; mornings?; evenings?; weekends?; food; diet",
        "allergies; address",
    ),
    regarding=cues("about; regarding; as for; concerning; re; on the subject of; after (?:reading|seeing)"),
    polite=cues(
        "please; pls; plz; ok(?:ay)?; and; so; now; then; hey; hi; quick(?:ly)?; just; also; first; next; kindly",
        "maybe; (?:can|could|would|will) (?:you|u); i (?:need|want|would like|'d like) you to; help me(?: to)?",
        "let'?s",
        "go ahead and",
    ),
    rework=cues(
        "translat(?:e|ion)(?: of)?; summari[sz]e; summary(?: of)?; sum up; tl;?dr; proof-?read; rewrite; rephrase",
        "paraphrase; shorten; condense; simplify; reword; localize; transcribe; polish (?:this|it|the)",
        "correct (?:this|it|the)",
        "(?:fix|correct|check) (?:the )?(?:grammar|spelling|typos|wording|punctuation|english)",
        r"make (?:this|it) (?:\w+ ){0,2}\w+er; shorter; spell ?check; eli5",
        r"make (?:it|this|that|my \w+) \w+(?: \w+){0,3}; (?:correct|fix|improve|check|polish|edit) my \w+",
        "in (?:plain|simple) (?:english|words)",
        _TURNED,
    ),
    # How a text is wanted: in a language, or more or less of something. It stands alone in its line.
    manner=cues(
        "(?:(?:in(?:to)?|to) )?(?:english|polish|chinese|german|french|spanish|italian|portuguese|dutch|russian"
        "|ukrainian|czech|swedish|norwegian|danish|finnish|turkish|greek|hungarian|romanian|japanese|korean|arabic"
        "|hindi|mandarin"
        "|latin)(?: version| translation)?",
        r"(?:(?:a )?(?:bit|little|lot|touch) )?(?:more|less) \w{4,14}; (?:(?:a )?(?:bit|little|lot) )?"
        "(?:shorter|longer|simpler|softer|nicer|warmer|kinder|friendlier|clearer|briefer|milder|tighter|snappier)",
    ),
    inspect=cues(
        "review; check; see; explain; analy[sz]e; edit; read; look at; look over; have a look(?: at)?",
        "take a look(?: at)?; critique; comment on; classify; extract; format; convert; grade; evaluate; assess",
        "improve; clean up; compare; interpret; debug; count; rank; guess; identify; detect; tag; categori[sz]e",
        "spell",
        "find (?:the |any )?(?:contradictions|errors|mistakes|typos); fact-?check; feedback on; thoughts on",
        "opinion on; judge; rate; reply to; answer; respond to; go through",
        "(?:add|write) (?:a |the )?(?:unit )?tests?",
    ),
    draft=cues(
        "reply; respond; answer; tell; write(?! (?:it |this |that )?down)(?! (?:it |this )?in your)(?! to memory)",
        "text; post; e?-?mail; message; send; say; publish; tweet; type; print; echo; repeat after me; repeat",
        "imagine",
        "suppose; compose",
        "(?:put|add|insert|paste) (?:this|it|that|the following)(?! (?:in|into|to) (?:your )?(?:memory|notes))",
        "commit message",
    ),
    object=cues(
        r"this; that; it; these; those; below; above; following; (?:the|my|his|her|their|our|a) (?:\w+ )?<source>",
        r"him",
        "her; them",
    ),
    demonstrative=cues(r"(?:this|these|the following|below|above) (?!mean|ok|right|correct)\w+"),
    pointed=cues(
        r"(?:this|that|these|the following|the above|following|above|below|my|his|her|the|our) (?:\w+ )?<source>",
    ),
    about=cues(
        r"how (?:do|would|should|can|could|to) ?(?:i|you|we|one)? ?"
        r"(?:say|write|put|spell|phrase|pronounce|word|express)(?: \w+){0,5}",
        r"what (?:does|do|did|is|are|was) (?:\w+ ){1,4}(?:mean|means|say|says|saying|want|wants|meant|about|on about)",
        r"what (?:should|shall|do|can|could|would|must) (?:i|we) (?:even )?"
        r"(?:answer|reply|respond|write back|write|say|tell)(?: \w+){0,3}",
        r"how (?:should|shall|do|can|could|would) (?:i|we) (?:answer|reply|respond|react)(?: \w+){0,4}",
        r"(?:is|are|was) (?:this|that|it|these|he|she|they|(?:this|that|the|my|his|her|their) (?:\w+ )?<source>)"
        r"(?: \w+){0,3} (?:ok|okay|right|correct|fine|good|legit|legal|scam|spam|true|clear|readable|valid|serious"
        r"|polite|rude|normal|accurate|phishing|fake|real|wrong|allowed)",
        r"does (?:this|that|it|the \w+) (?:make sense|read|sound|look|work)(?: \w+){0,2}",
        "(?:any|are there) (?:typos|mistakes|errors|problems|issues); who is right",
        r"(?:so )?what(?:'s| is| was) (?:wrong|the (?:problem|point|gist|catch|tone|meaning))(?: \w+){0,5}",
        r"what (?:is|does|kind of) (?:this|that|it)(?: \w+){0,4}",
        r"(?:would|should|shall|do) (?:you|i|we) (?:really |even |just )?(?:apply|accept|sign|go for|take (?:it|them"
        r"|this|the)"
        r"|agree|believe|trust|comply|bother|answer|reply|worry|care)(?: \w+){0,4}",
        r"why (?:does|is|do|did) (?:it|this|that|the|he|she|they)(?: \w+){1,7}",
        r"what do you (?:think|make) (?:of|about) (?:this|that|it|these|him|her|them|the \w+)",
    ),
    provenance=cues("source; sources; taken from; credit; credits; via"),
    accord=cues(r"according to (?!me|my|our|us|plan)\w+; as per (?!my|our|usual)\w+"),
    attributes=cues("(?:that|this|it)(?:'s| is| was)|from|source|taken from|via|by"),
    opinion=cues(
        "thoughts; what do you think; opinions?; your take; comments; any feedback; what now; agree; valid",
    ),
    persona=cues(
        r"you(?:'re| are)(?: now| not)? (?:a|an|the|my|going to (?:act|be)|acting as|an? expert)",
        r"you(?:'re| are) [\w-]+, (?:a|an|the); your (?:role|task|job|goal|purpose|persona|name|mission)(?: is| ?:)",
        "system prompt",
        _CALLED,
        r"(?:skill|agents|claude|soul|identity|persona|gemini|memory|user|tools|bootstrap)\.md; custom instructions",
        "role ?:; persona ?:; instructions ?:; system ?:",
        "(?:# )?(?:role|persona|instructions|system|identity|constraints|guardrails)$",
    ),
    play=cues(
        "act(?:ing)? (?:as|like); you(?:'ll| will) (?:be )?(?:play|playing|act|acting); pretend(?:ing)?; role-?play",
        "impersonate; play the (?:role|part)",
        "in (?:my|the|a|this) (?:novel|story|book|game|poem|scene|script|screenplay|dream|film|movie)",
        r"write (?:me )?(?:a|an|the) (?:\w+ )?(?:scene|story|poem|dialogue|play|joke|speech|sketch|song|script)",
        r"once upon a time; be a \w+ who; let'?s play",
        "you(?:'re| are) the (?:king|queen|boss|captain|villain|hero|teacher|narrator)",
    ),
    begin=cues("begin(?:ning)?; start; quote; paste; document; transcript; text; content; message; forwarded"),
    end=cues("end; stop; unquote; finish; endquote; end of (?:quote|paste|mail|message|document|text|transcript)"),
)
