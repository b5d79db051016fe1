"""The official AAP 1.3 schemas and examples as a second opinion: python jsonschema, formats asserted."""

import copy
import json
import random
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

ANNOTATIONS = frozenset({"description", "title", "examples"})
NAMED_BY_CALLERS = frozenset({"properties", "$defs"})
TYPELESS = {
    "agent-card.example.json": "agent-card",
    "error.example.json": "error",
    "event.example.json": "event",
}


class OfficialSchemas:
    """The official files, by the names that `aap.schemas` uses."""

    def __init__(self, folder: Path) -> None:
        files = sorted((folder / "schemas").rglob("*.schema.json"))
        names = [
            file.relative_to(folder / "schemas").as_posix().removesuffix(".schema.json") for file in files
        ]
        self.documents = {
            name: json.loads(file.read_bytes()) for name, file in zip(names, files, strict=True)
        }
        resources = [(each["$id"], Resource.from_contents(each)) for each in self.documents.values()]
        self._registry = Registry().with_resources(resources)
        self._validators: dict[str, Draft202012Validator] = {}

    def validator(self, name: str) -> Draft202012Validator:
        if name not in self._validators:
            self._validators[name] = Draft202012Validator(
                self.documents[name],
                registry=self._registry,
                format_checker=Draft202012Validator.FORMAT_CHECKER,
            )
        return self._validators[name]

    def is_valid(self, name: str, payload: object) -> bool:
        return self.validator(name).is_valid(payload)

    def locations(self, name: str, payload: object) -> set[str]:
        """JSON Pointers of everything that is wrong."""
        errors = self.validator(name).iter_errors(payload)
        return {"".join(f"/{step}" for step in error.absolute_path) for error in errors}


def examples(folder: Path) -> dict[str, tuple[str, object]]:
    """Every example payload: file name → (name of its schema, payload); envelopes give their data part."""
    found = {}
    for file in sorted((folder / "examples").glob("*.json")):
        payload = _payload(json.loads(file.read_bytes()))
        if file.name != "mcp-manifest.example.json":
            found[file.name] = (_schema_of(file.name, payload), payload)
    return found


def _payload(document):
    envelope = document.get("params") or document.get("result")
    return envelope["message"]["parts"][0]["data"] if envelope else document


def _schema_of(file_name, payload):
    if file_name in TYPELESS:
        return TYPELESS[file_name]
    return payload["type"].replace("inventory.vehicle", "vehicle.detail").replace(".", "-")


def structure(schema, *, named=False):
    """A schema without what only explains it."""
    if isinstance(schema, dict):
        kept = schema if named else {key: value for key, value in schema.items() if key not in ANNOTATIONS}
        return {
            key: structure(value, named=key in NAMED_BY_CALLERS and not named) for key, value in kept.items()
        }
    return [structure(each) for each in schema] if isinstance(schema, list) else schema


TEXTS = [
    "",
    " ",
    "new",
    "good",
    "sms",
    "asc",
    "2030-01-31",
    "2030-13-45T99:00:00Z",
    "2030-01-31T09:30:00+02:00",
]
TEXTS += [
    "not an address",
    "ada@example.com",
    "https://example.com/a",
    "/relative",
    "+14155550123",
    "0155",
    "24:00",
]
TEXTS += ["x" * 121, "x" * 201, "x" * 2001, "x" * 4001, "inventory.search.request", "ä" * 2000]
NUMBERS = [-1, 0, 1, 14, 15, 1000, 1001, 1899, 1900, 2100, 2101, 0.5, 20.0, -90.5, 180.5, 10**12, 1e30]
OTHERS = [None, True, False, [], {}, [None], ["x"], ["x", "x"], [{}], {"x": 1}, [[]], ["email", "email"]]


def variants(payload, *, count, seed):
    """Return so many payloads, each the given one with one or two changes; the same for the same seed."""
    dice = random.Random(seed)
    places = list(_places(payload))
    return [_varied(payload, places, dice) for _ in range(count)]


def _places(value, path=()):
    yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in steps:
        yield from _places(child, (*path, step))


def _varied(payload, places, dice):
    changed = copy.deepcopy(payload)
    for _ in range(dice.choice((1, 1, 2))):
        changed = _changed_at(changed, dice.choice(places), dice)
    return changed


def _changed_at(payload, path, dice):
    if not path:
        return _another(payload, dice)
    parent = payload
    for step in path[:-1]:
        parent = _child(parent, step)
    if _child(parent, path[-1]) is not None:
        _change_member(parent, path[-1], dice)
    return payload


def _child(parent, step):
    """The child, or None where an earlier change left none."""
    match parent:
        case dict():
            return parent.get(step)
        case list() if isinstance(step, int) and step < len(parent):
            return parent[step]
        case _:
            return None


def _change_member(parent, step, dice):
    match dice.randrange(4):
        case 0:
            del parent[step]
        case 1:
            parent[step] = _another(parent[step], dice)
        case _:
            parent[step] = dice.choice(dice.choice((TEXTS, NUMBERS, OTHERS)))


def _another(value, dice):
    """A value of the same kind that differs a little."""
    match value:
        case bool():
            return not value
        case int() | float():
            return dice.choice([*NUMBERS, value + 1, float(value), str(value)])
        case str():
            return dice.choice([*TEXTS, value.lower(), value.upper(), value + "x", value[:-1]])
        case list():
            return dice.choice([value + value[:1], value[1:], [*value, None], [*value, "x"], value * 2])
        case dict():
            return {
                **value,
                dice.choice(["x_extra", "type", "name", "condition", "status", "message"]): "new",
            }
        case _:
            return dice.choice(TEXTS)
