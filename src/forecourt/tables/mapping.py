"""The mapping file: a TOML file that says about a feed what cannot be seen in it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from forecourt.tables.errors import MappingInvalid
from forecourt.tables.headers import ROLES
from forecourt.tables.numbers import NumberStyle, style_of_country

_TEXT_KEYS: Final = (
    "charset",
    "delimiter",
    "country",
    "currency",
    "mileage_unit",
    "decimal_mark",
    "condition",
    "rooftop",
)
_CONDITIONS: Final = frozenset({"new", "used", "cpo"})
_MILEAGE_UNITS: Final = frozenset({"mi", "km", "mil"})
_VALUE_SETS: Final = frozenset(
    {"condition", "status", "fuel", "transmission", "driveline", "body", "vehicle_type"}
)
_KEYS: Final = frozenset(
    {*_TEXT_KEYS, "month_first", "vehicle_types", "columns", "ignore", "rooftops", "values"}
)


@dataclass(frozen=True, slots=True)
class MappingFile:
    """What was declared about a feed. Everything is optional; what is declared wins over what is detected.

    `columns` maps a role (see `tables.aliases`) to its columns in order of preference, `ignore` names columns
    to leave alone, `rooftops` maps a feed's rooftop names or codes to those of the profile, `values` maps a
    feed's words to ours per set.
    """

    charset: str | None = None
    delimiter: str | None = None
    country: str | None = None
    currency: str | None = None
    mileage_unit: str | None = None
    number_style: NumberStyle | None = None
    month_first: bool | None = None
    condition: str | None = None
    rooftop: str | None = None
    vehicle_types: frozenset[str] | None = None
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ignore: frozenset[str] = frozenset()
    rooftops: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


NOTHING_DECLARED: Final = MappingFile()


def read_mapping(path: Path) -> MappingFile:
    """Read a mapping file; raises `MappingInvalid` naming every wrong key."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise MappingInvalid(f"{path.name} cannot be opened.") from None
    except UnicodeDecodeError:
        raise MappingInvalid(f"{path.name} is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:  # says line and column
        raise MappingInvalid(f"{path.name} is not TOML: {error}.") from None
    return build_mapping(content)


def build_mapping(content: Mapping[str, Any]) -> MappingFile:
    """Check declarations given as plain data; raises `MappingInvalid` naming every wrong key."""
    problems = [*_key_problems(content), *_choice_problems(content), *_table_problems(content)]
    if problems:
        raise MappingInvalid("; ".join(problems) + ".", details={"problems": problems})
    country = content.get("country", "").upper() or None
    mark = content.get("decimal_mark")
    return MappingFile(
        charset=content.get("charset"),
        delimiter={"tab": "\t"}.get(content.get("delimiter", ""), content.get("delimiter")),
        country=country,
        currency=content.get("currency", "").upper() or None,
        mileage_unit=content.get("mileage_unit"),
        number_style=NumberStyle(mark) if mark else style_of_country(country),
        month_first=content.get("month_first"),
        condition=content.get("condition"),
        rooftop=content.get("rooftop"),
        vehicle_types=frozenset(content["vehicle_types"]) if "vehicle_types" in content else None,
        columns={role: _names(names) for role, names in content.get("columns", {}).items()},
        ignore=frozenset(content.get("ignore", ())),
        rooftops=content.get("rooftops", {}),
        values=content.get("values", {}),
    )


def _names(names: str | list[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _key_problems(content: Mapping[str, Any]) -> list[str]:
    unknown = [f"{key}: not known here" for key in content if key not in _KEYS]
    texts = [f"{key}: give a text" for key in _TEXT_KEYS if not isinstance(content.get(key, ""), str)]
    flag = [] if isinstance(content.get("month_first", False), bool) else ["month_first: give true or false"]
    return [*unknown, *texts, *flag]


def _choice_problems(content: Mapping[str, Any]) -> list[str]:
    choices: dict[str, frozenset[str]] = {
        "condition": _CONDITIONS,
        "mileage_unit": _MILEAGE_UNITS,
        "decimal_mark": frozenset({".", ","}),
        "delimiter": frozenset({",", ";", "\t", "tab", "|"}),
    }
    return [
        f"{key}: give one of {', '.join(sorted(allowed))}"
        for key, allowed in choices.items()
        if isinstance(content.get(key, ""), str) and key in content and content[key] not in allowed
    ]


def _table_problems(content: Mapping[str, Any]) -> list[str]:
    columns, values = content.get("columns", {}), content.get("values", {})
    problems = [
        f"{key}: give a table"
        for key in ("columns", "rooftops", "values")
        if not isinstance(content.get(key, {}), dict)
    ]
    if problems:
        return problems
    problems += [
        f"columns.{role}: no such role; roles are {', '.join(ROLES)}" for role in columns if role not in ROLES
    ]
    problems += [
        f"columns.{role}: give a name or a list of names"
        for role, names in columns.items()
        if not _is_names(names)
    ]
    problems += [f"values.{name}: no such set" for name in values if name not in _VALUE_SETS]
    problems += [
        f"{key}: give a list of texts"
        for key in ("ignore", "vehicle_types")
        if not _is_names(content.get(key, []))
    ]
    return problems


def _is_names(names: object) -> bool:
    return isinstance(names, str) or (
        isinstance(names, list) and all(isinstance(name, str) for name in names)
    )
