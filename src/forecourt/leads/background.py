"""What a server does about leads besides answering: it delivers them and forgets the old ones."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from forecourt.base.clock import SYSTEM_CLOCK, Clock
from forecourt.fetch.client import Fetch
from forecourt.leads.delivery import Courier, deliver_forever
from forecourt.leads.privacy import erase_expired_forever
from forecourt.leads.sending import Sender
from forecourt.storage.database import Database


@asynccontextmanager
async def lead_work(
    database: Database, fetch: Fetch, *, wake: asyncio.Event, clock: Clock = SYSTEM_CLOCK
) -> AsyncIterator[None]:
    """Deliver and tidy while the context is open; each worker process may, leases keep them apart.

    Set `wake` after a lead was kept, so that it leaves at once.
    """
    courier = Courier(database, Sender(fetch, clock=clock), clock=clock)
    tasks = [
        asyncio.create_task(deliver_forever(courier, wake=wake)),
        asyncio.create_task(erase_expired_forever(database, clock=clock)),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
