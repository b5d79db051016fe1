"""Arguments and answers against the schemas of the contract."""

from collections.abc import Mapping
from functools import cache
from typing import Final

import jsonschema_rs

from forecourt.base.schema_failures import Failure, described
from forecourt.contract.errors import (
    IdempotencyKeyInvalid,
    IdempotencyKeyMissing,
    InvalidRequest,
    ValidationFailed,
)
from forecourt.contract.schemas import schema, schema_names

MOST_ERRORS: Final = 50
"""A body of 64 KiB can be wrong in thousands of ways; nobody reads them."""

KEY_POINTER: Final = "/idempotency_key"

_NOT_ALLOWED: Final = "A value is missing or not allowed: see errors."

_OF_FORM: Final = frozenset({"type", "additionalProperties"})
"""Keywords whose failure means that the request cannot be read: 400. All others are about values: 422."""

_CODES: Final[Mapping[str, str]] = {
    "type": "wrong_type",
    "additionalProperties": "unknown_member",
    "required": "missing",
    "anyOf": "missing",
    "minimum": "out_of_range",
    "maximum": "out_of_range",
    "minLength": "wrong_length",
    "maxLength": "wrong_length",
    "minItems": "wrong_length",
    "maxItems": "wrong_length",
    "minProperties": "missing",
    "pattern": "wrong_format",
    "format": "wrong_format",
    "uniqueItems": "repeated",
    "falseSchema": "conflicting_member",
}


def check_arguments(schema_name: str, arguments: object) -> None:
    """Hold arguments to their schema.

    Raises `InvalidRequest` when they cannot be read, `ValidationFailed` when a value is not allowed, and
    `IdempotencyKeyMissing` or `IdempotencyKeyInvalid` when nothing is wrong but the key.
    """
    validator = _validator(schema_name)
    if validator.is_valid(arguments):
        return
    failures = list(described(validator.iter_errors(arguments)))
    _complain_of_key(failures)
    errors = [_as_error(failure) for failure in failures[:MOST_ERRORS]]
    if any(failure.keyword in _OF_FORM for failure in failures):
        raise InvalidRequest("The request cannot be read: see errors.", details={"errors": errors})
    raise ValidationFailed(_NOT_ALLOWED, details={"errors": errors})


def is_valid(schema_name: str, value: object) -> bool:
    """Say whether a value is what a schema describes."""
    return _validator(schema_name).is_valid(value)


def failures(schema_name: str, value: object) -> list[Failure]:
    """Return everything that is wrong with a value."""
    return list(described(_validator(schema_name).iter_errors(value)))


def error_at(pointer: str, code: str, message: str) -> dict[str, str]:
    """Return an entry of a Problem's `errors`."""
    return {"pointer": pointer, "code": code, "message": message}


def invalid_member(path: str, message: str, *, code: str = "wrong_format") -> ValidationFailed:
    """Return the error for a member that no schema can judge; `path` is its JSON Pointer without slash."""
    return ValidationFailed(_NOT_ALLOWED, details={"errors": [error_at(f"/{path}", code, message)]})


def _complain_of_key(failures: list[Failure]) -> None:
    if {_pointer(failure) for failure in failures} != {KEY_POINTER}:
        return
    if any(failure.keyword == "required" for failure in failures):
        raise IdempotencyKeyMissing("A valuation needs an idempotency key.")
    if all(failure.keyword == "pattern" for failure in failures):
        raise IdempotencyKeyInvalid("A key has 1 to 255 letters, digits and the characters . _ : -")


def _as_error(failure: Failure) -> dict[str, str]:
    return error_at(_pointer(failure), _CODES.get(failure.keyword, "not_allowed"), failure.error)


def _pointer(failure: Failure) -> str:
    """Point at the member itself where it is missing or unknown, else at the place of the failure."""
    return failure.instance_location + (f"/{failure.member}" if failure.member else "")


@cache
def _validator(schema_name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        schema(schema_name), validate_formats=True, registry=_registry(), offline=True
    )


@cache
def _registry() -> jsonschema_rs.Registry:
    documents = (schema(name) for name in schema_names())
    return jsonschema_rs.Registry([(document["$id"], document) for document in documents])
