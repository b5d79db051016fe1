"""The eight tools as MCP lists them, each out of its line in the table of operations."""

from functools import cache
from typing import Final

import mcp_types as types

from forecourt.contract.schemas import Schema, tool_input_schema
from forecourt.operations.operation import Operation
from forecourt.operations.table import TOOLS

INSTRUCTIONS: Final = (
    "Identify cars and say what they are worth. 1. get_account first: key.mode, scopes, credits_remaining, "
    "countries. 2. Identity unclear? search_vehicles: search, generations with year, drivetrains; send ids "
    "in vehicle.catalogue. 3. valuate_car with a new idempotency_key for each car; on retry_after send the "
    "SAME key and arguments. 4. Live mode: ask the user before each valuation or batch. 5. Report price, "
    "currency, basis, 80% interval, grade, warnings, hints, notes; show attribution_text. "
    "A refused car has no price: say why, never make one up. Test mode is simulated: say so."
)
"""Shown to the model by clients; the first 512 characters count most."""


@cache
def tools() -> tuple[types.Tool, ...]:
    """Return the tools in the order of the table, whatever a caller may use: clients keep one list.

    They have no output schema: it would cost every session thousands of tokens, and clients that check it
    would break on members that are added later, which the contract allows.
    """
    return tuple(_tool(operation) for operation in TOOLS.values())


def input_schema(name: str) -> Schema | None:
    """Return a tool's input schema, or None when there is no such tool."""
    operation = TOOLS.get(name)
    return tool_input_schema(operation.input) if operation else None


def _tool(operation: Operation) -> types.Tool:
    hints = operation.annotations
    return types.Tool(
        name=operation.name,
        title=operation.title,
        description=operation.description,
        input_schema=tool_input_schema(operation.input),
        annotations=types.ToolAnnotations(
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        ),
    )
