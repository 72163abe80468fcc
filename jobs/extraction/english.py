"""English."""

from jobs.extraction.profile import Profile
from pipeline.language.cues import cues
from pipeline.language.detection import Language

ENGLISH = Profile(
    code=Language.ENGLISH,
    bounded=True,
    parts={
        "speech": cues(
            "said; says; say; told; decided; decides; announced; chose; agreed; picked; insists?; recommends?",
            "thinks?; wants?; went with; going with; switched; settled on; opted; voted; approved; rejected; ruled",
        ),
        "days": cues(
            "mon(?:day)?; tue(?:sday)?; wed(?:nesday)?; thu(?:rsday)?; fri(?:day)?; sat(?:urday)?; sun(?:day)?",
            "jan(?:uary)?; feb(?:ruary)?; mar(?:ch)?; apr(?:il)?; may; june?; july?; aug(?:ust)?; sep(?:tember)?",
            "oct(?:ober)?; nov(?:ember)?; dec(?:ember)?",
        ),
        "course": cues(
            "go(?:ing)?; use|using; keep(?:ing)?; stay(?:ing)?; stick(?:ing)?; switch(?:ing)?; mov(?:e|ing)",
            "drop(?:ping)?; do(?:ing)?; ship(?:ping)?; tak(?:e|ing); cut(?:ting)?; shar(?:e|ing); split(?:ting)?",
            "start(?:ing)?; stop(?:ping)?; pay(?:ing)?; charg(?:e|ing); build(?:ing)?; host(?:ing)?",
            "stor(?:e|ing); run(?:ning)?; mak(?:e|ing); hav(?:e|ing); call(?:ing)?; set(?:ting)?; put(?:ting)?",
            "settl(?:e|ing); adopt(?:ing)?; choos(?:e|ing); pick(?:ing)?; not",
        ),
        "lead": cues(
            "and; then; also; now; ok(?:ay)?; so; please; pls; next; good; great; first; but; btw; just; go; yes",
            "yeah; no; nope; let's; you should; i (?:need|want) you to; (?:could|can|would|will) you(?: please)?",
        ),
        "work": cues(
            "show; find; look; check; run; commit; push; post; write; draft; send; give; tell; list; open; read",
            "fix; explain; deploy; schedule; remind; tag; rename; test; translate; summari[sz]e; compare; get",
            "search; fetch; pull; print; generate; create; update; upload; download; book; order; call; ask; help",
            "start; restart; rerun; try; put together; prepare; clean; format; add; paste; delete; install; merge",
            "review; count; compute; calculate; plot; convert; copy; code; build; reply; answer; fill; throw",
            "cancel; describe; suggest; walk; bump; investigate; debug; refactor; implement; rewrite; verify",
            "confirm; ping; scan; grep; cat; ssh; e?mail; text; message; log in; analy[sz]e; figure out",
            "proofread; edit; shorten; (?:remove|move|change) the; kick off; proceed; continue",
        ),
        "wh": cues(
            "who; what; when(?! (?:you|we|i) [^?]{2,60},); where; why; how; which; whose",
            "does; did; isn't; aren't; don't you",
            "any (?:idea|chance|news|other)",
            "(?:is|are|was|were|do|can|could|should|shall|will|would|has|have|am) (?:i|we|you|they|he|she|it|there)",
            "(?:is|are|was|has|can|will) (?:this|that|these|those)",
        ),
        "bidden": cues(
            r"^; (?<=[^\w\s']); (?<=[^\w\s'] ); (?<=please ); (?<=pls ); (?<=and ); (?<=but ); (?<=so ); (?<=also )",
            "(?<=just ); (?<=then ); (?<=now ); (?<=ok ); (?<=okay ); (?<=oh ); <free>(?<=always ); (?<=can you )",
            "(?<=could you ); (?<=would you ); (?<=will you ); (?<=want you to ); (?<=need you to ); (?<=like you to )",
            "(?<=you should ); (?<=you must ); (?<=make sure you ); <free>(?<=make sure to )",
            "<free>(?<=be sure to )",
        ),
        "free": (
            (
                "(?<!i always )(?<!we always )(?<!they always )(?<!i'll always )(?<!we'll always )(?<!will always )"
                "(?<!i'll make sure to )(?<!we'll make sure to )(?<!will make sure to )"
                "(?<!'ll be sure to )(?<!will be sure to )"
            ),
        ),
        "keep": cues(
            "remember(?! when| how| the time| what| who| why| where| (?:seeing|reading|hearing|doing))",
            "keep (?:(?:that|this|it) (?:in mind|in memory|somewhere|on file|noted)|in mind|on file)",
            "<note>; note (?:(?:that|this|it) down|down|to self|for (?:later|next|the future)|that (?:my|our|i|i'?m))",
            "bear in mind; for next time; (?<=you )note that",
            "(?:write|jot) (?:(?:that|this|it|the following) )?down(?! (?:in|on|to|into) (?!your ))",
            "(?:save|put|store|keep|add|write)(?: (?:that|this|it))? (?:in|to|into) (?:your )?(?:<memory>)",
            "(?:save|store|keep) (?:that|this|it) for (?:later|next time)(?=:)",
            "(?:don'?t|do not|never) (?:let me )?forget(?! to| about (?:it|that))",
        ),
        "memory": cues("(?<=your )memory; (?<=your )notes; memory(?=:| that); (?:claude|agents|memory|gemini)\\.md"),
        "piece": cues(
            "once; time; one; morning; afternoon; evening; week; weekend; commit; pr; file; run; e?-?mail",
            "message; letter; build; branch; session; sprint; round; batch; chapter; page; post; ticket; release",
            "deploy; invoice",
        ),
        "yes": cues("yes; yep; yeah; yup; ok; okay; sure; k"),
        "degree": cues("really; also; always; just; often; usually"),
        "cheer": ("<lead>", "oh", "ah", "right", "hey", "perf", "perfect", "thanks", "nice", "cool", "aha"),
        "again": cues(
            "wait; actually; hm+; sorry; on second thoughts?; let'?s; i; we; you can; we can; better; please; just",
        ),
        "lasting": ("remember", "note", "keep", "never", "always", "don'?t", "do not", "only", "use", "stick", "stop"),
        "span": cues("week; month; year; <days>"),
        "vague": (
            r"\b(?:think|know|guess|suppose|believe|hope|sure|see|say|tell|remember|what(?:ever)?|how(?:ever)?|where(?:ver)?)\b",
            r"\b(?:who|which|when|as|than|like|way|because|if|whether|that|this|yes|no|not|never|here|there|same|also)\b",
            r"\b(?:really|actually|i|you|we|they|he|she|and|but|or|of|one|all|still|maybe|about|for|with|to|course)\b",
        ),
        # A word that bids: at the begin of a clause, no word of grammar, no noun of many, no past.
        "bid": (
            (
                "(?:(?:please|then|also|always|never|first|do not|don'?t) )*"
                r"(?!(?:i|it|its|the|this|that|these|those|there|he|she|they|we|you|my|our|your|a|an|no|nothing|nobody)\b)"
                r"(?!\w+(?:s|ed|ing|ly)\b|\w+ (?:is|are|was|were|has|have|will|would|can|could)\b)[a-z]{2,}\b"
            ),
        ),
        "amount": cues("m?s; sec\\w*; min\\w*; hours?; days?; tries; times; attempts?; clicks?; of; or; \\."),
        "tried": cues("try; consider; think; look; check; go; see; practi[cs]e; learn"),
        "none": cues(r"nobody; no one; nothing; no \w+"),
        "expected": ("you(?:'?re| are) (?:supposed?|meant|expected) to", "i (?:want|expect|need) you to"),
        "act": cues(
            "use; switch; set; make; put; move; take; turn; cut; replace; split; pick; choose; go; leave; do; pass",
            "change",
            "remove; increase; decrease; raise; lower; reduce; disable; enable; swap; roll",
        ),
        "note": ("(?:make|take) (?:a )?note",),
        "what": (r"(?=\W+\w)",),
        "selves": cues(
            "i; we; you; and; but; just; also; already; have; has; had; ve; all; finally; never; not; to; is; it; that",
            "what; always; only; then; so; can; will; could; should; or; don'?t; didn'?t; won'?t; really; ive; im",
        ),
        "other": cues(
            r"(?<!')(?!<selves>\b)[a-z]+",
        ),
    },
    accept=cues(
        "yes; yep; yeah; yup; ya; ok; okay; sure; exactly; agreed; deal; perfect; right; correct; absolutely",
        "definitely; fine; good; great; approved; k; go for it; go ahead; do it; do that",
        "let'?s do (?:it|that|this); sounds? (?:good|great|right|fine); (?:that )?works(?: for me)?; makes sense",
        "love it; i like (?:it|that); that one; alright; all right; cool; done",
        "that'?s (?:it|the one|the plan|the way|right|the shape); ship it; let'?s go; fair(?: enough| point)?",
        "i'?m in; all yours; please do; of course; by all means; no objections?; sold",
    ),
    approve=cues(
        "<yes>?[,. ]*(?:go for it|go ahead|do (?:it|that|this)|let'?s do (?:it|that|this)|please do|ship it)",
        "(?:yes|yeah|yep|yup),? (?:please|that|exactly|go|all|both|the); exactly(?: that)?; agreed; deal",
        "approved; sold; that one; (?:that )?works for me; i'?m in; all yours; by all means; no objections?",
        "that'?s (?:it|the one|the plan|the way|the shape); make it so; as you (?:say|propose|suggest)(?:ed)?",
        "take that; makes sense,? (?:do|go|let'?s|that)",
    ),
    refuse=cues(
        "no; nope; nah; not now; no thanks; don'?t bother; not tonight; not today; skip (?:it|that)",
        "leave (?:it|that)",
    ),
    remember=cues(
        "(?=[arkmtnwjspcdbf])<bidden>(?:<keep>); for future reference; worth remembering",
    ),
    request=cues(
        "(?:<lead>,? )*(?:please )?(?:can|could|would|will) you",
    ),
    universal=cues(
        "never(?! ?mind); always; (?:no|without) exceptions?; any ?more; any longer; no more; no longer",
        "must (?:not|never|always); under no circumstances; not ever; as a rule",
        "(?:new |the |house |hard |standing )rule; every (?:single )?time; whenever; without exception; period",
        "full stop; non ?-?negotiable; strictly; must(?: not|n'?t)?; not allowed; off[ -]limits; forbidden",
        "banned; at all times; no matter (?:what|how|who)",
        r"nothing (?:\w+ ){0,4}?(?:without|gets|goes|ships|is|leaves); no \w+ without",
        r"nobody (?:\w+ )?(?:touches|edits|gets|goes|merges); by default; mandatory; required; only ever",
        "across the board; policy",
    ),
    scope=cues(
        "only; all; every; everything; everybody; everyone; each; nobody; no one; nothing; any; anything",
        "at (?:most|least); max(?:imum)?; min(?:imum)?; limit; (?:has|have) to; needs? to; cap; no; none",
        "not even; nowhere; everywhere; entirely; the whole",
    ),
    order=cues(
        # Always and never, said to somebody.
        "<bidden>(?:always|never)(?= \\w)(?! (?:mind|again|been|seen|ha[ds]|have|was|is|\\w+ed|\\w+s|an?|the)\\b)",
        "(?:do not|don'?t) ever",
        "you (?:must )?(?:never|always)(?! (?:ha[vsd]|need|know|get|help|be|there|so|say|see|want))",
        "you (?:must not|mustn'?t|are not (?:allowed|permitted) to); i (?:never|always) want; under no circumstances",
        # Every time, with something to be done.
        "(?:every|each|always)(?: [\\w']+){1,8} <expected>; <expected>(?: [\\w']+){1,8} (?:every|each|always)",
        # Nobody and nothing, allowed.
        "(?:<none>) (?:\\w+ ){0,2}(?:may|must|is (?:allowed|permitted) to|gets? (?:\\w+ed|in|out))",
        "(?:nobody|no one|no \\w+) (?:\\w+ ){1,4}without; (?<!it )(?<!that )(?<!this )never (?:\\w+ ){1,5}without",
        "only [\\w ]{2,20} (?:may|(?:is|are) allowed to)",
        # Beyond a limit.
        "(?:under|below|over|above|(?:less|more) than) \\$?\\d[^,.]{0,20},? (?:i|we) (?:do not|don't|won't) \\w+",
        # A rule by its name.
        "(?<=, )(?:not )?ever(?=\\W*$|\\.)",
        "(?:<none>) [^,.]{3,40} (?:between|after|before|until) \\d[\\d:]*(?: ?[ap]m)?(?! ?(?:<amount>))",
        "(?:no|without) exceptions?(?! (?:in|at|from|on|was|were|are|is|thrown|raised|found)\\b); non ?-?negotiable",
        "as a rule,? (?:[\\w' ]{2,30} (?:should|must)|<bid>)",
        "^\\W*(?:[\\w']+ ){0,4}rule(?: [\\w']+){0,2}(?= is|:|,)",
    ),
    lasting=cues(
        "from now on; going forward; from here on(?: out| in)?; for good; permanent(?:ly)?; forever",
        "in (?:the )?future; (?:that|this|it|which) stays (?:so|that way|like (?:this|that)|as it is)",
        "and (?:that |it |this )?stays (?:so|that way|like (?:this|that)|there); that'?s how it (?:stays|will stay)",
        r"(?:from|starting|as of|effective)(?: on)? (?:today|tomorrow|(?:next|this) <span>|the \d|\d\w*|<days>)",
        "(?:until|till) (?:the end|further|we|i|the|<days>); nightly; daily; weekly; monthly",
        "every (?:(?:first|second|third|fourth|last|other) )?(?:day|night|week|month|year|morning|<days>)",
        "(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days",
        r"after (?:\d\w*|<days>|today)",
    ),
    standing=cues(
        "from now on; going forward; from here on(?: out| in)?; from (?:this day|this point|today) on(?:ward)?",
        "starting (?:today|now); until further notice; for all future; in (?:the )?future,? (?:please|always|never)",
    ),
    decide=cues(
        "(?:i|we)(?:'ve| have)?(?: just| now| finally)? (?:decided|agreed|chose|chosen|settled|opted|resolved)<what>",
        r"^\W*(?:decided|agreed|settled); (?:final )?decision(?: made)?(?=:| is| -|,)",
        "(?:it'?s|that'?s|consider it|is|all) (?:settled|final|decided|agreed|a deal)",
        r"final(?: answer| call| word| decision)(?=$|:|\.|,); done deal",
        "(?:we|i)(?:'ll|'re|'m| will| are| am)? go(?:ing)? with",
        r"^\W*(?:<lead>,? )*going with; i'?m sold; changed (?:my|our) minds?(?=\s*[:,;-]\s*\w)",
        r"^\W*(?:(?:<lead>|<yes>),? )*(?:(?!<vague>)[\w'-]+ ){1,3}it is(?: then)?(?=[\s.!]*$)",
        "(?:lock|locking) (?:it|that|this) in; made up (?:my|our) minds?",
        "made (?:the|my|our|a) (?:call|decision|choice); that'?s the plan; that'?s (?:what|how) we(?:'re| are) going",
        "my (?:call|choice|pick|decision)(?: is|:); (?:set|written|write it|carved) in stone",
    ),
    settle=cues(
        "(?:stick|sticking|stay|staying|run|running) with; let'?s <course>; we(?:'ll| will|'re| are)? <course>",
        "i(?:'ll| will|'m| am)? (?:go|take|stick|choose|pick); i(?:'m| am) (?:<course>)",
        r"(?<!what )(?<!how )\w+ it is$; done thinking; gave (?:them|him|her) my word",
    ),
    adopt=cues(
        "stays?; keep; drop; kill; use; switch; move; replace; instead(?: of)?; is out; are out; is gone",
        "its gone; goes?; make it; set (?:it|that|the); i want; becomes?; leaves?; stop; remove; cut; take; no",
        "then; so; pick; both; neither; rather than; not; without; split; separate; lives? in",
    ),
    dismiss=cues(
        "is a joke; is overkill; no way; rules? (?:it|that) out; too (?:much|expensive|slow|risky|complicated)",
        "overkill; not worth",
        "(?:sounds|seems|looks|feels) (?:too )?(?:rude|bad|wrong|off|weird|silly|risky|expensive|slow|odd|ugly)",
    ),
    ordinal=cues(
        "(?:the )?(?:first|second|third|fourth|last|former|latter|1st|2nd|3rd)(?: (?:one|option))?",
        r"(?:number|option|no\.?) ?(?:\d|one|two|three|[a-e]); both; neither",
    ),
    directive=cues(
        r"you (?:don'?t|do not|never|always|only|can|may|must|get|are allowed); don'?t; do not; stop \w+ing",
        r"no \w+ing; i'?m not (?!will|feel|go|work|mak|gett)\w+ing; i (?:won'?t|don'?t|do not|will not) \w+",
        "(?:is|are) mine; (?:not|never) (?:by|via|through|on|in)",
    ),
    interrogative=cues(
        r"^\W*(?:(?:<lead>|hm+|wait),? )*<wh>; or (?:what|not)$; (?:i )?wonder(?:ing)?(?: if| whether)?",
        "what about; how about; what if",
    ),
    counterfactual=cues(
        r"if \w+ (?:ever|were|had); (?:i|we|it|that|they|he|she|you|there)(?:'d| would)(?! like you to)",
        "(?:i|we)d (?:probably|rather|have|put|like|love|go|use|move|switch|look); would(?:n'?t)?; some ?day",
        "one day; in theory; hypothetically; suppose(?! to); supposing; imagine; what if; in an ideal world; fantasy",
        "(?:i )?wish; dream; in case we; if only; ideally; were to; in another life",
    ),
    condition=cues(
        "if; unless; in case; provided; assuming; as long as; depends; depending; one more [^,.]{2,40} and (?:i|we)",
    ),
    hedge=cues(
        "maybe; perhaps; probably; possibly; might; may(?= (?:be|want|need|have|go|use|switch)); could; i guess",
        "i suppose; i think; kinda; sort of; not sure; unsure; dunno; idk; i don'?t know; no idea",
        "thinking (?:about|of); considering; leaning; tempted; should we; seems?; either way",
        "not (?:100%|entirely|fully) (?:sure|decided|convinced); toying with; feels like; gut says; torn",
        "back and forth; undecided; curious",
    ),
    defer=cues(
        "(?<!no )(?<!never )later; some other (?:time|day|evening|week); not (?:now|yet)",
        "let me (?:think|check|sleep|ask|see); think about it; sleep on (?:it|that); park (?:it|that|this)",
        "ask me (?:again|later|next); come back to; i'?ll (?:see|ask|think|check|decide|let you know); we'?ll see",
        "another (?:day|time); tbd; leave (?:it|that) (?:open|for); revisit; on hold; postpone; haven'?t decided",
        "have to think; need to (?:think|ask|check|sleep); want to (?:think|ask|check|sleep); wait and see",
        "not (?:going to )?decid(?:e|ing)",
    ),
    momentary=cues(
        "(?<!after )(?<!from )(?<!of )(?<!starting )(?<!since )today; tonight; tomorrow; this <piece>; just this",
        "for now; right now; (?<!from )(?<!by )now; quick(?:ly)?; temporar(?:il)?y",
        "(?<!me )(?<!every )(?<!the )(?<!our )first(?! (?:<days>|day|of))",
        "for the (?:moment|time being); (?:just )?once; one[ -](?:time|off); while (?:i'?m|we'?re|you)",
        "until (?:tomorrow|tonight|noon|i'?m back|(?:mon|tues|wednes|thurs|fri)day)",
        "till (?:noon|tomorrow|tonight); in the meantime; yet; meanwhile; at the moment; the rest later",
    ),
    reported=cues(
        "<other>(?:'s|'ve| have| has| had| all| just| already| finally| apparently| also| always| often)* <speech>",
        "(?:they|he|she)(?:'ve|'s| have| has| had| all| just| already| finally| also)* <speech>; according to",
        "apparently; supposedly; i (?:heard|read|saw); everyone (?:says|keeps); people (?:say|keep|think)",
    ),
    others=cues(
        "(?:they|he|she)(?:'re|'s|'ll|'ve|'d| are| is| will| have| has| want| went| all)?",
        "their (?:team|side|boss|company)",
    ),
    past=cues(
        "(?:i|we) (?:was|were|had|did|went|saw|got|spent|tried|thought|made|wrote|bought|talked|asked|looked|found)",
        "(?:i|we) (?:moved|deployed|forgot|read|heard); used to",
        "last (?:time|week|year|month|night|summer|winter|spring|autumn); yesterday; back then; back when",
        r"previously; (?:a )?(?:week|month|year|day)s? ago; in (?:19|20)\d\d; remember when",
        "as (?:we|i) (?:said|agreed|decided); already (?:decided|agreed); you said",
    ),
    task=cues(
        "(?:<lead>[,.:]? )*(?:please|pls|plz|kindly)(?! <lasting>); (?:<lead>[,.:]? )*<work>",
    ),
    imperative=cues(
        r"(?!(?:\w+,? )?let'?s)(?:<lead>[,.:]? )*<act>",
    ),
    mood=cues(
        "lo+l; lmao; (?:ha){2,}h?; hehe; ugh+; argh+; jk; kidding; joke; xd; i swear; hate; tired; cry(?:ing)?",
        "die|dying|dead; sigh; omg; wow; damn; meh; kill me; i'?m so; exhausted; nightmare; i give up",
        "quit (?:my|this)",
    ),
    feeling=cues(
        r"thank(?:s| you)?; grateful; appreciat\w+; feel(?:s|ing)?; felt; enjoy\w*; hop(?:e|ing); glad; happy; sad",
        "worried; nervous; afraid; excited; interest(?:ed|ing); confus(?:ed|ing); tired; anxious; lonely; fun",
        r"wonderful; amazing; beautiful; inspir\w+; lately; recently",
        "i(?:'ve| have)? (?:<degree> )?(?:like|love|want|wanted|wish|prefer|miss|need) (?:to|it|this|that|the|my|a)",
        r"you(?:'re| are)? (?:so |such |really |very |always )?(?:kind|smart|help\w*|right|great|nice|good|the best)",
        "goodbye; bye; see you",
    ),
    attempt=cues(
        "(?:i'?ll|i will|i can|let me|going to|(?<!never )(?<!always )want to) <tried>",
        "try(?:ing)? to; do my best",
    ),
    retract=cues(
        "wait,? no; no,? wait; scratch (?:that|it)",
        "never ?mind; forget (?:it|that|what i|about (?:it|that)); on second thoughts?; i take (?:it|that) back",
        "take (?:it|that) back; changed? my mind; strike that",
        "i was wrong; cancel (?:that|this|it); put it back; ignore (?:that|what i); revert (?:that|it|to)",
        "undo (?:that|it); not a good idea; bad idea; thinking about it more; having second thoughts; drop that",
        r"(?:drop|skip|ditch|bin|toss) it(?=\W*$)",
        "i misspoke; no longer sure; rethink(?:ing)?; let'?s not",
    ),
    hesitate=cues(
        r"^\W*wait; hold on; ^\W*(?:hm+,? |oh,? |no,? )*actually; after all; oh\W* right; my (?:bad|mistake); back to",
    ),
    withdraw=cues(
        r"^\W*(?:(?:<cheer>|<again>)\W+){0,4}(?:scrap|scratch|forget(?: about)?|never ?mind|cancel|undo|revert|ditch)",
        r"^\W*(?:(?:<cheer>|<again>)\W+){0,4}(?:strike|take back|i take back|ignore)",
    ),
    propose=cues(
        "i'?d(?! be (?:happy|glad|delighted)| love); i would(?! be (?:happy|glad)); suggest(?:ion)?",
        "propos(?:e|al); recommend(?:ation)?; you could; we could; alternative(?:ly)?; option; how about",
        "what about; my (?:pick|vote|preference|take); one (?:idea|way); better(?: to)?; instead",
        "the (?:cleanest|simplest|safest|easiest|usual|best); makes sense to; should; would be; idea; plan",
    ),
    proposing=cues(
        "(?:i'?d|i would|i) (?:suggest|propose|recommend|advise)(?: that| to)?; (?:how|what) about",
        "(?:my |one )?(?:suggestion|proposal|recommendation|advice|idea)(?=:); maybe; perhaps",
        "why (?:not|don'?t we); (?:we|you) (?:could|might)",
        "(?:my|one) (?:suggestion|proposal|recommendation|advice|idea) (?:is|would be)(?: that| to)?",
        r"(?:i'?d|i would)(?: rather)?(?= (?!(?:be|have|had|like|love|need|want|know|not|never|\w+ed)\b)[a-z])",
    ),
    offer=cues(
        "shall i; should i; want me to; do you want; would you like; i can; i could; may i; let me know if",
        "if you (?:like|want); ok(?:ay)? to",
    ),
    either=cues(
        "or; either; versus; vs; options?; alternatives?; ways?; which; between",
    ),
    summing=cues(
        "so; then; in short; just to (?:confirm|be (?:clear|sure)); to (?:confirm|be clear|sum); meaning",
        "that means; you mean; understood; ok(?:ay)?, so; confirm(?:ing)?",
    ),
    acknowledge=cues(
        "noted; got it; understood; done; ok; okay; sure; saved; will do; agreed; clear; good; great; perfect",
        "recorded; added; updated; i'?ll; i will; i'?ve",
        "i'?m (?:adding|closing|setting|changing|switching|writing|removing|making); then i'?ll; set; removed",
        "removing; locked; confirmed; logged; written; stored; remembered; decision recorded; rule; right",
        "makes sense; sounds good; from (?:now|here) on; reverted; changed; switching; switched; so:?",
    ),
    noted=cues(
        "noted; saved; remember(?:ed|ing)?; recorded; logged; written down; rule; i'?ll (?:remember|keep|note)",
        r"^\W*(?:understood|clear|got it); in (?:the|my) notes; on file; added to",
    ),
    looking=cues(
        "(?:let me|i'?ll|i will|i'?m going to) (?:just |first |quickly )?(?:check|look|investigate|debug|dig)",
        "(?:let me|i'?ll) (?:find out|examine|see w[a-z]+|(?:take|have) a look); checking; looking into; investigating",
    ),
    objection=cues(
        "one (?:thing|look|caveat|concern|risk|question); careful; but; however; are you sure; before; hm+",
        "that would; that (?:breaks|conflicts|means); then the; not (?:quite|really); unfortunately; warning",
        "heads[ -]up; wait; keep in mind; small problem",
    ),
    structure=cues(
        r"architectur\w+; (?:micro)?services?; process(?:es)?; modules?; tables?; schemas?; databases?; db",
        "queues?; api; endpoints?; servers?; clusters?; pipelines?; layers?; components?; repos?(?:itory)?",
        "monorepo; storage; bucket; cache; index(?:es)?; gateway; protocol; json; csv; parquet; sql(?:ite)?",
        r"postgres|pg; frontend; backend; streams?; adapters?; plugins?; containers?; uuid\w*; workers?; generated",
        "stateless; broker; feeds?; file per; cursors?",
    ),
    reason=cues(
        "because; since; cause; cos; as; so that; otherwise; reason:?; due to",
    ),
    light=cues(
        "thing; things; idea; plan; rule; decision; part; stuff; point; whole; entire; said; told; earlier; before",
        "always; exactly; precisely; doing; done; works?; forward; everything; case; last; previous; really",
        "totally; actually; well; instead; thought; thoughts?; handle; those; these; please; after; sure; sounds",
        "perfect; definitely; absolutely; right; correct; agreed; other; both; today; anyway; all",
    ),
    pointing=cues(
        r"it; its; it'?s; they; them; there; same; (?:this|that|these|those)(?=\W*$|[,.;:!]|'?s\b| (?:one|way)\b)",
        "(?:this|that|these|those) (?:is|are|was|were|will|stays?|goes|go|works?|holds?|must|should|can|applies)",
    ),
    opening=cues(
        r"(?:and|but|so|also|then|ok|okay|yes|yeah|yep|yup|oh|ah|hey|hm+)(?=\W)",
        r"(?:btw|by the way|fyi|alright|please|pls|anyway)(?=\W)",
        r"(?:(?:as|like) (?:i|we)(?:'ve)? (?:said|told you)|once (?:more|again)|again|i repeat|to repeat)\s*[,.:;!-]",
        r"(?:no|nope|right|fine|good|great|perfect|sure|agreed|cool|deal)\s*[,.:;!-]",
        r"(?:well|look|thanks|exactly|actually|wait)\s*[,.:;!-]",
        r"(?:one|another) (?:more|last|other)? ?(?:thing|rule|point)?\s*[:,.-]; before i (?:drop|go|forget)\s*[:,.-]",
        r"<bidden>(?:remember|(?:keep|bear) in mind|don'?t forget|<note>)(?: (?:for me|please))?(?: that)?(?=[\s:,])",
        r"(?:you (?:should|must)|(?:make|be) sure (?:you|to)) (?:remember|keep in mind)(?: that)?(?=[\s:,])",
        r"note that(?=\s)",
        r"(?:can|could|would|will) you (?:please )?(?:remember|<note>|keep in mind)(?: that)?(?=[\s:,])",
    ),
    announcing=cues(
        "rule; decision; lesson; since; because; it stays; it is; it'?s",
    ),
)
