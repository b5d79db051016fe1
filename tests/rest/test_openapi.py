"""The published description holds: whatever is called in whatever way, no answer is undocumented."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send
from tests.rest.service import URL, api_on

from forecourt.contract.problems import PROBLEMS
from forecourt.operations.table import OPERATIONS, problem_codes
from forecourt.rest.api import RestApi
from forecourt.rest.documents import document_routes
from forecourt.rest.openapi import openapi
from forecourt.storage.database import open_database

DOCUMENT = openapi(public_url=URL, service_name="Forecourt")


class Server:
    """The service of the fixture; before there is one it serves the description alone."""

    def __init__(self) -> None:
        self.rest: RestApi | None = None
        self._documents = Starlette(routes=document_routes(public_url=URL, service_name="Forecourt"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        served = self.rest is not None and self.rest.serves(scope)
        await (self.rest if served else self._documents)(scope, receive, send)


SERVER = Server()
DESCRIPTION = schemathesis.openapi.from_asgi("/openapi.json", SERVER)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("openapi")
    database = open_database(f"sqlite:///{folder / 'forecourt.db'}")
    database.upgrade()
    api = api_on(database)
    SERVER.rest = RestApi(api.services, address_of=lambda _: "192.0.2.7")
    yield api.key
    database.close()


@DESCRIPTION.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_answer_is_undocumented(key: str, case: Case) -> None:
    """All checks but one: a valid request can be refused here (422), that is what honest values are about."""
    case.call_and_validate(
        headers={"Authorization": f"Bearer {key}"}, excluded_checks=[positive_data_acceptance]
    )


def test_every_route_of_the_table_is_described_with_every_code_it_can_answer():
    for operation in OPERATIONS:
        for route in operation.routes:
            described = DOCUMENT["paths"][route.path][route.method.lower()]
            assert described["operationId"] == route.id
            for code in problem_codes(operation, route):
                response = described["responses"][str(PROBLEMS[code].status)]
                assert f"`{code}`" in response["description"]


def test_operation_ids_are_unique():
    ids = [route.id for operation in OPERATIONS for route in operation.routes]
    assert len(ids) == len(set(ids))
