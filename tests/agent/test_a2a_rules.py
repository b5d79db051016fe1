"""Versions, extensions, parts and the operations that an agent without tasks does not offer (A2A 1.0)."""

from typing import Any
from urllib.parse import urlencode

import pytest
from tests.agent.conftest import A2A, AAP_URI, INFORMATION_REQUEST, Site, a2a_error, answer_of, call

from forecourt.agent.rpc import Strictness


@pytest.mark.parametrize("version", ["", "1.0", "1.0.0", "1.0.7", " 1.0 "])
def test_version_1_0_and_its_patches_are_spoken_and_assumed(site: Site, version: str) -> None:
    assert "result" in answer_of(site.post(call(), a2a_version=version))


@pytest.mark.parametrize(
    "version", ["0.3", "1.1", "1.5", "2.0", "99.0", "1", "1.0.", "1.0-beta", "latest", "1.0,1.1"]
)
def test_another_version_is_refused_and_the_spoken_one_named(site: Site, version: str) -> None:
    answer = answer_of(site.post(call(), a2a_version=version))
    info = a2a_error(answer, -32009, "VERSION_NOT_SUPPORTED")
    assert "1.0" in answer["error"]["message"]
    assert info["metadata"] == {"supportedVersions": "1.0"}
    assert answer["id"] == "r-1"


def test_the_version_may_stand_in_the_query_when_no_header_says_it(site: Site) -> None:
    def query(version: str) -> str:
        return f"{A2A}?{urlencode({'A2A-Version': version, 'other': '1'})}"

    assert "result" in answer_of(site.post(call(), path=query("1.0")))
    a2a_error(answer_of(site.post(call(), path=query("0.3"))), -32009, "VERSION_NOT_SUPPORTED")
    assert "result" in answer_of(site.post(call(), path=query("0.3"), a2a_version="1.0"))


def test_a_strict_endpoint_wants_the_version(site_with: Any) -> None:
    strict = site_with(strictness=Strictness(requires_version=True))
    a2a_error(answer_of(strict.post(call())), -32009, "VERSION_NOT_SUPPORTED")
    assert "result" in answer_of(strict.post(call(), a2a_version="1.0"))
    assert "result" in answer_of(strict.post(call(), path=f"{A2A}?A2A-Version=1.0"))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"a2a_extensions": AAP_URI},
        {"a2a_extensions": f"https://other.example.com/x, {AAP_URI}"},
        {"x_a2a_extensions": AAP_URI},
    ],
)
def test_the_active_extension_is_named_in_every_answer(site: Site, headers: dict[str, str]) -> None:
    for body in (call(), call({"type": "other.request"}), b"{bad"):
        assert site.post(body, **headers).headers["a2a-extensions"] == AAP_URI


def test_a_client_of_other_extensions_is_answered_but_not_told_that_they_are_active(site: Site) -> None:
    response = site.post(call(), a2a_extensions="https://autoagentprotocol.org/extensions/aap/v9.9")
    assert "result" in answer_of(response)
    assert "a2a-extensions" not in response.headers


def test_a_strict_endpoint_wants_the_extension(site_with: Any) -> None:
    strict = site_with(strictness=Strictness(requires_extension=True))
    info = a2a_error(answer_of(strict.post(call())), -32008, "EXTENSION_SUPPORT_REQUIRED")
    assert info["metadata"] == {"extension": AAP_URI, "header": "A2A-Extensions"}
    a2a_error(
        answer_of(strict.post(call(), a2a_extensions=f"{AAP_URI}.1")), -32008, "EXTENSION_SUPPORT_REQUIRED"
    )
    assert "result" in answer_of(strict.post(call(), a2a_extensions=f"x,{AAP_URI}"))
    assert "result" in answer_of(strict.post(call(), x_a2a_extensions=AAP_URI))


@pytest.mark.parametrize(
    ("method", "code", "reason"),
    [
        ("GetTask", -32001, "TASK_NOT_FOUND"),
        ("CancelTask", -32001, "TASK_NOT_FOUND"),
        ("CreateTaskPushNotificationConfig", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("GetTaskPushNotificationConfig", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("ListTaskPushNotificationConfigs", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("DeleteTaskPushNotificationConfig", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("SendStreamingMessage", -32004, "UNSUPPORTED_OPERATION"),
        ("SubscribeToTask", -32004, "UNSUPPORTED_OPERATION"),
        ("GetExtendedAgentCard", -32004, "UNSUPPORTED_OPERATION"),
        ("message/send", -32601, "METHOD_NOT_FOUND"),
        ("sendMessage", -32601, "METHOD_NOT_FOUND"),
        ("", -32601, "METHOD_NOT_FOUND"),
        ("__class__", -32601, "METHOD_NOT_FOUND"),
    ],
)
@pytest.mark.parametrize("params", [{}, {"id": "t-1"}, None, [1]])
def test_the_operations_that_a_dealer_does_not_offer_are_refused_as_a2a_says(
    site: Site, method: str, code: int, reason: str, params: object
) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    a2a_error(answer_of(site.post(request)), code, reason)


@pytest.mark.parametrize(
    ("params", "page_size"), [({}, 50), ({"pageSize": 7}, 7), ({"pageSize": -1}, 50), (None, 50)]
)
def test_the_list_of_tasks_is_empty(site: Site, params: object, page_size: int) -> None:
    answer = answer_of(site.post({"jsonrpc": "2.0", "id": 1, "method": "ListTasks", "params": params}))
    assert answer["result"] == {"tasks": [], "nextPageToken": "", "pageSize": page_size, "totalSize": 0}


def test_a_message_that_continues_a_task_names_one_that_is_not_there(site: Site) -> None:
    a2a_error(answer_of(site.post(call(taskId="t-1"))), -32001, "TASK_NOT_FOUND")
    a2a_error(answer_of(site.post(call(taskId="t-1", parts=[{"text": "go on"}]))), -32001, "TASK_NOT_FOUND")


@pytest.mark.parametrize(
    "parts",
    [
        [{"raw": "dGNr", "mediaType": "application/x-unsupported"}],
        [{"text": "hello", "mediaType": "text/plain"}],
        [{"data": INFORMATION_REQUEST, "mediaType": "text/plain"}],
        [{"data": INFORMATION_REQUEST, "mediaType": "application/vnd.other+json"}],
        [{"data": INFORMATION_REQUEST, "mediaType": "application/vnd.autoagent.x"}],
    ],
)
def test_a_part_of_another_media_type_is_refused(site: Site, parts: list[object]) -> None:
    a2a_error(answer_of(site.post(call(parts=parts))), -32005, "CONTENT_TYPE_NOT_SUPPORTED")
