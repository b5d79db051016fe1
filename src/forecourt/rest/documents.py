"""The documents of the service: pages as Markdown and as HTML, OpenAPI, `llms.txt`, and a page per code."""

import html
import re
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from forecourt.contract.problems import PROBLEMS
from forecourt.rest.openapi import openapi
from forecourt.rest.reference import llms_txt, problem_page

PLACEHOLDER: Final = "https://cars.example.com"
"""Stands in the pages for the address of the server, which puts its own in."""

MCP_INDEX: Final = "mcp"

_PACKAGE: Final = Path(__file__).resolve().parent
_FOLDERS: Final = ("api", "mcp")
_ORDER: Final = ("quick-start", "tools", "errors", "credits", "test-mode", "versions")
_HEADERS: Final = {
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}
_TO_PAGE: Final = re.compile(r'href="([\w-]+)\.md"')
"""Links between the pages are written for whoever reads the files; in HTML they lead to HTML."""

_STYLE: Final = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}"
    "table{border-collapse:collapse;display:block;overflow-x:auto}"
    "td,th{border:1px solid #999;padding:.3rem .6rem;text-align:left;vertical-align:top}"
    "td code{overflow-wrap:anywhere}"
    "pre{background:#f2f2f2;padding:1rem;overflow-x:auto}"
)


def document_routes(*, public_url: str, service_name: str) -> list[Route]:
    """Return the routes of every document, made once for a server at `public_url`."""
    pages = _pages(public_url)
    described = openapi(public_url=public_url, service_name=service_name)
    index = llms_txt(
        ((f"/docs/{name}.md", _title(text)) for name, text in pages.items()),
        public_url=public_url,
        service_name=service_name,
    )
    contents = _contents(pages)

    async def api(_: Request) -> Response:
        return JSONResponse(described, headers={"access-control-allow-origin": "*", **_HEADERS})

    async def for_models(_: Request) -> Response:
        return PlainTextResponse(index, headers=_HEADERS)

    async def page(request: Request) -> Response:
        return _page(pages, request.path_params.get("name", ""), contents=contents)

    async def problem(request: Request) -> Response:
        kind = PROBLEMS.get(request.path_params["code"])
        return _nothing() if kind is None else _html(problem_page(kind))

    return [
        Route("/openapi.json", api),
        Route("/llms.txt", for_models),
        Route("/docs", page),
        Route("/docs/{name:path}", page),
        Route("/problems/{code}", problem),
    ]


def _page(pages: dict[str, str], name: str, *, contents: str) -> Response:
    if name in {"", "index.md"}:
        return _html(contents)
    if name == MCP_INDEX:
        return RedirectResponse(f"/docs/{MCP_INDEX}/", headers=_HEADERS)  # its links lead to its neighbours
    text = pages.get(name.removesuffix(".md").removesuffix("/"))
    if text is None:
        return _nothing()
    return (
        Response(text, media_type="text/markdown", headers=_HEADERS) if name.endswith(".md") else _html(text)
    )


def _nothing() -> Response:
    return HTMLResponse(_document("Not found", "<p>There is no such page.</p>"), 404, headers=_HEADERS)


def _html(markdown: str) -> Response:
    body = _TO_PAGE.sub(r'href="\1"', _markdown().render(markdown))
    return HTMLResponse(_document(_title(markdown), body), headers=_HEADERS)


def _document(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f'<body><nav><a href="/docs">Documents</a></nav>{body}</body></html>'
    )


def _contents(pages: dict[str, str]) -> str:
    listed = "\n".join(f"- [{_title(text)}](/docs/{name})" for name, text in pages.items())
    return f"# Documents\n\n{listed}\n- [OpenAPI](/openapi.json)\n- [llms.txt](/llms.txt)\n"


def _pages(public_url: str) -> dict[str, str]:
    """Return the pages by their name below `/docs/`: those of the service, then those of MCP clients."""
    found = {
        _name(folder, path): path.read_text(encoding="utf-8").replace(PLACEHOLDER, public_url)
        for folder in _FOLDERS
        for path in sorted((_root() / folder).glob("*.md"))
    }
    return dict(sorted(found.items(), key=lambda page: _position(page[0])))


def _name(folder: str, path: Path) -> str:
    if folder == "api":
        return path.stem
    return folder if path.stem == "index" else f"{folder}/{path.stem}"


def _position(name: str) -> tuple[int, str]:
    return (_ORDER.index(name), name) if name in _ORDER else (len(_ORDER), name)


def _root() -> Path:
    """Return where the pages lie: inside a wheel beside this module, in a checkout where they are written."""
    return _PACKAGE / "docs" if (_PACKAGE / "docs").is_dir() else _PACKAGE.parents[2] / "docs"


def _title(markdown: str) -> str:
    return markdown.partition("\n")[0].removeprefix("# ")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")
