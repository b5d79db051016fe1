"""A process that takes leads in or delivers them until it is killed; what it was answered it says on stdout.

python crash_child.py submit URL FOLDER COUNT     python crash_child.py deliver URL FOLDER
"""

import asyncio
import os
import sys
from pathlib import Path

from tests.leads.desk import Desk, HeldClock, dealer_profile
from tests.leads.leads_made_up import VIN, lead_request

from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.leads.delivery import Courier
from forecourt.leads.sending import Sender
from forecourt.storage.database import Database, open_database

WISH = {"appointment_type": "test_drive", "appointment_at": "2026-12-01T19:00:00Z"}


def folders(folder: Path) -> list[dict[str, str]]:
    return [{"kind": "folder", "name": name, "path": str(folder / name)} for name in ("crm", "copy")]


def keyed_request(number: int) -> dict[str, object]:
    customer = {"first_name": "A", "last_name": str(number), "email": f"a{number}@example.com"}
    return lead_request(
        customer=customer, idempotency_key=f"key-{number}", vehicle_of_interest={"vin": VIN}, appointment=WISH
    )


async def submit(database: Database, folder: Path, *, count: int, first: int) -> None:
    profile = dealer_profile(destinations=folders(folder), appointments={})
    desk = Desk(database, profile, HeldClock())
    for number in range(first, first + count):
        answer = await desk.asked(keyed_request(number))
        os.write(1, f"{number} {answer['data']['lead_id']}\n".encode())


async def deliver(database: Database) -> None:
    clock = HeldClock()
    async with Fetcher(FetchPolicy()) as fetch:
        courier = Courier(database, Sender(fetch, clock=clock), clock=clock)
        while await courier.deliver_due():
            pass


def main(what: str, url: str, folder: str, count: str = "1", first: str = "0") -> None:
    database = open_database(url)
    work = deliver(database) if what == "deliver" else None
    asyncio.run(work or submit(database, Path(folder), count=int(count), first=int(first)))
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
