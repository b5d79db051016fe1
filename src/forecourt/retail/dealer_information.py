"""The skill `dealer.information`: the profile as the dealer wrote it."""

from typing import Any

from forecourt.retail.dealership import Dealership
from forecourt.retail.payloads import encode_response, refuse_invalid


async def tell_dealer_information(dealership: Dealership, request: dict[str, Any]) -> bytes:
    """Answer who the dealer is, where its rooftops are and when they are open."""
    refuse_invalid("dealer-information-request", request)
    return encode_response("dealer.information.response", dealership.profile.information)
