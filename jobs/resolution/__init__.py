"""From candidates to drafts: checks, recognition, links, and the judgement of earlier entries again."""
