"""Signatures of webhooks as Standard Webhooks defines them."""

import base64
import binascii
import hmac
from hashlib import sha256


def sign(body: str, *, message_id: str, moment: int, secrets: list[str]) -> str:
    """Return the value of `webhook-signature` (Standard Webhooks): one signature for each secret.

    A secret is base64 of 24 to 64 bytes after `whsec_`; several are valid while one replaces another.
    Raises ValueError when one cannot be used.
    """
    signed = f"{message_id}.{moment}.{body}".encode()
    signatures = (hmac.new(_key(secret), signed, sha256).digest() for secret in secrets)
    return " ".join(f"v1,{base64.b64encode(signature).decode()}" for signature in signatures)


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as error:
        raise ValueError("a webhook secret is whsec_ and base64") from error
    if not 24 <= len(key) <= 64:
        raise ValueError("a webhook secret has 24 to 64 bytes")
    return key
