"""Tell of a silent feed by mail."""

import asyncio
import logging
import smtplib
from email.message import EmailMessage
from email.policy import SMTP

from forecourt.dealer.feed.background import Alarm, log_alarm
from forecourt.dealer.feed.schedules import Progress

_SECONDS = 30.0
_log = logging.getLogger(__name__)


def mail_alarm(host: str, port: int, *, sender: str) -> Alarm:
    """Return an alarm that mails the address of the schedule through an SMTP server, and tells the log too.

    A mail that cannot be handed over is logged and does not stop the other feeds.
    """

    async def tell(progress: Progress) -> None:
        await log_alarm(progress)
        if progress.schedule.alarm_mail is None:
            return
        message = stale_message(progress, sender=sender, recipient=progress.schedule.alarm_mail)
        try:
            await asyncio.to_thread(_hand_over, host, port, message)
        except OSError:  # the exceptions of smtplib are among them
            _log.warning("the alarm about the feed of dealer %s could not be mailed", progress.schedule.slug)

    return tell


def stale_message(progress: Progress, *, sender: str, recipient: str) -> EmailMessage:
    """Return the mail: which dealer, since when, and how the last attempt went."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = sender, recipient
    message["Subject"] = f"Stock feed of {progress.schedule.slug} is stale"
    since = f"since {progress.seen_at:%Y-%m-%d %H:%M} UTC" if progress.seen_at else "ever"
    message.set_content(
        f"No good file of the stock feed of {progress.schedule.slug} was seen {since}.\n"
        f"Last outcome: {progress.outcome or 'not fetched yet'}.\n"
        "Agents still show the stock of the last good import.\n"
    )
    return message


def _hand_over(host: str, port: int, message: EmailMessage) -> None:
    with smtplib.SMTP(host, port, timeout=_SECONDS) as client:
        client.send_message(message)
