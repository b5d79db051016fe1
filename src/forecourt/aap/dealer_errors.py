"""What a client of a dealer agent meets instead of an answer.

    Unreachable
    ├── CardNotFound              no agent card where one was looked for
    ├── CardUnusable              the card is no A2A 1.0 card of an AAP dealer
    ├── DealerUnavailable         HTTP 5xx, 408 or 429                              retryable
    ├── DealerRefusedCall         another HTTP status that is no success
    ├── AnswerNotJson             the content type is not JSON
    ├── AnswerMalformed           not JSON, not JSON-RPC, or without an AAP payload
    ├── AnswerMismatched          it answers another request
    ├── BareResult                the message is not wrapped as `result.message`
    ├── TaskReturned              a task where AAP wants a message
    ├── CallFailed                a JSON-RPC error that speaks of the dealer's trouble  retryable
    └── CallRefused               a JSON-RPC error that speaks of the call
    Refused
    ├── CredentialsRequired       the card asks for credentials and none are configured, or they are wrong
    └── CredentialsUnsupported    the card asks for another kind than a bearer token

Errors below `fetch.errors` pass unchanged. An `aap.error` of the dealer is no exception but an answer.
"""

from typing import ClassVar

from forecourt.base.errors import Refused, Unreachable


class DealerFailed(Unreachable):
    """The dealer agent did not give a usable answer."""

    code = "dealer_failed"
    retryable = False
    may_have_arrived: ClassVar[bool] = False


class CardNotFound(DealerFailed):
    """There is no agent card where one was looked for."""

    code = "card_not_found"


class CardUnusable(DealerFailed):
    """The card cannot be used; `details["reason"]` says what is wrong with it."""

    code = "card_unusable"


class DealerUnavailable(DealerFailed):
    """The dealer's server cannot answer now; `details["retry_after_ms"]` says for how long, if known."""

    code = "dealer_unavailable"
    retryable = True
    may_have_arrived = True


class DealerBusy(DealerUnavailable):
    """The dealer's server says that too many calls came (HTTP 429)."""

    code = "dealer_busy"
    may_have_arrived = False


class DealerRefusedCall(DealerFailed):
    """The dealer's server answers with an HTTP status that is no success."""

    code = "dealer_refused_call"


class AnswerNotJson(DealerFailed):
    """The answer's content type is not JSON."""

    code = "answer_not_json"
    may_have_arrived = True


class AnswerMalformed(DealerFailed):
    """The answer is not JSON, not JSON-RPC 2.0, or holds no AAP payload."""

    code = "answer_malformed"
    may_have_arrived = True


class AnswerMismatched(DealerFailed):
    """The answer carries the id of another request."""

    code = "answer_mismatched"
    may_have_arrived = True


class BareResult(DealerFailed):
    """The result is the message itself instead of an object with `message` (A2A 1.0 section 9.4)."""

    code = "bare_result"
    may_have_arrived = True


class TaskReturned(DealerFailed):
    """The dealer answers with an A2A task; AAP knows messages only."""

    code = "task_returned"
    may_have_arrived = True


class CallFailed(DealerFailed):
    """A JSON-RPC error without AAP error that speaks of the dealer's trouble; it stands in the details."""

    code = "call_failed"
    retryable = True
    may_have_arrived = True


class CallRefused(DealerFailed):
    """A JSON-RPC error without AAP error that speaks of the call; it stands in the details."""

    code = "call_refused"


class CredentialsRequired(Refused):
    """The dealer asks for credentials, and none are configured or they are not accepted."""

    code = "credentials_required"


class CredentialsUnsupported(Refused):
    """The dealer asks for credentials other than a bearer token, or would get the token unprotected."""

    code = "credentials_unsupported"
