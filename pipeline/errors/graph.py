"""The expected errors of the graph of what is remembered, in the manner of `pipeline.errors`."""

from pipeline.errors import UnknownName


class UnknownNode(UnknownName):
    """No node has this id or this name, or it is somebody else's."""

    sort = "node of the graph"
    listed = "The graph without a focus shows the newest"
