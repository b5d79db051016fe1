"""The floor: a Starlette route that reads the request and returns bytes that were made beforehand."""

import os
from functools import cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ANSWER_FILE = "BENCHMARK_ANSWER_FILE"


@cache
def _answer() -> bytes:
    return Path(os.environ[ANSWER_FILE]).read_bytes()


async def answer(request: Request) -> Response:
    """Return the prepared answer."""
    await request.body()
    return Response(_answer(), media_type="application/json")


def application() -> Starlette:
    """Build the application; uvicorn calls it with `--factory`."""
    return Starlette(routes=[Route("/", answer, methods=["POST"])])
