"""Expected errors of `memory ship`. What was not sent is sent by the next one."""

from pipeline.errors import PipelineError
from schemas import exit_codes


class ShippingError(PipelineError):
    """Transcripts could not be sent."""


class NoServerToShipTo(ShippingError):
    """The settings do not name the server, or no token for it."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The settings name no {missing} to ship transcripts with."
    advice = "Write [ship] with url and token into memory.toml, or set MEMORY_SHIP__URL and MEMORY_SHIP__TOKEN."
    missing: str


class ServerAway(ShippingError):
    """The server does not answer, or not now."""

    exit_code = exit_codes.WAITING
    sentence = "{url} cannot be reached: {reason}."
    advice = "Nothing is lost: the next `memory ship` goes on where this one stopped."
    url: str
    reason: str


class ServerFull(ShippingError):
    """The server has no room left."""

    exit_code = exit_codes.WAITING
    sentence = "There is no room left at {url}."
    advice = "Make room there; the next `memory ship` goes on where this one stopped."
    url: str


class ShippingForbidden(ShippingError):
    """The server does not know the token, or it is none with which transcripts may be sent."""

    exit_code = exit_codes.NO_PERSON
    sentence = "{url} does not take transcripts with this token: {reason}"
    advice = (
        "Make a token there and write it into ship.token: `memory config token add NAME --laptop`, or for a fleet "
        "`memory fleet token add NAME --for WORKSPACE --laptop`."
    )
    url: str
    reason: str


class NoReceiver(ShippingError):
    """The address is not that of a memory that takes transcripts."""

    exit_code = exit_codes.UNUSABLE
    sentence = "No memory takes transcripts at {url}: {reason}."
    advice = "Look at ship.url: it is the address of `memory serve`, or of a fleet with /w/ and the workspace's name."
    url: str
    reason: str


class OtherMemory(ShippingError):
    """The address leads to another workspace than before."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{url} is the memory of another workspace than the one that transcripts were sent to before."
    advice = "If it is the right one, `memory ship --again` sends everything to it."
    url: str


class ShipmentRefused(ShippingError):
    """The server does not take a session as it is."""

    sentence = "{url} does not take a session: {reason}"
    advice = "The other sessions are sent. Update the older of both programs, then `memory ship`."
    url: str
    reason: str
