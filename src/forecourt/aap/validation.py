"""Validation of AAP payloads against their schemas: every failure, and never a value that the caller sent.

AAP 1.3 wants all failures at once, each with its JSON Pointer, keyword and a text for people (errors page).
The texts are ours: a validator's own quote the offending value, which may be a phone number or a VIN. Formats
are asserted: an e-mail address, URI, date or time that is none is a failure.
"""

from functools import cache

import jsonschema_rs

from forecourt.aap.schemas import schema, schema_names
from forecourt.base.schema_failures import Failure, described

__all__ = ["Failure", "failures", "is_valid"]


def failures(schema_name: str, payload: object) -> list[Failure]:
    """Return everything that is wrong with a payload in the order of the schema; nothing when it is valid.

    `schema_name` is a name of `aap.schemas`. Raises KeyError when there is no such schema.
    """
    validator = _validator(schema_name)
    try:
        return list(described(validator.iter_errors(payload)))
    except UnicodeEncodeError:
        return [_HALF_A_CHARACTER]


def is_valid(schema_name: str, payload: object) -> bool:
    """Say whether a payload is valid, at a fraction of the cost of listing why it is not."""
    try:
        return _validator(schema_name).is_valid(payload)
    except UnicodeEncodeError:
        return False


_HALF_A_CHARACTER = Failure("", "type", "Text must be Unicode; a lone surrogate is not.")


@cache
def _registry() -> jsonschema_rs.Registry:
    documents = (schema(name) for name in schema_names())
    return jsonschema_rs.Registry([(document["$id"], document) for document in documents])


@cache
def _validator(schema_name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        schema(schema_name), validate_formats=True, registry=_registry(), offline=True
    )
