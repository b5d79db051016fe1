"""Pages that say what the code says: one on each code, and the index for language models."""

from collections.abc import Iterable

from forecourt.contract.problems import ProblemKind
from forecourt.operations.table import TOOLS


def problem_page(kind: ProblemKind) -> str:
    """Return the page on one code, as Markdown."""
    members = ", ".join(f"`{name}`" for name in kind.members)
    facts = [
        f"- Code: `{kind.code}`",
        f"- HTTP status: {kind.status}",
        f"- The same call can succeed later: {'yes' if kind.retryable else 'no'}",
        f"- Says when, in `retry_after`: {'yes' if kind.waits else 'no'}",
    ]
    facts += [f"- Further members: {members}"] if members else []
    listed = "\n".join(facts)
    return f"# {kind.title}\n\n{listed}\n\n{kind.action}\n\n[All errors](/docs/errors)\n"


def llms_txt(pages: Iterable[tuple[str, str]], *, public_url: str, service_name: str) -> str:
    """Return the index for language models (llmstxt.org); `pages` are path and title of the documents."""
    listed = "\n".join(f"- [{title}]({public_url}{path})" for path, title in pages)
    tools = "\n".join(
        f"- `{operation.name}`: {operation.description.split('. ')[0]}." for operation in TOOLS.values()
    )
    return (
        f"# {service_name}\n\n"
        "> What a car is (by VIN, German type key, plate or free text) and what it is worth, with an 80 %\n"
        "> interval and a grade, or an honest refusal. Over REST and MCP, with the same answers.\n\n"
        f"- MCP endpoint: {public_url}/mcp (Streamable HTTP, bearer API key)\n"
        f"- REST: {public_url}/v1, described by {public_url}/openapi.json\n\n"
        f"## Documents\n\n{listed}\n\n## Tools\n\n{tools}\n"
    )
