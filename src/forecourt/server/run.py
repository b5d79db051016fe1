"""Start uvicorn on the application with the protocol and the settings of this process."""

import logging
import os

import uvicorn

from forecourt.logs import set_up_logging
from forecourt.server.protocol import DeadlineProtocol
from forecourt.settings import Settings

_log = logging.getLogger(__name__)

APPLICATION = "forecourt.server.run:create_application"


def run_server(settings: Settings) -> None:
    """Serve until a signal ends it; with several workers each one is a process of its own."""
    set_up_logging(level=settings.log_level, form=settings.log_format)
    _upgrade_database(settings)
    _log.info("serving %s on %s:%s", settings.public_url, settings.host, settings.port)
    os.environ["FORECOURT_HOST"], os.environ["FORECOURT_PORT"] = settings.host, str(settings.port)
    uvicorn.run(
        APPLICATION,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http=DeadlineProtocol,
        ws="none",
        loop="auto",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=15,
    )


def create_application() -> object:
    """Build the application of one worker process from its environment."""
    from forecourt.app import create_app
    from forecourt.settings import read_settings

    settings = read_settings()
    set_up_logging(level=settings.log_level, form=settings.log_format)
    return create_app(settings)


def _upgrade_database(settings: Settings) -> None:
    """Migrate before the first worker starts, so that a failure is one clear message."""
    from forecourt.storage.database import open_database

    database = open_database(settings.effective_database_url)
    try:
        database.upgrade()
    finally:
        database.close()
