"""What a skill is: a function from a dealership and a request to an answer."""

from typing import Any, Protocol

from forecourt.retail.dealership import Dealership


class Answer(Protocol):
    """One skill for one dealer."""

    async def __call__(self, dealership: Dealership, request: dict[str, Any], /) -> bytes:
        """Validate an AAP request and return the encoded AAP response (`{"type", "data", "message"?}`).

        Raises a leaf of `aap.errors`. `request` has a `type` that is this skill's.
        """
        ...
