"""Token counts of texts, kept because the vocabulary takes half a second to load, and no words."""

import hashlib

from pipeline.language.tokens import count_tokens
from pipeline.ledger.store import LedgerTable

_MOST = 1000  # counts that are kept; what is shown changes now and then, and old texts do not come back


class TokenCounts(LedgerTable):
    """The table of counts by the digest of the text."""

    def of(self, text: str) -> int:
        """The tokens of a text in the vocabulary o200k_base."""
        if not text:
            return 0
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
        known = self._store.value("SELECT tokens FROM token_counts WHERE digest = ?", (digest,))
        if known is None:
            known = count_tokens(text)
            self._store.write("INSERT OR REPLACE INTO token_counts VALUES (?, ?)", (digest, known))
            self._store.write(
                "DELETE FROM token_counts WHERE rowid <= (SELECT MAX(rowid) FROM token_counts) - ?", (_MOST,)
            )
        return int(known)
