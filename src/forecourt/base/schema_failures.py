"""What is wrong with a JSON value by its schema, in words that never repeat a value that the caller sent.

A validator's own texts quote the offending value, which may be a phone number or a VIN.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jsonschema_rs import ValidationError, ValidationErrorKind

_HARMLESS_NAME = re.compile(r"[A-Za-z_.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that is wrong: where (JSON Pointer into the value), against which keyword, and why.

    `member` names what is unknown or missing there, if that is the failure and the name is harmless.
    """

    instance_location: str
    keyword: str
    error: str
    member: str | None = None

    def as_json(self) -> dict[str, str]:
        """Return the failure in JSON Schema's own words for it (2020-12, 12.3)."""
        return {"instanceLocation": self.instance_location, "keyword": self.keyword, "error": self.error}


def described(errors: Iterable[ValidationError]) -> Iterator[Failure]:
    """Describe what a validator found."""
    for error in errors:
        yield from _failures_of(error)


def _failures_of(error: ValidationError) -> Iterator[Failure]:
    kind = error.kind
    match kind:
        case ValidationErrorKind.AdditionalProperties():
            for name in kind.unexpected:
                yield _failure(error, f"{_quoted(name)} is not known here.", member=name)
        case ValidationErrorKind.Required():
            yield _failure(error, _text(kind), member=kind.property)
        case ValidationErrorKind.AnyOf() | ValidationErrorKind.OneOfNotValid():
            yield from _union_failures(error, kind.context)
        case _:
            yield _failure(error, _text(kind))


def _failure(error: ValidationError, text: str, *, member: str | None = None) -> Failure:
    harmless = member if member and _HARMLESS_NAME.fullmatch(member) else None
    return Failure(_pointer(error.instance_path), error.kind.name, text, harmless)


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
        yield from described(meant[0])
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
    if len(missing) == len(kinds):
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
    ValidationErrorKind.FalseSchema: lambda _: "Must not be given here, beside the other members.",
    ValidationErrorKind.Format: lambda kind: f"Must be {_FORMATS.get(kind.format, kind.format)}.",
    ValidationErrorKind.Maximum: lambda kind: f"Must be at most {kind.limit}.",
    ValidationErrorKind.MaxItems: lambda kind: f"Must have at most {kind.limit} entries.",
    ValidationErrorKind.MaxLength: lambda kind: f"Must have at most {kind.limit} characters.",
    ValidationErrorKind.MinProperties: lambda kind: f"Must have at least {kind.limit} members.",
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
