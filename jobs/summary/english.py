"""English."""

from jobs.summary.lexicon import Lexicon
from pipeline.language.calendar_names import MONTH
from pipeline.language.cues import cues
from pipeline.language.detection import Language

ENGLISH = Lexicon(
    code=Language.ENGLISH,
    bounded=True,
    owner="Owner",
    assistant="Assistant",
    promise=cues(
        "i'?ll; i will; i'm (?:going to|about to); we'?ll; we will",
        "i'm (?:adding|closing|changing|switching|writing|removing|moving|setting|sending|building|fixing|checking)",
    ),
    looks=cues(
        "(?:i'?ll|i will|let me) (?:first |also |just )?(?:read|look|check|see|map|list|search|go through|find)",
    ),
    begun=cues(
        "adding; closing; changing; switching; writing; removing; moving; setting; sending; building; fixing",
        "checking; running; creating; updating; deleting; renaming; rewriting; deploying; pushing; testing",
    ),
    done=cues(
        r"(?:^|(?<=[;:.] ))(?:(?!(?:is|are|was|were|gets?|be|been|last) )\w+ ){0,2}"
        "(?:done|(?!need|agree|ignor|refus|declin|suppos|bas|unrelat|indeed|speed|exceed|compar|requir|expect|suggest)[a-z]+(?:[td]ed)"
        "|(?:re)?(?:moved|named|written|wrote|built|sent|set|created|pushed|posted|tagged|scheduled|merged|cleaned)"
        "|(?:un)?(?:installed|changed|switched|fixed|stored|booked|ordered|published|dropped|rolled out|archived)"
        "|reserved|replaced|stopped|started|cancell?ed|filed|renamed|signed|paid|shipped|replied|opened|closed|finished)",
        "i(?:'ve| have)? (?:just |also |already )?(?!need|want|agree|think|thought|ignor|refus|declin|notic|look)"
        "(?:[a-z]+ed|wrote|sent|set|put|built|made)",
        "(?:is|are) (?:up|live|in place|green|ready|out)",
    ),
    noted=cues(
        "noted; understood; agreed; saved; recorded; remembered; got it; ok(?:ay)?; clear; left alone; left open",
    ),
    duty=cues(
        r"i'?ll; i will; i(?:'m| am) (?:going to|gonna); i (?:have|need|got) to; i must; i should; remind me; my turn",
        r"i (?:send|write|call|roll|post|pay|book|bring|take|fix|do|deploy|order|finish)",
        "i (?:look at|check|test|try|review|clean|ask|talk to|read)(?! (?:it|that|them) (?:last|every))",
        r"(?:he|she|they|someone|somebody)(?:'ll| will| is going to| are going to| (?:has|have) to)",
    ),
    wanted=cues(
        r"please; pls; plz; (?:can|could|will|would) you; i want you to; i need you to; get me; make me; give me",
        "remind me; let's have; send (?:it|them|her|him); post (?:it|the); schedule; book; reserve; rename; rewrite",
    ),
    near=cues(
        "(?:is|are|comes?) next; tomorrow",
        "next (?:step|up|morning|week|day|time|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?",
        "in the morning; first thing; the day after; coming (?:week|days)",
    ),
    dated=cues(
        "(?:on |by |until |till |before |for )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?:'s)?",
        r"(?:by|on|until|till|before|for|from) (?:the )?\d{1,2}(?:st|nd|rd|th)?(?![.:]?\d)(?! (?:%|percent|eur|zl))",
        rf"\d{{1,2}}(?:st|nd|rd|th)? (?:{MONTH}); tonight; deadline",
        rf"(?:{MONTH}) \d{{1,2}}(?:st|nd|rd|th)?; due; end of",
    ),
    postponed=cues(
        "for now; for the (?:moment|time being)",
        "(?<!no )(?<!sooner or )later(?! than); some other (?:time|day|evening|week); another (?:day|time|evening)",
        "park (?:it|that|this); not yet; ask me (?:again|later|next|in); come back to; revisit; on hold; postponed?",
        "let me (?:think|sleep|ask|see|check with); sleep on (?:it|that)",
        "think (?:about it|it over); tbd; wait and see",
        "i'?ll (?:ask|think|see|check with|talk to|let you know|decide|come back); we'?ll see; need to (?:think|ask)",
        "have to (?:think|ask); after (?:the )?(?:holidays?|launch|release|break|summer|weekend); next (?:month|year)",
        "ask (?:them|him|her); leave (?:it|that) (?:open|for)",
    ),
    undecided=cues(
        "dunno; no idea; (?:i )?don'?t know(?: yet)?; not sure(?: yet)?; undecided; (?:not|haven'?t|hasn'?t) decided",
        "idk; no clue; still open; open question; nobody knows; can'?t decide; not settled; unclear",
    ),
    undone=cues(
        "not (?:done|checked|tested|verified|included|covered|fixed|decided|answered|clear) yet",
        "still (?:missing|open)",
        "still (?:to do|unclear|pending|needs?|have to|need to|waiting); (?:haven't|hasn't|didn't|not) yet; untested",
        "(?:haven'?t|have not) (?:checked|tested|touched|asked|heard|verified|looked); remains? (?:open|to)",
        "left to do; to be (?:confirmed|checked|done); waiting (?:for|on); to-?do(?! list)",
        "needs (?:checking|a decision)",
        "(?:should|need to|have to|must|will have to|someone (?:should|has to)) (?:ask|tell|confirm|find out|clarify)",
    ),
    yours=cues(
        "please (?!let me know|try again|note)[a-z]+",
        "you(?:'ll| will)? (?:need|have|ought) to; you(?:'d better| should| must)",
        "waits? for you(?:r)?; up to you; on your side; when (?:it'?s )?convenient",
    ),
    depends=cues("(?:it |that |this )?depends; hard to say; could be decided later; to be decided; we don'?t know"),
    left=cues(
        "left (?:open|as is|for); leaving (?:it|that) open; parked; on the list; still open; your (?:call|decision)"
    ),
    dropped=cues(
        "leave it(?! open)?; never mind; forget it; skip it; not (?:now|needed|interested); no thanks; drop it"
    ),
    fault=cues(
        r"errors?; fail(?:s|ed|ing|ure)?; crash\w*; timeouts?",
        r"timed out; bugs?; broken?; breaks?; hung|hangs?; leak\w*",
        r"corrupt\w*; stale; dead(?:lock\w*)?; missing; lost; wrong; outage; down; stuck; out of (?:memory|space|disk)",
        r"exception; panic\w*; reject\w*; conflict\w*; drain\w*; not stable; race; slow\w*; late; full; overflow\w*",
    ),
    cause=cues(
        "because; since; due to; cause(?:d|s)?; root cause; reason; that(?:'s| is| fits)? (?:why|the)|that fits",
        "so (?:that|it|the); turns? out; comes? from; came from; until; only (?:if|when); the real lesson; lesson",
        "the (?:fix|trick|problem|culprit|catch) (?:is|was)",
    ),
    finding=cues(
        "takes?; took; costs?; weighs?; measured; counted; total; average; at most; about; roughly; around; currently",
        "(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozens?|half|thirds?|quarters?|percent|twice|median)",
        "is safe; works?; supports?; requires?; needs?; means",
        "holds?; lives?; uses?; runs?; contains?; has|have; there",
        "locks?; expires?; ends?; starts?; changed; recovered; instead of; behaves?; returns?; merged; left",
    ),
    hollow=cues(
        "how (?:can|may) i (?:help|assist); what can i do for you; how are you; how(?:'s| is) (?:it|everything) going",
        "what(?:'s| is) (?:up|new|on your mind); anything else; (?:is there )?something else (?:i can|you)",
        "good (?:night|morning|luck|call|point|choice); did you sleep well; goodbye; bye; take care",
        "(?:see|catch|talk to) you (?:later|soon|tomorrow|then|next|on)",
        "i'?ll (?:help you|start (?:by|with)|begin (?:by|with)); let me (?:start|begin|create|add|also|help)",
        "(?:go|going|off) to (?:bed|sleep); you'?re welcome; no problem; sorry; ouch",
        "heartbeat_ok; heartbeat poll; no_reply; sounds good; makes sense",
        "great; congrat\\w*; thanks; happy to help; have fun; enjoy",
        "i (?:have )?ignored (?:it|that|them|this); left (?:it|that|them) alone; i won'?t",
        "(?:meant for|tells?|asks?) assistants?",
        "(?:did(?: not|n'?t)|do(?: not|n'?t)|won'?t|will not) (?:store|repeat|keep|save); out of my notes",
    ),
    letter=cues("subject; hi; hello; dear; hey; regards; best; cheers; talk soon; thanks for"),
    recalled=cues(
        "last time; you (?:said|wanted|told|had|decided|mentioned)",
        "earlier you; as you; previously; so far; in (?:my|the) notes",
    ),
    pointing=cues("it; that; this; them; those; these; both; there; her; him; their; his; its"),
    interjection=cues(
        "ok(?:ay)?; o+h+; a+h+; h+m+; ugh+; argh+; lo+l; ha(?:ha)+",
        r"hehe; well; right(?=,); so(?=,| |\.{2}); yeah; yep",
        "yes(?=[,.!]); no(?=[,.!]); and; but; btw; also; anyway",
        r"wow; damn; morning(?=\.); evening(?=\.); sure(?=[,.])",
        r"great(?=[,.!]); good(?=[,.!]); perfect(?=[,.!]); hey(?=[, ]); hi(?=[, ]); thanks(?=[,.!]); nope(?=[,.!])",
    ),
)
