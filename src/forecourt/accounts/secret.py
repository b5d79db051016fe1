"""The server's secret, under which tokens are stored as keyed digests."""

import os
import secrets
from pathlib import Path
from typing import Final

from forecourt.base.errors import InvalidInput
from forecourt.settings import Settings

KEPT_IN: Final = "secret.key"
SHORTEST: Final = 32


class SecretMissing(InvalidInput):
    """The secret must be given, or is too short to keep anything secret."""

    code = "secret_key_missing"


def secret_of(settings: Settings) -> bytes:
    """Return the secret of the server with these settings; raises `SecretMissing`."""
    return server_secret(
        given=settings.secret_key,
        data_dir=settings.data_dir,
        database_is_shared=settings.database_url.startswith("postgresql"),
    )


def server_secret(*, given: str | None, data_dir: Path, database_is_shared: bool) -> bytes:
    """Return the given secret, else that of `secret.key` in the data folder, made at the first start.

    With a database that several machines share a file of one of them would lock out the others, so the
    secret must be given. Raises `SecretMissing`.
    """
    if given:
        if len(given) < SHORTEST:
            raise SecretMissing(f"FORECOURT_SECRET_KEY needs at least {SHORTEST} characters.")
        return given.encode()
    if database_is_shared:
        raise SecretMissing("With PostgreSQL give FORECOURT_SECRET_KEY: all servers need the same one.")
    return _kept_secret(data_dir / KEPT_IN)


def _kept_secret(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(48))
    try:
        os.link(draft, path)  # the first of several starting processes wins
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text().strip().encode()
