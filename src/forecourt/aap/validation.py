"""Validation of AAP payloads against their schemas: every failure, and never a value that the caller sent.

AAP 1.3 wants all failures at once, each with its JSON Pointer, keyword and a text for people (errors page).
The texts are ours: a validator's own quote the offending value, which may be a phone number or a VIN. Formats
are asserted: an e-mail address, URI, date or time that is none is a failure.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema_rs
from jsonschema_rs import ValidationError, ValidationErrorKind

from forecourt.aap.schemas import schema, schema_names

_HARMLESS_NAME = re.compile(r"[A-Za-z_.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that is wrong: where (JSON Pointer into the payload), against which keyword, and why."""

    instance_location: str
    keyword: str
    error: str

    def as_json(self) -> dict[str, str]:
        """Return the failure as AAP writes it in `details.errors[]`."""
        return {"instanceLocation": self.instance_location, "keyword": self.keyword, "error": self.error}


def failures(schema_name: str, payload: object) -> list[Failure]:
    """Return everything that is wrong with a payload in the order of the schema; nothing when it is valid.

    `schema_name` is a name of `aap.schemas`. Raises KeyError when there is no such schema.
    """
    validator = _validator(schema_name)
    try:
        return list(_described(validator.iter_errors(payload)))
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


def _described(errors: Iterable[ValidationError]) -> Iterator[Failure]:
    for error in errors:
        yield from _failures_of(error)


def _failures_of(error: ValidationError) -> Iterator[Failure]:
    kind = error.kind
    match kind:
        case ValidationErrorKind.AdditionalProperties():
            for name in kind.unexpected:
                yield _failure(error, f"{_quoted(name)} is not known here.")
        case ValidationErrorKind.AnyOf() | ValidationErrorKind.OneOfNotValid():
            yield from _union_failures(error, kind.context)
        case _:
            yield _failure(error, _text(kind))


def _failure(error: ValidationError, text: str) -> Failure:
    return Failure(_pointer(error.instance_path), error.kind.name, text)


def _pointer(path: Iterable[str | int]) -> str:
    """Write a path as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _quoted(name: str) -> str:
    """Name a member that the caller sent, unless the name itself could be personal data."""
    return f'"{name}"' if _HARMLESS_NAME.fullmatch(name) else "A member"


def _union_failures(error: ValidationError, branches: list[list[ValidationError]]) -> Iterator[Failure]:
    """Explain why no branch fits: by the one branch that was meant, by members to add, or by types."""
    meant = [branch for branch in branches if not _of_another_type(error, branch)]
    if len(meant) == 1 and len(branches) > 1:
        yield from _described(meant[0])
    else:
        yield _failure(error, _union_text(branches, meant))


def _of_another_type(union: ValidationError, branch: list[ValidationError]) -> bool:
    return any(
        isinstance(error.kind, ValidationErrorKind.Type) and error.instance_path == union.instance_path
        for error in branch
    )


def _union_text(branches: list[list[ValidationError]], meant: list[list[ValidationError]]) -> str:
    kinds = [error.kind for branch in branches for error in branch]
    missing = [kind.property for kind in kinds if isinstance(kind, ValidationErrorKind.Required)]
    if len(missing) == len(branches):
        return f"At least one of {_listed(missing)} is needed."
    if meant:
        return "Fits none of the allowed forms."
    types = [name for kind in kinds if isinstance(kind, ValidationErrorKind.Type) for name in kind.types]
    return f"Must be of type {' or '.join(dict.fromkeys(types))}."


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)


_FORMATS = {
    "date": "a date as YYYY-MM-DD",
    "date-time": "an RFC 3339 time with offset, such as 2030-01-31T09:30:00Z",
    "email": "an e-mail address",
    "uri": "an absolute URI",
}

_TEXTS: dict[type[ValidationErrorKind], Callable[[Any], str]] = {
    ValidationErrorKind.Constant: lambda kind: f"Must be {_listed([kind.expected_value])}.",
    ValidationErrorKind.Contains: lambda _: "Holds no entry of the required kind.",
    ValidationErrorKind.Enum: lambda kind: f"Must be one of {_listed(kind.options)}.",
    ValidationErrorKind.Format: lambda kind: f"Must be {_FORMATS.get(kind.format, kind.format)}.",
    ValidationErrorKind.Maximum: lambda kind: f"Must be at most {kind.limit}.",
    ValidationErrorKind.MaxItems: lambda kind: f"Must have at most {kind.limit} entries.",
    ValidationErrorKind.MaxLength: lambda kind: f"Must have at most {kind.limit} characters.",
    ValidationErrorKind.Minimum: lambda kind: f"Must be at least {kind.limit}.",
    ValidationErrorKind.MinItems: lambda kind: f"Must have at least {kind.limit} entries.",
    ValidationErrorKind.MinLength: lambda kind: f"Must have at least {kind.limit} characters.",
    ValidationErrorKind.Pattern: lambda kind: f"Must match the pattern {kind.pattern}",
    ValidationErrorKind.Required: lambda kind: f'"{kind.property}" is missing.',
    ValidationErrorKind.Type: lambda kind: f"Must be of type {' or '.join(kind.types)}.",
    ValidationErrorKind.UniqueItems: lambda _: "Must not hold the same entry twice.",
}


def _text(kind: ValidationErrorKind) -> str:
    describe = _TEXTS.get(type(kind))
    return describe(kind) if describe else f"Breaks the rule {kind.name}."
