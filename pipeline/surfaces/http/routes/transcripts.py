"""Transcripts of the owner's other machines: where they are sent, and what arrives of them."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Body, Response

from pipeline.app.shipments import receive_shipment, shipping_place
from pipeline.surfaces.http.answers import PROBLEMS, answer, gives
from pipeline.surfaces.http.state import ConversationsThere, RequesterThere, ShipperThere, StateThere
from schemas.shipment import Shipment, ShipmentReceipt, ShippingPlace

router = APIRouter(tags=["transcripts"], responses=PROBLEMS)


@router.get("/transcripts", responses=gives(ShippingPlace))
def place(caller: ShipperThere, state: StateThere) -> Response:
    """Name the memory that transcripts are sent to, before the first is."""
    return answer(shipping_place(state.settings, caller))


@router.post("/transcripts", responses=gives(ShipmentReceipt))
def receive(
    _caller: ShipperThere, talks: ConversationsThere, who: RequesterThere, shipment: Annotated[Shipment, Body()]
) -> Response:
    """Keep messages of a session of a transcript, as `memory ship` sends them; only the owner may send any."""
    return answer(receive_shipment(talks, replace(who, by_person=True), shipment))
