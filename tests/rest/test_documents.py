"""The documents that the service serves: pages, codes, the index for models, and what they promise."""

import json
import logging
import re
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette
from tests.rest.service import URL, StubEngine, golf

from forecourt.contract.problems import PROBLEMS
from forecourt.logs import ROOT
from forecourt.operations.table import TOOLS
from forecourt.rest.documents import PLACEHOLDER, document_routes

pytestmark = pytest.mark.anyio

DOCS = Path(__file__).resolve().parents[2] / "docs" / "api"
SITE = Starlette(routes=document_routes(public_url=URL, service_name="Larkfield Values"))


async def get(path: str) -> httpx2.Response:
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(SITE), base_url=URL) as client:
        return await client.get(path)


async def test_every_link_of_the_contents_leads_to_a_page():
    contents = await get("/docs")
    links = re.findall(r'href="(/[^"]+)"', contents.text)
    assert len(links) > 15
    for link in links:
        page = await get(link)
        assert page.status_code in {200, 307}, link
        assert PLACEHOLDER not in page.text


@pytest.mark.parametrize("name", ["quick-start", "tools", "errors", "credits", "test-mode", "versions"])
async def test_a_page_is_there_for_people_and_for_machines(name):
    html, markdown = await get(f"/docs/{name}"), await get(f"/docs/{name}.md")
    assert html.headers["content-type"] == "text/html; charset=utf-8"
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.text.startswith("# ")
    for target in re.findall(r'href="([\w/.-]+)"', html.text):
        assert (await get(httpx2.URL(f"{URL}/docs/{name}").join(target).path)).status_code == 200


async def test_the_pages_of_mcp_clients_link_to_each_other():
    assert (await get("/docs/mcp")).headers["location"] == "/docs/mcp/"
    index = await get("/docs/mcp/")
    neighbours = re.findall(r'href="([\w-]+)"', index.text)
    assert "claude-code" in neighbours
    for neighbour in neighbours:
        assert (await get(f"/docs/mcp/{neighbour}")).status_code == 200


@pytest.mark.parametrize("code", PROBLEMS)
async def test_the_type_of_every_problem_is_the_address_of_a_page(code):
    page = await get(f"/problems/{code}")
    assert page.status_code == 200
    assert code in page.text


@pytest.mark.parametrize(
    "path", ["/problems/nothing", "/docs/nothing", "/docs/../settings.md", "/docs/nothing.md"]
)
async def test_there_is_no_other_page(path):
    assert (await get(path)).status_code == 404


async def test_the_index_for_models_names_every_tool_and_page():
    index = (await get("/llms.txt")).text
    assert index.startswith("# Larkfield Values\n")
    assert all(f"`{tool}`" in index for tool in TOOLS)
    for link in re.findall(r"\((https://data\.example\.com[^)]+)\)", index):
        assert (await get(httpx2.URL(link).path)).status_code in {200, 307}


async def test_the_quick_start_does_what_it_says(api):
    text = (DOCS / "quick-start.md").read_text(encoding="utf-8")
    [body] = re.findall(r"-d '(\{.*?\})'", text, re.DOTALL)
    [promised] = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    answer = (await api.value(json.loads(body))).json()
    assert json.loads(promised).items() <= answer.items()


@pytest.mark.requirement("data.logs")
async def test_no_log_line_names_a_key_a_vin_or_a_plate(api, caplog):
    caplog.set_level(logging.DEBUG, logger=ROOT)
    vin, plate = "TESTVN00000000503", "TE53MNT"
    await api.post("/v1/vehicles/decode-vin", {"vin": vin})
    await api.post("/v1/vehicles/lookup-plate", {"country": "GB", "number": plate})
    car = golf(vin=vin, plate={"country": "GB", "number": plate})
    await api.value(car)
    api.grant(1)
    live = api.with_services(live=StubEngine(RuntimeError())).with_key("live")
    assert (await live.value(car)).json()["error"]["code"] == "engine_error"
    assert caplog.records
    said = caplog.text + "".join(str(vars(record)) for record in caplog.records)
    assert not any(secret in said for secret in (api.key, live.key, vin, plate))
