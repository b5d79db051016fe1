"""Carry one parcel to one destination, once, and say what came of it."""

import asyncio
import os
import ssl
from collections.abc import Mapping
from datetime import UTC, timedelta
from email.utils import parsedate_to_datetime

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.base.errors import ForecourtError
from forecourt.fetch.client import Answer, Fetch, Limits, Outgoing
from forecourt.leads.destinations import Destination, Folder, Mail, Post, Webhook
from forecourt.leads.folder import put_into
from forecourt.leads.mailing import hand_over, mail_message
from forecourt.leads.outcome import NotSent, Sent
from forecourt.leads.signing import sign
from forecourt.storage.outbox import Parcel

TIMEOUT_S = 20.0
LONGEST_REPLY = 65_536
LONGEST_WAIT = timedelta(days=1)


class Sender:
    """Sends parcels by mail, by HTTP and into folders.

    Secrets are read from `environment` when they are used. `tls` replaces the usual trust for mail servers.
    """

    def __init__(
        self,
        fetch: Fetch,
        *,
        environment: Mapping[str, str] = os.environ,
        clock: Clock = SYSTEM_CLOCK,
        tls: ssl.SSLContext | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._fetch = fetch
        self._environment = environment
        self._clock = clock
        self._tls = tls
        self._timeout_s = timeout_s

    async def send(self, parcel: Parcel, destination: Destination) -> Sent | NotSent:
        """Return what came of one attempt; whatever can go wrong outside is an outcome, not an error."""
        if parcel.format != destination.format or parcel.body is None:
            return NotSent("format_changed")
        try:
            match destination:
                case Mail():
                    return await self._mail(parcel, destination, parcel.body)
                case Post():
                    return await self._post(parcel, destination, parcel.body)
                case Webhook():
                    return await self._webhook(parcel, destination, parcel.body)
                case Folder():
                    return await asyncio.to_thread(put_into, destination, parcel.subject, parcel.body)
        except _SecretMissing as missing:
            return NotSent(f"secret_missing:{missing.name}")

    async def _mail(self, parcel: Parcel, mail: Mail, body: str) -> Sent | NotSent:
        password = self._secret(mail.password_env) if mail.password_env else None
        message = mail_message(parcel, mail, body)
        return await asyncio.to_thread(
            hand_over, mail, message, password=password, tls=self._tls, timeout_s=self._timeout_s
        )

    async def _post(self, parcel: Parcel, post: Post, body: str) -> Sent | NotSent:
        headers = {"content-type": "application/xml; charset=utf-8", "idempotency-key": parcel.subject}
        if post.authorization_env:
            headers["authorization"] = self._secret(post.authorization_env)
        return await self._request(post.url, headers, body)

    async def _webhook(self, parcel: Parcel, webhook: Webhook, body: str) -> Sent | NotSent:
        moment = int(self._clock.now().timestamp())
        secrets = self._secret(webhook.secret_env).split()
        try:
            signature = sign(body, message_id=parcel.subject, moment=moment, secrets=secrets)
        except ValueError:
            return NotSent(f"secret_unusable:{webhook.secret_env}")
        headers = {
            "content-type": "application/json",
            "webhook-id": parcel.subject,
            "webhook-timestamp": str(moment),
            "webhook-signature": signature,
        }
        return await self._request(webhook.url, headers, body)

    async def _request(self, url: str, headers: Mapping[str, str], body: str) -> Sent | NotSent:
        limits = Limits(LONGEST_REPLY, self._timeout_s)
        outgoing = Outgoing("POST", url, limits, headers=headers, body=body.encode(), follow_redirects=False)
        try:
            answer = await self._fetch.send(outgoing)
        except ForecourtError as error:
            return NotSent(error.code)
        if 200 <= answer.status < 300:
            return Sent(f"http_{answer.status}")
        return NotSent(f"http_{answer.status}", self._retry_after(answer), gone=answer.status == 410)

    def _retry_after(self, answer: Answer) -> timedelta | None:
        """Read seconds or an HTTP date (RFC 9110 section 10.2.3), at most a day."""
        text = answer.headers.get("retry-after", "").strip()
        if text.isdecimal():
            return min(timedelta(seconds=int(text[:9])), LONGEST_WAIT)
        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return None
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return min(max(aware - self._clock.now(), timedelta()), LONGEST_WAIT)

    def _secret(self, name: str) -> str:
        value = self._environment.get(name, "")
        if not value:
            raise _SecretMissing(name)
        return value


class _SecretMissing(Exception):
    """An environment variable that a destination names is not set."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
