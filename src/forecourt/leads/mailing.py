"""ADF by mail, as CRMs take it in: a plain text mail whose whole body is the XML, handed over by SMTP.

A mail counts as sent only after the server's 250. If the connection breaks before that, the server may have
the mail or not; it is sent again with the same `Message-ID`, so that a receiver can drop the second.
"""

import smtplib
import ssl
from collections.abc import Mapping
from datetime import UTC
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from forecourt.leads.destinations import Mail
from forecourt.leads.outcome import NotSent, Sent
from forecourt.storage.outbox import Parcel

_OUTCOMES: Mapping[type[OSError], str] = {
    smtplib.SMTPServerDisconnected: "smtp_dropped",
    smtplib.SMTPException: "smtp_refused",
    ssl.SSLError: "certificate_refused",
    TimeoutError: "timed_out",
    OSError: "connection_failed",
}
_POLICY = SMTP.clone(max_line_length=998, cte_type="7bit")


def mail_message(parcel: Parcel, mail: Mail, body: str) -> EmailMessage:
    """Return the mail: the XML is the whole body, the headers are the fewest that a mail needs."""
    message = EmailMessage(policy=_POLICY)
    message["From"] = mail.sender
    message["To"] = mail.recipient
    message["Subject"] = f"[TEST] {mail.subject}" if parcel.subject.startswith("testlead_") else mail.subject
    message["Date"] = format_datetime(parcel.created_at.astimezone(UTC))
    message["Message-ID"] = f"<{parcel.subject}@{mail.sender.rpartition('@')[2]}>"
    message.set_content(body, charset="us-ascii")
    return message


def hand_over(
    mail: Mail, message: EmailMessage, *, password: str | None, tls: ssl.SSLContext | None, timeout_s: float
) -> Sent | NotSent:
    """Give a mail to the server and wait for its 250; blocks for up to `timeout_s` at every step."""
    try:
        with _connected(mail, tls, timeout_s) as client:
            if mail.username and password:
                client.login(mail.username, password)
            client.sendmail(mail.sender, [mail.recipient], message.as_bytes())
    except OSError as error:  # the exceptions of smtplib are among them
        return NotSent(_outcome_of(error))
    return Sent("smtp_250")


def _outcome_of(error: OSError) -> str:
    if isinstance(error.__context__, TimeoutError):  # smtplib calls it a lost connection
        return "timed_out"
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return f"smtp_{next(iter(error.recipients.values()))[0]}"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"smtp_{error.smtp_code}"
    return next(name for kind, name in _OUTCOMES.items() if isinstance(error, kind))


class _Client(smtplib.SMTP):
    """Once the server has taken the mail, a broken farewell changes nothing."""

    def __exit__(self, *exception: object) -> None:
        try:
            self.quit()
        except (OSError, smtplib.SMTPException):
            self.close()


class _TlsClient(_Client, smtplib.SMTP_SSL):
    """The same with TLS from the first byte."""


def _connected(mail: Mail, tls: ssl.SSLContext | None, timeout_s: float) -> _Client:
    context = tls or ssl.create_default_context()
    if mail.security == "tls":
        return _TlsClient(mail.host, mail.port, timeout=timeout_s, context=context)
    client = _Client(mail.host, mail.port, timeout=timeout_s)
    if mail.security == "starttls":
        try:
            client.starttls(context=context)
        except BaseException:
            client.close()
            raise
    return client
