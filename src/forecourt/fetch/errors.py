"""Why an outgoing request brought nothing back.

    Unreachable                   the other side's trouble
    ├── NameUnknown               no such host                       never retryable
    ├── NameServerFailed          the name service gave no answer    retryable
    ├── ConnectionFailed          refused, reset or no route         retryable
    ├── ConnectionLost            broke off after the request left   retryable
    ├── CertificateRefused        TLS could not be agreed            not retryable
    ├── TimedOut                  the deadline passed                retryable
    ├── AnswerTooLarge            more bytes than we take            not retryable
    ├── AnswerUndecodable         not HTTP, or a broken encoding     not retryable
    └── TooManyRedirects          a loop or a long chain             not retryable
    Refused                       our own rules forbid the request
    ├── UrlRefused                scheme, port, credentials, shape
    ├── AddressRefused            the host is not on the public internet
    └── RedirectRefused           a redirect to another place

`may_have_arrived` tells whether the other side can have acted on the request although no answer came.
Messages name neither the URL nor the address: the first can carry secrets, the second maps our network.
"""

from typing import ClassVar

from forecourt.base.errors import Refused, Unreachable


class FetchFailed(Unreachable):
    """The other side did not give a usable answer."""

    code = "fetch_failed"
    may_have_arrived: ClassVar[bool] = False


class NameUnknown(FetchFailed):
    """The host name does not exist."""

    code = "name_unknown"
    retryable = False


class NameServerFailed(FetchFailed):
    """The name service could not say whether the host exists."""

    code = "name_server_failed"


class ConnectionFailed(FetchFailed):
    """No connection came about: refused, reset, no route."""

    code = "connection_failed"


class ConnectionLost(FetchFailed):
    """The connection broke off before the whole answer was there."""

    code = "connection_lost"
    may_have_arrived = True


class CertificateRefused(FetchFailed):
    """TLS could not be agreed: an unknown authority, another host's or an expired certificate."""

    code = "certificate_refused"
    retryable = False


class TimedOut(FetchFailed):
    """The whole exchange did not end before its deadline."""

    code = "timed_out"
    may_have_arrived = True


class AnswerTooLarge(FetchFailed):
    """The answer, unpacked, is larger than we take."""

    code = "answer_too_large"
    retryable = False
    may_have_arrived = True


class AnswerUndecodable(FetchFailed):
    """What came back is not HTTP, or its content encoding is broken or unknown."""

    code = "answer_undecodable"
    retryable = False
    may_have_arrived = True


class TooManyRedirects(FetchFailed):
    """One redirect led to the next for too long."""

    code = "too_many_redirects"
    retryable = False


class UrlRefused(Refused):
    """The URL is malformed, carries credentials, or names a scheme or port that is not allowed."""

    code = "url_refused"


class AddressRefused(Refused):
    """The host has an address that is not on the public internet, and no setting allows it."""

    code = "address_refused"


class RedirectRefused(Refused):
    """The answer redirects to a place where this request must not go."""

    code = "redirect_refused"
