"""Who calls: a bearer token is read anew for every call, so what was revoked is revoked at once."""

import re
from typing import Final

import forecourt.accounts.store as accounts_store
from forecourt.accounts.access import Principal
from forecourt.accounts.errors import InvalidToken, MissingCredentials, WrongAudience
from forecourt.accounts.keys import is_api_key
from forecourt.operations.services import Services

ACCESS_TOKEN_PREFIX: Final = "oat_"  # noqa: S105 — how access tokens of OAuth begin; they are for /mcp alone
_BEARER: Final = re.compile(r"\s*bearer[ \t]+(\S+)\s*", re.IGNORECASE)


async def recognised(services: Services, authorization: str | None, *, address: str) -> Principal:
    """Return on whose behalf a call is made, by its `Authorization` header.

    A token with the prefix of keys is checked as a key and as nothing else. Raises the leaves of
    `accounts.errors` for those who cannot be let in.
    """
    bearer = _bearer(authorization)
    if not is_api_key(bearer, services.key_prefix):
        if bearer.startswith(ACCESS_TOKEN_PREFIX):
            raise WrongAudience("This token is not for this resource.")
        raise InvalidToken("The token is not valid.")
    now = services.clock.now()
    principal = await services.database.read(
        lambda connection: accounts_store.recognise_key(
            connection,
            bearer,
            key_prefix=services.key_prefix,
            secret=services.secret,
            address=address,
            now=now,
        )
    )
    if services.uses.is_news(principal.credential.id):
        await services.database.write(
            lambda connection: accounts_store.note_use(connection, principal.credential.id, now=now)
        )
    return principal


def _bearer(authorization: str | None) -> str:
    match = _BEARER.fullmatch(authorization or "")
    if match is None:
        raise MissingCredentials("Send an API key as `Authorization: Bearer`.")
    return match[1]
