"""The operations of A2A 1.0 that an agent without tasks answers without looking at anybody's data.

A dealer agent of AAP knows `SendMessage` alone. A2A still says what the others get (section 3.3.4), and
clients and conformance kits ask.
"""

from collections.abc import Callable, Mapping
from typing import Any, Never

from forecourt.aap.errors import (
    MethodNotFound,
    PushNotificationNotSupported,
    TaskNotFound,
    UnsupportedOperation,
)

_DEFAULT_PAGE_SIZE = 50
_LARGEST_PAGE_SIZE = 100


def task_not_found() -> TaskNotFound:
    """Return the refusal of whatever names a task."""
    return TaskNotFound("There is no such task: this agent answers every message at once.")


def answer_other_method(method: str, params: object) -> dict[str, Any]:
    """Answer any method but `SendMessage`; most are refused.

    Raises `MethodNotFound`, `TaskNotFound`, `UnsupportedOperation` or `PushNotificationNotSupported`.
    """
    answer = _ANSWERS.get(method)
    if answer is None:
        raise MethodNotFound("A2A 1.0 has no such method; send a message with SendMessage.")
    return answer(params)


def _no_task(_: object) -> Never:
    raise task_not_found()


def _no_push_notifications(_: object) -> Never:
    raise PushNotificationNotSupported("This agent sends no push notifications.")


def _not_offered(_: object) -> Never:
    raise UnsupportedOperation("This agent offers SendMessage only: no streaming and no extended card.")


def _no_tasks(params: object) -> dict[str, Any]:
    size = params.get("pageSize") if isinstance(params, dict) else None
    usable = isinstance(size, int) and 1 <= size <= _LARGEST_PAGE_SIZE
    return {
        "tasks": [],
        "nextPageToken": "",
        "pageSize": size if usable else _DEFAULT_PAGE_SIZE,
        "totalSize": 0,
    }


_ANSWERS: Mapping[str, Callable[[object], dict[str, Any]]] = {
    "GetTask": _no_task,
    "CancelTask": _no_task,
    "ListTasks": _no_tasks,
    "SendStreamingMessage": _not_offered,
    "SubscribeToTask": _not_offered,
    "GetExtendedAgentCard": _not_offered,
    "CreateTaskPushNotificationConfig": _no_push_notifications,
    "GetTaskPushNotificationConfig": _no_push_notifications,
    "ListTaskPushNotificationConfigs": _no_push_notifications,
    "DeleteTaskPushNotificationConfig": _no_push_notifications,
}
