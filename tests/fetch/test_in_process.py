"""The same requests into an application of this process."""

import pytest

from forecourt.fetch.client import Limits, Outgoing
from forecourt.fetch.errors import AnswerTooLarge, ConnectionLost
from forecourt.fetch.in_process import InProcessFetch

pytestmark = pytest.mark.anyio


async def _echo(scope, receive, send):
    message = await receive()
    body = b"|".join([scope["method"].encode(), scope["raw_path"], scope["query_string"], message["body"]])
    headers = [(b"Content-Type", b"text/plain; charset=utf-8"), *scope["headers"]]
    await send({"type": "http.response.start", "status": 201, "headers": headers})
    await send({"type": "http.response.body", "body": body[:3], "more_body": True})
    await send({"type": "http.response.body", "body": body[3:]})


def _post(limit: int = 1000) -> Outgoing:
    return Outgoing(
        "POST", "http://inside.invalid/a%20b?c=d", Limits(limit, 5), {"a2a-version": "1.0"}, b"{}"
    )


async def test_a_request_reaches_the_application_as_written():
    answer = await InProcessFetch(_echo).send(_post())
    assert (answer.status, answer.body, answer.media_type) == (201, b"POST|/a%20b|c=d|{}", "text/plain")
    assert answer.headers["host"] == "inside.invalid"
    assert answer.headers["a2a-version"] == "1.0"
    assert answer.headers["content-length"] == "2"


async def test_the_application_sees_the_client_that_asked():
    async def application(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope["client"][0].encode()})

    answer = await InProcessFetch(application, client=("198.51.100.7", 5)).send(_post())
    assert answer.body == b"198.51.100.7"


async def test_an_answer_over_the_limit_is_refused():
    with pytest.raises(AnswerTooLarge):
        await InProcessFetch(_echo).send(_post(limit=5))


async def test_an_application_that_answers_nothing_is_an_error():
    async def silent(scope, receive, send):
        pass

    with pytest.raises(ConnectionLost):
        await InProcessFetch(silent).send(_post())
