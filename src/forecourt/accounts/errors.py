"""What can be wrong with an account or a credential.

NotAuthenticated          we do not know who calls: HTTP 401
├── MissingCredentials
├── InvalidApiKey         unknown, malformed, revoked or expired
├── InvalidToken          the same of an OAuth token
├── WrongAudience         a token for another resource
└── MembershipRevoked     the person left the organisation
Refused                   we know, and the answer is no: HTTP 403
├── OrganizationSuspended
├── IpNotAllowed
└── InsufficientScope
NotFound
├── OrganizationUnknown
├── UserUnknown
└── KeyUnknown
InvalidInput
└── WrongAccount          a name, address, scope, role or country that cannot be used
"""

from forecourt.base.errors import InvalidInput, NotFound, Refused


class NotAuthenticated(Refused):
    """The credential does not say who calls."""

    code = "not_authenticated"
    kind = "unauthenticated"


class MissingCredentials(NotAuthenticated):
    """No bearer token was sent."""

    code = "missing_credentials"


class InvalidApiKey(NotAuthenticated):
    """The API key is unknown, malformed, revoked or expired; which of these is not told."""

    code = "invalid_api_key"


class InvalidToken(NotAuthenticated):
    """The OAuth token is unknown, malformed, revoked or expired."""

    code = "invalid_token"


class WrongAudience(NotAuthenticated):
    """The token is good, but for another resource."""

    code = "wrong_audience"


class MembershipRevoked(NotAuthenticated):
    """The person who connected is no longer a member of the organisation: signing in again helps."""

    code = "membership_revoked"


class OrganizationSuspended(Refused):
    """The organisation may not use the service at the moment."""

    code = "organization_suspended"


class IpNotAllowed(Refused):
    """The key may not be used from this address."""

    code = "ip_not_allowed"


class InsufficientScope(Refused):
    """The credential lacks a scope; `details["required_scope"]` names it."""

    code = "insufficient_scope"


class OrganizationUnknown(NotFound):
    """There is no organisation of that id."""

    code = "organization_not_found"


class UserUnknown(NotFound):
    """There is no user of that e-mail address."""

    code = "user_not_found"


class KeyUnknown(NotFound):
    """The organisation has no such key."""

    code = "key_not_found"


class WrongAccount(InvalidInput):
    """A name, an e-mail address, a role, a scope, a country or a network cannot be used."""

    code = "wrong_account"
