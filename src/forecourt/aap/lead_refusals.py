"""Which error a lead gets that does not fit, after its consent: the same from dealer and MCP adapter."""

from collections.abc import Mapping
from typing import Any

from forecourt.aap.errors import InvalidCondition, MissingRequiredField, refusal
from forecourt.aap.validation import Failure, failures


def refuse_unfit(request: Mapping[str, Any]) -> None:
    """Let a request pass that fits the schema, with a vehicle when it asks for a test drive.

    Raises `InvalidCondition`, `MissingRequiredField` or `SchemaValidationFailed` with every failure.
    """
    found = failures("lead-submit-request", request)
    lacks_vehicle = _is_test_drive_of_nothing(request)
    if lacks_vehicle:
        found.append(
            Failure("", "required", '"vehicle_of_interest" is missing: a test drive needs a vehicle.')
        )
    if not found:
        return
    error = refusal(found)
    if lacks_vehicle and not isinstance(error, InvalidCondition):
        raise MissingRequiredField("A test drive needs a vehicle_of_interest.", details=error.details)
    raise error


def _is_test_drive_of_nothing(request: Mapping[str, Any]) -> bool:
    appointment = request.get("appointment")
    is_test_drive = isinstance(appointment, Mapping) and appointment.get("appointment_type") == "test_drive"
    return is_test_drive and request.get("vehicle_of_interest") in (None, {})
