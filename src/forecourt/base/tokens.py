"""Secret tokens: a readable prefix, entropy and a checksum, and the keyed digest under which they are stored.

The checksum lets a typing error, a scanner for leaked secrets and a flood of invented keys be told apart
without the database.
"""

import hashlib
import hmac
import secrets
import zlib
from typing import Final

BASE62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM_LENGTH: Final = 32
CHECKSUM_LENGTH: Final = 6


def new_token(prefix: str) -> str:
    """Return `prefix`, 32 random base62 characters (190 bits) and six of CRC-32 over these."""
    random_part = "".join(secrets.choice(BASE62) for _ in range(RANDOM_LENGTH))
    return prefix + random_part + _checksum(random_part)


def is_well_formed(token: str, prefix: str) -> bool:
    """Tell whether a token has the prefix, the length, the alphabet and the checksum of a real one."""
    body = token.removeprefix(prefix)
    if len(body) != RANDOM_LENGTH + CHECKSUM_LENGTH or not token.startswith(prefix):
        return False
    random_part, checksum = body[:RANDOM_LENGTH], body[RANDOM_LENGTH:]
    return set(random_part) <= set(BASE62) and _checksum(random_part) == checksum


def token_digest(token: str, secret: bytes) -> str:
    """Return what is stored in place of a token: HMAC-SHA-256 under the server's secret, in hex."""
    return hmac.new(secret, token.encode(), hashlib.sha256).hexdigest()


def _checksum(text: str) -> str:
    number = zlib.crc32(text.encode("ascii"))
    digits = ""
    for _ in range(CHECKSUM_LENGTH):
        number, rest = divmod(number, len(BASE62))
        digits = BASE62[rest] + digits
    return digits
