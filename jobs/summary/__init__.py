"""The offline summary of a session: lines worth reading about one window, found without a model.

A package beside the jobs, not a job: the nightly wrap-up asks it when no model is configured. Every line is made of the
speakers' own words; what was settled is no part of it, because the wrap-up takes that from the entries.
"""

from jobs.summary.commitments import commitments
from jobs.summary.findings import findings
from jobs.summary.observed import observe
from jobs.summary.open_loops import loops
from jobs.summary.points import chosen
from jobs.summary.topics import talks
from schemas.summary import Point, Summary
from schemas.transcript import Session
from schemas.window import Window


def summarize(session: Session, window: Window) -> Summary:
    """The points of a session inside the window; messages before it give their context.

    None for a session of machines, or without a message of the owner inside the window. The same answer for the same
    session and window.
    """
    stretch = observe(session, window)
    if stretch is None:
        return Summary()
    offers = [offer for part in (loops, commitments, findings, talks) for offer in part(stretch)]
    turns = sum(remark.owner for remark in stretch.remarks)
    points = [Point(part=one.part, text=one.text, numbers=one.numbers) for one in chosen(offers, turns)]
    return Summary(points=tuple(points))


__all__ = ["summarize"]
