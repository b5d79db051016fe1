"""The tools and prompts that the MCP conformance kit asks for by name, on the edge that our faces stand on.

They are here to exercise the edge with every kind of content and of question to the client that one stateless
answer can hold. What needs a stream, a session or resources is not offered.
"""

import hashlib
import hmac
import json
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from starlette.types import ASGIApp

from forecourt.mcp_edge.corrections import correct
from forecourt.mcp_edge.door import Door
from forecourt.mcp_edge.endpoint import McpEndpoint

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="

Context = ServerRequestContext[Any]


def text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def embedded(uri: str) -> types.EmbeddedResource:
    contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text="An embedded text.")
    return types.EmbeddedResource(type="resource", resource=contents)


IMAGE = types.ImageContent(type="image", data=PNG, mime_type="image/png")
AUDIO = types.AudioContent(type="audio", data=WAV, mime_type="audio/wav")

RESULTS = {
    "test_simple_text": types.CallToolResult(content=[text("This is a simple text response for testing.")]),
    "test_image_content": types.CallToolResult(content=[IMAGE]),
    "test_audio_content": types.CallToolResult(content=[AUDIO]),
    "test_embedded_resource": types.CallToolResult(content=[embedded("test://embedded-resource")]),
    "test_multiple_content_types": types.CallToolResult(
        content=[text("Several kinds of content:"), IMAGE, embedded("test://mixed-content-resource")]
    ),
    "test_error_handling": types.CallToolResult(
        content=[text("This tool intentionally returns an error for testing")], is_error=True
    ),
    "json_schema_2020_12_tool": types.CallToolResult(content=[text("called")]),
    "test_logging_tool": types.CallToolResult(content=[text("logged nowhere")]),
}


def form(message: str, member: str, kind: str = "string") -> types.ElicitRequest:
    schema = {"type": "object", "properties": {member: {"type": kind}}, "required": [member]}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sampling(prompt: str) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=text(prompt))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=100)
    )


NAME = {"user_name": form("What is your name?", "name")}
ROOTS = {"client_roots": types.ListRootsRequest()}
CONFIRM = {"confirm": form("Please confirm", "ok", "boolean")}

ROUNDS: dict[str, list[dict[str, Any]]] = {
    "test_input_required_result_elicitation": [NAME],
    "test_input_required_result_sampling": [{"capital_question": sampling("What is the capital of France?")}],
    "test_input_required_result_list_roots": [ROOTS],
    "test_input_required_result_request_state": [CONFIRM],
    "test_input_required_result_tampered_state": [CONFIRM],
    "test_input_required_result_multiple_inputs": [{**NAME, "greeting": sampling("A greeting"), **ROOTS}],
    "test_input_required_result_multi_round": [
        {"step1": form("Step 1: What is your name?", "name")},
        {"step2": form("Step 2: What is your favorite color?", "color")},
    ],
}
"""What each of these tools asks its client, round by round."""

SCHEMA_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

OTHERS = ["test_missing_capability", "test_streaming_elicitation", "test_input_required_result_capabilities"]

PROMPTS = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    "test_input_required_result_prompt": [],
}


async def list_tools(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    schemas = {"json_schema_2020_12_tool": SCHEMA_2020_12}
    return types.ListToolsResult(
        tools=[
            types.Tool(name=name, description=name, input_schema=schemas.get(name, {"type": "object"}))
            for name in (*RESULTS, *ROUNDS, *OTHERS)
        ]
    )


async def call_tool(
    context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    if params.name in RESULTS:
        return RESULTS[params.name]
    if params.name in ROUNDS:
        return asked(params.name, ROUNDS[params.name], params) or types.CallToolResult(
            content=[text(f"state-ok {answers_of(params)}")]
        )
    return depends_on_the_client(context, params)


def depends_on_the_client(
    context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    declared = context.session.client_params
    capabilities = declared.capabilities if declared else types.ClientCapabilities()
    match params.name:
        case "test_missing_capability" if capabilities.sampling is None:
            raise MCPError(
                code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
                message="Sampling is needed",
                data={"requiredCapabilities": {"sampling": {}}},
            )
        case "test_missing_capability":
            return types.CallToolResult(content=[text("capable")])
        case "test_streaming_elicitation":
            return asked(params.name, [NAME], params) or types.CallToolResult(content=[text("done")])
        case "test_input_required_result_capabilities":
            questions: dict[str, Any] = {}
            questions |= {"capital": sampling("Capital?")} if capabilities.sampling is not None else {}
            questions |= NAME if capabilities.elicitation is not None else {}
            return asked(params.name, [questions], params) or types.CallToolResult(content=[text("done")])
    raise MCPError(code=types.INVALID_PARAMS, message="Unknown tool")


def asked(
    name: str,
    rounds: list[dict[str, Any]],
    params: types.CallToolRequestParams | types.GetPromptRequestParams,
) -> types.InputRequiredResult | None:
    """Return the questions of the round that is on, or None when all are answered."""
    stands_at = round_in(params.request_state, name) if params.request_state else 0
    if set(rounds[stands_at]) <= set(params.input_responses or {}):
        stands_at += 1
    if stands_at == len(rounds):
        return None
    return types.InputRequiredResult(input_requests=rounds[stands_at], request_state=signed(name, stands_at))


def signed(name: str, number: int) -> str:
    mark = hmac.new(b"a key of this test", f"{name}{number}".encode(), hashlib.sha256).hexdigest()
    return f"{number}.{mark}"


def round_in(state: str, name: str) -> int:
    number = int(state.partition(".")[0]) if state[:1].isdigit() else 0
    if not hmac.compare_digest(state.encode(), signed(name, number).encode()):
        raise MCPError(code=types.INVALID_PARAMS, message="The request state is not ours")
    return number


def answers_of(params: types.CallToolRequestParams) -> str:
    answers = params.model_dump(mode="json", by_alias=True, exclude_none=True).get("inputResponses", {})
    return json.dumps(answers)


async def list_prompts(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description=name,
                arguments=[types.PromptArgument(name=argument, required=True) for argument in arguments],
            )
            for name, arguments in PROMPTS.items()
        ]
    )


async def get_prompt(
    _context: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    given = params.arguments or {}
    match params.name:
        case "test_simple_prompt":
            content: list[Any] = [text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            content = [text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")]
        case "test_prompt_with_embedded_resource":
            content = [embedded(given["resourceUri"]), text("Please process the embedded resource above.")]
        case "test_prompt_with_image":
            content = [IMAGE, text("Please analyze the image above.")]
        case "test_input_required_result_prompt":
            questions = asked(params.name, [{"user_context": form("What for?", "context")}], params)
            if questions:
                return questions
            content = [text("With your context.")]
        case _:
            raise MCPError(code=types.INVALID_PARAMS, message="Unknown prompt")
    return types.GetPromptResult(
        messages=[types.PromptMessage(role="user", content=block) for block in content]
    )


def fixture_application(port: int) -> ASGIApp:
    """Return the endpoint as a developer's machine serves it: only its own names may be asked for."""
    hint = CacheHint(ttl_ms=60_000, scope="public")
    server: Server[Any] = Server(
        "forecourt-conformance",
        version="1.0.0",
        cache_hints={"tools/list": hint, "prompts/list": hint, "server/discover": hint},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    correct(server)

    async def anyone(_scope: Any, _headers: Any) -> None:
        return None

    hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
    return McpEndpoint(server, admit=anyone, call=None, door=Door(hosts=hosts), max_body_bytes=1_000_000)
