"""English."""

from jobs.extraction.authorship.cues import Foreign
from jobs.extraction.cues import cues

ENGLISH = Foreign(
    bounded=True,
    forward=cues("fwd?; fw; forwarded(?: message| by| from)?; forwarding; begin forwarded message; original message"),
    sender=cues("from; sender; reply-to"),
    header=cues("to; cc; bcc; sent; date; subject; re"),
    wrote=cues(r"on .{4,90}(?:wrote|writes); [^.!?]{2,60} wrote(?: on [^.!?:]{2,30}| at [^.!?:]{2,30})?"),
    salutation=cues("dear (?!diary)[^.!?]{1,60}; to whom it may concern; ladies and gentlemen"),
    greeting=cues(r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: [^\W\d]+){0,4}"),
    farewell=cues(
        "(?:kind |best |warm )?regards; best(?: wishes)?; cheers; sincerely; yours(?: truly| sincerely| faithfully)?",
        "thanks(?: and regards)?; respectfully; love; take care; sincerely yours; many thanks",
    ),
    notice=cues(
        "(?:public |important )?notice; notice to [^.:]{2,40}; attention [^.:]{2,40}; announcement; memo(?:randum)?",
        "to (?:all|the) (?:staff|tenants|residents|employees|customers|users|parents|members)[^.:]{0,30}; press release",
    ),
    role=cues(
        "user; assistant; human; system; ai; bot; agent; me; boss; (?:the |my )?manager; client; customer; support",
        "landlord; teacher; doctor; lawyer; mum; mom; mother; dad; father; wife; husband; colleague; ceo; cto; admin",
        "moderator; seller; buyer; narrator; captain; king; queen; interviewer; consultant; director; supervisor",
        "landlady; secretary; accountant; neighbou?r; vendor; recruiter; reviewer; author; speaker(?: \\w+)?",
    ),
    name=cues(
        "bob; bobby; rob; robert; alice; john; johnny; jane; tom; tommy; mike; michael; anna; ann; mary; peter; paul",
        "james; jim; jimmy; david; dave; dan; daniel; steve; steven; stephen; mark; george; kate; katie; emma; emily",
        "sarah; laura; lisa; linda; susan; sue; karen; nancy; helen; alex; sam; ben; max; jack; harry; oliver; charlie",
        "will; bill; billy; ed; eddie; eve; carol; frank; fred; greg; henry; ian; joe; joseph; josh; kevin; larry; leo",
        "luke; matt; nick; nina; oscar; pat; phil; ray; ron; rose; ruth; ryan; sophie; ted; tim; tony; vera; victor",
        "zoe; amy; andy; andrew; chris; claire; diana; eric; fiona; grace; jenny; jess; jessica; julia; lucy; maria",
        "megan; olivia; rachel; rebecca; simon; stella; thomas; wendy; adam; ali; ahmed; ivan; carlos; jose; priya; ravi",
        "raj; mia; noah; liam; lena; nadia; hannah; felix; marco; pedro; sven; hans; klaus; pierre; yuki; wei; li; chen",
        "mallory; trent; dana; bruce; martin; marcus; neil; oleg; olga; omar; kim; lee; jordan; taylor; morgan; robin",
    ),
    me=cues("me; you"),
    bot=cues(
        r"chat ?gpt(?:-?[\w.]+)?; gpt-?\w[\w.]*; gemini; bard; copilot; perplexity; deepseek; grok; mistral; llama; qwen",
        r"claude; kimi; bing chat; (?:the|my|a|another|other|some) (?:other |different )?(?:ai|llm|chat ?bot|bot|model)",
        "(?:another|other|some) assistant",
    ),
    says=cues(
        "says|said|they say|people say; writes|wrote|written; reads|states|stated; tells|told; texted|texts|messaged|mailed",
        "e-?mailed|posted; replied|replies|replying with; answered|answers; suggests|suggested|suggestion|suggestions",
        "recommends|recommended|recommendations?; advises|advised|advice|tips; announces|announced; claims|claimed; insists",
        "insisted; declares|declared; shouts|shouted|whispers|whispered; asks|asked; thinks; demands|demanded; proclaims",
        "according to; quotes|quoted|quoting; responds|responded; commented|tweeted; orders me|ordered me; commands",
        "explains|explained; argues|argued; proposes|proposed; mentions|mentioned; returned|returns|printed|prints",
        "(?:he|she|they|boss|manager|team|board|committee|ceo|landlord|client) (?:has |have |just |already )?decided; decided yesterday",
    ),
    hands=cues(
        "pasted?; pasting; copied; copy-?pasted?; forwarded; sent (?:me|us|this|it|over|round|around)",
        "(?:got|received|found|saw|read|spotted) (?:this|that|these|the following)|look at this; see below; as follows",
        "(?:here(?:'s| is| are) |this is )?what (?:\\w+ ){1,4}(?:sent|said|wrote|says?|got|told|posted|thinks?)",
        "(?:the |some |what )?following; check this(?: out)?; found (?:on|in|at); below; quote; excerpt",
    ),
    source=cues(
        "e-?mail; mail; message; letter; memo; notice; newsletter; readme(?:\\.md)?; wiki; handbook; manual; article",
        "blog(?: ?post)?; post; page; website; web ?site; docs; documentation; log; logs; output; stack ?trace",
        "transcript; chat(?: log| history| export)?; conversation; thread; (?:system )?prompt; skill(?:\\.md)?; contract",
        "instructions; guide; guidelines; tutorial; comment; ticket; tweet; screenshot; poster; sign; leaflet; flyer",
        "lyrics; poem; story; novel; book; scene; dialogue; script; paragraph; passage; text; slack; whatsapp; telegram",
        "discord; reddit; stack ?overflow; linkedin; wikipedia; document; attachment; file; terms; speech; review",
        "answer from \\w+; draft; essay; report; brochure; label on [^:]{2,30}; announcement; statement; summary of",
        "notes? (?:from|by); minutes; agents\\.md; claude\\.md; \\w+\\.(?:md|txt|pdf|docx?|html?); release notes",
    ),
    own_saying=cues(
        "(?:as |like |what )?(?:i|we)(?:'ve|'d| have| had)?(?: already| just| always)? (?:said|say|told you|tell you|wrote|mentioned|asked|answered|decided)",
        "(?:i|we) (?:want|suggest|insist|think); let me (?:say|tell you); i'?m telling you",
    ),
    label=cues(
        "decisions?; decided; rules?; remember(?: this| that)?; reminder; note(?: to self)?; notes; note down; write down",
        "jot(?: this| it)? down; keep in mind; polic(?:y|ies); principles?; conventions?; agreed; settled; final; architecture",
        "preferences?; standing order; from now on; important; for the record; going forward; facts?; save(?: this)?; verdict",
    ),
    keep=cues(
        "remember(?! when)(?! how)|write (?:it |this |that )?down|jot (?:it |this |that )?down|note (?:it |this |that )?down",
        "keep (?:it |this |that )?in mind|save this",
    ),
    origin_of_label=cues(
        "(?:from|of|in|per|by|on) (?:the |a |an |my |our |his |her |their |this |that )?(?:\\w+(?:'s)? ){0,2}<source>",
        "\\w+'s(?: \\w+)?; their; his; her",
    ),
    returning=cues(
        "(?:no|yes|ok|okay|so|well|anyway|but|and|nope|yep)?[,.:! ]{0,3}(?:(?:my|our|final|the) )?(?:decision|ruling|verdict)",
        "(?:(?:no|yes|ok|okay|so|well|anyway|but|and)[,.:! ]{1,3})?(?:i|we)(?:'ve| have)? decided",
        "(?:no|yes|ok|okay|nope)[.,!] (?:new )?rule; (?:my|our) (?:rule|answer|call|take)",
    ),
    topic=cues(
        "ps; p\\.s; update; correction; change; plan; goal; answer; todo; fyi; question; idea; option; deadline; budget",
        "deploys?; backend; frontend; database; stack; hosting; naming; format; tone; style; language; time ?zone; api",
        "storage; tests?; testing; releases?; meetings?; mornings?; evenings?; weekends?; food; diet; allergies; address",
    ),
    polite=cues(
        "please; pls; plz; ok(?:ay)?; and; so; now; then; hey; hi; quick(?:ly)?; just; also; first; next; kindly; maybe",
        "(?:can|could|would|will) (?:you|u); i (?:need|want|would like|'d like) you to; help me(?: to)?; let'?s; go ahead and",
    ),
    rework=cues(
        "translat(?:e|ion)(?: of)?; summari[sz]e; summary(?: of)?; sum up; tl;?dr; proof-?read; rewrite; rephrase; paraphrase",
        "shorten; condense; simplify; reword; localize; transcribe; polish (?:this|it|the); correct (?:this|it|the)",
        "(?:fix|correct|check) (?:the )?(?:grammar|spelling|typos|wording|punctuation|english); make (?:this|it) (?:\\w+ ){0,2}\\w+er",
        "shorter; spell ?check; in (?:plain|simple) (?:english|words)",
    ),
    inspect=cues(
        "review; check; see; explain; analy[sz]e; edit; read; look at; look over; have a look(?: at)?; take a look(?: at)?; critique",
        "comment on; classify; extract; format; convert; grade; evaluate; assess; improve; clean up; compare; interpret; debug",
        "fact-?check; feedback on; thoughts on; opinion on; judge; rate; reply to; answer; respond to; go through",
        "(?:add|write) (?:a |the )?(?:unit )?tests?",
    ),
    draft=cues(
        "reply; respond; answer; tell; write(?! (?:it |this |that )?down)(?! (?:it |this )?in your)(?! to memory); text; post",
        "e?-?mail; message; send; say; publish; tweet; type; print; echo; repeat after me; repeat; imagine; suppose; compose",
        "(?:put|add|insert|paste) (?:this|it|that|the following)(?! (?:in|into|to) (?:your )?(?:memory|notes)); commit message",
    ),
    object=cues(
        "this; that; it; these; those; below; above; following; (?:the|my|his|her|their|our|a) (?:\\w+ )?<source>; him; her; them",
    ),
    about=cues(
        "what (?:does|do|did|is|are|was) (?:\\w+ ){1,4}(?:mean|means|say|says|saying|want|wants|meant|about|on about)",
        "what (?:should|shall|do|can|could|would|must) (?:i|we) (?:even )?(?:answer|reply|respond|write back|write|say|tell)(?: \\w+){0,3}",
        "how (?:should|shall|do|can|could|would) (?:i|we) (?:answer|reply|respond|react)(?: \\w+){0,4}",
        "(?:is|are|was) (?:this|that|it|these|he|she|they|(?:this|that|the|my|his|her|their) (?:\\w+ )?<source>)(?: \\w+){0,3} (?:ok|okay|right|correct|fine|good|legit|legal|scam|spam|true|clear|clear enough|readable|valid|serious|polite|rude|normal|accurate|phishing|fake|real|wrong|allowed)",
        "does (?:this|that|it|the \\w+) (?:make sense|read|sound|look|work)(?: \\w+){0,2}",
        "(?:any|are there) (?:typos|mistakes|errors|problems|issues); who is right",
        "(?:so )?what(?:'s| is| was) (?:wrong|the (?:problem|point|gist|catch|tone|meaning))(?: \\w+){0,5}",
        "what (?:is|does|kind of) (?:this|that|it)(?: \\w+){0,4}; why (?:does|is|do|did) (?:it|this|that|the|he|she|they)(?: \\w+){1,7}",
        "what do you (?:think|make) (?:of|about) (?:this|that|it|these|him|her|them|the \\w+)",
    ),
    opinion=cues("thoughts; what do you think; opinions?; your take; comments; any feedback; what now; agree; valid"),
    persona=cues(
        r"you(?:'re| are)(?: now| not)? (?:a|an|the|my|going to (?:act|be)|acting as|an? expert)(?! \w+ (?:star|genius|legend))",
        r"you(?:'re| are) [\w-]+, (?:a|an|the); your (?:role|task|job|goal|purpose|persona|name|mission) is; system prompt",
        r"(?:skill|agents|claude|soul|identity|persona|gemini|memory|user|tools|bootstrap)\.md; custom instructions; role ?:; persona ?:",
        r"instructions ?:; system ?:; (?:# )?(?:role|persona|instructions|system|identity|constraints|guardrails)$",
    ),
    play=cues(
        "act(?:ing)? as; pretend(?:ing)?; role-?play; impersonate; play the (?:role|part); in (?:my|the|a|this) (?:novel|story|book|game|poem|scene|script|screenplay|dream|film|movie)",
        "write (?:me )?(?:a|an|the) (?:\\w+ )?(?:scene|story|poem|dialogue|play|joke|speech|sketch|song|script); once upon a time",
        "be a \\w+ who",
    ),
    begin=cues("begin(?:ning)?; start; quote; paste; document; transcript; text; content; message; forwarded"),
    end=cues("end; stop; unquote; finish; endquote; end of (?:quote|paste|mail|message|document|text|transcript)"),
)
