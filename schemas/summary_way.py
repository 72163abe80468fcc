"""Who writes the summaries of a conversation. The settings name it too, and they are read at every start."""

from enum import StrEnum


class SummaryWay(StrEnum):
    """Who writes the prose of a summary: a model, or code when none answers; code alone; nobody."""

    LLM_WITH_FALLBACK = "llm_with_fallback"
    HEURISTIC_ONLY = "heuristic_only"
    OFF = "off"
