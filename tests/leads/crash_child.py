"""Processes that take leads in or deliver them until they are killed; they say what they were answered.

    python crash_child.py submit URL FOLDER [COUNT [FIRST]]
    python crash_child.py deliver URL FOLDER        what is due; `carry` instead goes on for ever
    python crash_child.py fork

The last reads such arguments, as `CRASH_POINT|submit|URL|FOLDER…`, line by line and forks for each, which
spares the imports. It writes `start PID`, what the process says, and `exit CODE`.
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


async def deliver(database: Database, *, for_ever: bool) -> None:
    clock = HeldClock()
    async with Fetcher(FetchPolicy()) as fetch:
        courier = Courier(database, Sender(fetch, clock=clock), clock=clock)
        while await courier.deliver_due() or for_ever:
            pass


def main(what: str, url: str, folder: str, count: str = "1", first: str = "0") -> None:
    database = open_database(url)
    if what == "submit":
        asyncio.run(submit(database, Path(folder), count=int(count), first=int(first)))
    else:
        asyncio.run(deliver(database, for_ever=what == "carry"))
    database.close()


def fork_for_each_line() -> None:
    for line in sys.stdin:
        crash_at, *arguments = line.rstrip("\n").split("|")
        pid = os.fork()
        if pid == 0:
            os.environ["CRASH_FORECOURT_AT"] = crash_at
            main(*arguments)
            os._exit(0)
        os.write(1, f"start {pid}\n".encode())
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(1, f"exit {status}\n".encode())


if __name__ == "__main__":
    if sys.argv[1:] == ["fork"]:
        fork_for_each_line()
    else:
        main(*sys.argv[1:])
