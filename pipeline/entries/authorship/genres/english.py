"""English."""

from pipeline.entries.authorship.genres.cues import Genres
from pipeline.language.cues import cues

_TIME = (
    r"(?!now|then|here|there|today|tomorrow|yesterday|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul"
    r"|aug|sep|oct|nov|dec|next|last|this|that|me\b|us\b|my\b|our\b|scratch|memory|home|experience|\d|time|day|what"
    r"|side|end\b"
    r"|view|perspective|point|part)"
)
# All languages are searched at once, and `i` is the Polish `and`.
_I = (
    r"(?:(?<=[.!?,:;(] )|(?<=\band )|(?<=\bbut )|(?<=\bthat )|(?<=\bwhen )|(?<=\bif )|(?<=\bso )|^)i(?= [a-z])"
    "|i (?:am|was|have|had|do|did|will|would|can|could|want|need|like|think|know|always|never|just|also|said)"
)
_CARRIER = (
    r"(?:note|sheet|sign|notice|card|poster|slip|sticker|paper|leaflet|flyer|banner|plaque|post-?it|memo|letter"
    r"|placard"
    r"|message|noticeboard|whiteboard|chalkboard|board|printout|label|list of rules)"
)
_PUT = (
    r"(?:hangs|hung|hanging|stuck|taped|pinned|posted|glued|tacked|nailed|put up|lay|lying|stands|stood|displayed"
    r"|fixed)"
)
_MINUTES = r"(?:minutes|agenda|protocol|recap|debrief|rota|briefing|action points|memo|circular|bulletin)"
_PLAN = (
    r"(?:notes?|request|complaint|feedback|suggestion|proposal|plan|schedule|timetable|summary|report|checklist|list"
    r"|guidelines|roster|programme|program)"
)

ENGLISH = Genres(
    bounded=True,
    field=cues(
        "status; state; priority; severity; labels?; component; components; environment; affects; affects version",
        "fix version; version; resolution; milestone; sprint; story points; estimate; steps to reproduce; expected",
        "actual; expected (?:result|behaviou?r); actual (?:result|behaviou?r); description; issue type; type",
        "category",
        "ticket; case; incident; request; created; updated; opened; closed; due; root cause; workaround; impact",
        "team",
        "location; queue; channel; linked issues; watchers; epic; comments?; department; acceptance criteria",
        "apologies; chair; minute taker; venue; quorum; action items?; items?",
    ),
    person=cues(
        "reporter; assignee; assigned(?: to)?; reported by; opened by; created by; filed by; raised by; submitted by",
        "requested by; logged by; author; owner; requester; submitter; approver; contact; posted by; written by",
        "present; attendees; attending; in attendance; participants; absent; taken by; recorded by; minuted by",
    ),
    minutes=cues(
        r"^(?:meeting |call )?(?:notes|minutes|agenda|recap|summary),",
        rf"{_MINUTES} (?:from|by) {_TIME}\w+",
        rf"{_MINUTES} of (?:the |a |an |our |last |yesterday's |today's )?\w+",
        rf"{_PLAN} (?:from|by) (?:the |our |my )?{_TIME}\w+",
        rf"{_PLAN} (?!from|by|to|is|are|was|we|i)\w+ (?:took|made|wrote|drew up|sent)",
        rf"(?!it|that|what|let|here|there|today|tomorrow)\w+'s (?:\w+ )?(?:{_MINUTES}|{_PLAN})",
        rf"(?:meeting|council|assembly|committee|board) (?:{_MINUTES}|notes)",
    ),
    title=cues(
        r"^\w{3,}ing (?:the|your|a|an|for|of|with) \w+; position; care(?= |$); how to; guest information; manual",
        "welcome to",
        "recipe; ingredients; discharge; aftercare; after your; before your; vacancy; job; full[- ]time",
        "part[- ]time",
        "dosage; side effects; wanted; we(?:'re| are) hiring; salary; terms of use; code of conduct; house rules of",
    ),
    sentence=cues(
        rf"{_I}|me|my|mine|we|us|our; is|are|was|were|am|be|been; has|have|had; do|does|did; will|would|can|could",
        "^(?:(?:good )?(?:morning|evening|afternoon)|greetings|question|quick (?:one|question|thing|update)|update"
        "|btw|fyi|one|two|ps|idea|sorry"
        "|right|great"
        "|perfect|done|sure|cool|nice|sounds|agreed|option|plan|number|variant|both|neither|also|and|but|then)",
        "should|must|shall|might",
        "want|need|let's|please|thanks?|hi|hey|hello|ok|okay|yes|no|so|well|now|always|never",
        "got|went|goes|said|says|from now on|remember",
    ),
    handles=cues(
        "wash; rinse; stir; mix; whisk; beat; fold in; bake; boil; simmer; fry; roast; grill; chop; slice; dice",
        "peel",
        "grate; drain; knead; pour; sprinkle; season; soak; marinate; preheat; heat; melt; cool; chill; cover",
        "uncover",
        "combine; blend; strain; serve; garnish; dissolve; toss; spread; roll out; cut; squeeze; crush; spoon; press",
        "dry; wipe; rub; scrub; brush; oil; dust; sand; polish the; apply; shake; swallow; chew; dose; elevate",
        "raise",
        "rest; lie down; drink; eat; avoid; breathe; stretch; bend; lift; massage; consult; see your; contact your",
        "unplug; plug in; switch off; switch on; press and hold; insert; screw; unscrew; tighten; loosen; assemble",
        "attach",
        "detach; remove; fill; empty; place; lay; hang; dial; evacuate; assemble at; walk; proceed; queue; knock",
        "ring",
        "water (?:the|it|them|once|every|well)|prune|plant|sow|feed|fertili[sz]e|mow|trim|air the|store in|bring to",
    ),
    bids=cues(
        "keep; take; leave; use; do not; don't; make sure; ensure; wear; bring; let; put; add; turn; call; give",
        "allow",
        "wait; return; open; close; hold; try; check; follow; report; please; no \\w+ing",
        "you (?:must|may|should|can|need)",
    ),
    offers=cues(
        "we offer; we(?:'re| are) looking for; we(?:'re| are) seeking; we expect; we provide; you(?:'ll| will)",
        "you report",
        "you bring; you have; you are responsible; your (?:tasks|responsibilities|profile|duties|role|doctor|stay)",
        "requirements; responsibilities; benefits; apply (?:by|now|today); join (?:us|our)",
        "guests (?:must|are|may|should)",
        "patients? (?:must|are|may|should); residents (?:must|are|may|should)",
        "the (?:patient|applicant|candidate|guest)",
    ),
    measure=cues(
        r"(?:\d[\d.,/]*|½|¼|¾|half|one|two|three|four|a) ?(?:kg|g|mg|l|ml|dl|cl|oz|lbs?|tbsp|tsp|cups?|pints?"
        r"|quarts?)"
        r"\.?(?=\s)",
        r"(?:\d[\d.,/]*|½|¼|¾|half|one|two|three|four|a) (?:tablespoons?|teaspoons?|spoons?|spoonfuls?|cloves?"
        r"|pinch(?:es)?)"
        r"(?=\s)",
        r"(?:\d[\d.,/]*|½|¼|¾|half|one|two|three|four|a) (?:handfuls?|sticks?|slices?|bunch(?:es)?|tins?|cans?|drops?"
        r"|tablets?|pills?|sprigs?|dash(?:es)?|litres?|liters?|grams?)(?=\s)",
        r"\d{1,3}(?:[.,/]\d)? (?:(?!am|pm|days?|weeks?|hours?|people)[a-z]{3,}\s*){1,3}$",
        r"(?:salt|pepper)(?: and \w+)?$",
    ),
    myself=cues(_I, "i'm|i've|i'd|i'll; me; my; mine; myself"),
    posted=cues(
        # Another person puts it somewhere: `the landlord slid a letter under the door`.
        rf"(?<=\w )(?<!\bi )(?<!\bwe )(?<!\byou )(?<!to )\w+ (?:a|an|this"
        rf"|some) (?:[\w-]+ ){{0,3}}{_CARRIER} (?:under|on|in|at|by|behind"
        r"|through|into|onto|above|inside|over|to) (?:the|my|our|his|her|their|every|all|each)",
        rf"there(?:'s| is| was| hangs| hung)(?: now| also| again)? (?:a|an|this|some"
        rf"|another) (?:[\w-]+ ){{0,4}}{_CARRIER}",
        rf"{_CARRIER} (?!about|says)(?:\w+ ){{0,3}}{_PUT}",
        rf"(?<=\w )(?<!\bplease )(?<!\bto ){_PUT} (?:up )?(?:a|an|this|some|another) (?:[\w-]+ ){{0,3}}{_CARRIER}",
        rf"(?<=\w )(?<!\bplease )(?<!\bto )(?:put|left|stuck|taped|hung|posted|pinned)(?: up| out)? (?:a|an|this|some"
        rf"|another) (?:[\w-]+ ){{0,3}}"
        rf"{_CARRIER}",
        rf"(?:has|have|got) (?:a|an|this|some|another) (?:new )?(?:[\w-]+ ){{0,2}}{_CARRIER}(?: (?:at|on|in|by|near"
        rf"|up) |$)",
        rf"(?:was|were|lay|hung|sat|stood) (?:a|an|this|some) (?:[\w-]+ ){{0,2}}{_CARRIER}(?=\W*$)",
        rf"{_CARRIER} (?:appeared|went up|came|arrived|was there)",
        rf"(?:i |we )?(?:found|saw|spotted|noticed) (?:a|an|this|some|another) (?:[\w-]+ ){{0,3}}{_CARRIER}",
    ),
    placed=cues(
        r"\b(?:i|we)(?:'ve| have|'ll| will| just| already)? (?:put|left|hung|taped|stuck|posted|pinned|made|wrote"
        r"|printed|placed)",
    ),
    carrier=cues(
        _CARRIER,
        "app|box|carton|screen|display|packaging|package|packet|jar|bottle|portal|menu|receipt|invoice|intranet|wall"
        "|door|fridge|lift",
    ),
    where=cues(
        r"(?:(?:printed|stamped|written|stuck|taped|pinned|engraved|found|seen|read|copied|straight) )?(?:on|from"
        r"|off|in|inside|at) (?:the|a|an|our|my|their|his|her|some) \w+",
    ),
    asked=cues(
        "ask(?:ed|ing)?; tried; checked with; consulted; ran (?:it|this) (?:by|past|through); put (?:it|this) to",
    ),
    thus=cues(
        "what (?!i |we |you )(?:\\w+ ){1,3}(?:agreed|decided|settled|resolved|voted|laid down)(?: on| for)?(?: \\w+)?",
        r"(?:this|here|that)(?:'s| is| was) (?:how|what|the way) (?!i\b|we\b|you\b)\w+(?: \w+){1,4}",
        "(?:goes|went|put it|puts it|replied|came back|sees it|explains? it) (?:like this|as follows|this way|so)",
        "in (?:his|her|their|its) words; (?:this|here)(?:'s| is) (?:his|her|their|its) (?:answer|view|take|reply)",
    ),
    sent_by=cues(rf"(?:from|via|by|per) (?:the |our |my |a |an |old )?{_TIME}\w+"),
    channel=cues(
        "teams; slack; whatsapp; signal; telegram; messenger; discord; sms; text; e-?mail; mail; zoom; imessage",
        "viber",
        "instagram; facebook; linkedin; reddit; x; twitter; voicemail; phone; intercom; radio; the group",
        "group chat; chat",
        "line; wechat; skype; meet; the phone",
    ),
    acted=cues(
        r"(?:has |just )?(?:commented|requested|left|reviewed|approved|replied|wrote|pinned|shared|mentioned"
        r"|suggested|tweeted)",
        r"(?:has |just )?(?:opened|closed|reopened|merged|assigned|edited|posted|added|asked|answered|noted|said"
        r"|reacted)",
    ),
    acclaimed=cues(
        "(?:top|best|accepted|highest[- ]voted|most[- ]upvoted|most liked|featured|pinned|staff) (?:\\w+ )?"
        "(?:answer|reply|comment|response|post|review|message|tip)",
    ),
    votes=cues(
        r"score:? ?-?\d+; [+-]?\d[\d.,k]* (?:up ?votes?|votes?|likes?|points?|karma|claps|people found this helpful)",
        r"[▲△↑👍] ?\d+; \d+ [▲△↑👍]",
    ),
    group=cues(
        "(?:everyone|everybody|all of you|you all|y'all|folks|guys|team|colleagues|residents|tenants|parents|members"
        "|students"
        "|neighbou?rs|people|ladies|gents|staff|employees|volunteers|kids|children)(?:,|!|:| please| remember| note"
        "| kindly)",
        "(?:hi|hello|hey|dear|attention|listen|remember|please|listen up),? (?:everyone|everybody|all|folks|guys"
        "|team|colleagues|"
        "residents|tenants|parents|members|students|neighbou?rs|people|staff|employees|volunteers)(?= ?[,!:.])",
        "(?:please|remember|note|mind),? (?:\\w+,? ){0,3}(?:colleagues|residents|tenants|parents|members|neighbou?rs"
        "|folks)"
        "(?= ?[,!:.])",
        "(?:all|each) of you; you(?: two| three| both| lot)(?= must| should| will| always| never)",
    ),
    busy=cues(
        "let's|let us",
        r"(?:i|we)(?:'m|'re| am| are)(?: now| still| just)? (?!reading|looking|quoting|pasting|copying|told"
        r"|asked)\w+",
        "(?:i|we)(?:'ll|'d like| will| want| need| work| plan| should| have to| must| would like| like| start| keep"
        "| put| go)",
    ),
    errand=cues(
        r"(?:asked|asks|told|tells|ordered|advised|reminded|wants|invited|urged) (?:me|us) (?:not )?to "
        r"(?!share|pass|read|forward|send|post|tell|paste|remember|note|show|say)\w+",
    ),
    task=cues(
        "(?:can|could|will|would) you (?:please |also |just |maybe )?(?:set|hook|wire|back|lock|mark|put|add|update"
        "|schedule|book|change"
        "|create|make|save"
        "|arrange|configure|implement|enforce|apply|remind|turn|switch|move|print|plan|order|keep|remember|enter"
        "|adjust|wire"
        "|prepare|include|log|file|store|record|note|write (?:it|that|this) down|take care|do)",
    ),
)
