"""Feeds that are fetched: over HTTPS, from an SFTP server, out of a folder, by one elected worker."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.dealer.feeds import NOW, SLUG, add_dealer, cars, csv_text

from forecourt.dealer import store
from forecourt.dealer.errors import DealerUnknown, ScheduleInvalid
from forecourt.dealer.feed.alarm import stale_message
from forecourt.dealer.feed.background import FeedWorker
from forecourt.dealer.feed.schedules import Progress, Schedule, checked
from forecourt.dealer.feed.store import list_schedules, remove_schedule, set_schedule, stale_feeds
from forecourt.fetch.client import Fetcher
from forecourt.fetch.policy import FetchPolicy
from forecourt.storage.database import Database, open_database

HOUR = timedelta(hours=1)


@dataclass
class HeldClock:
    """A clock that stands still until a test moves it."""

    moment: datetime = NOW

    def now(self) -> datetime:
        return self.moment

    def monotonic(self) -> float:
        return self.moment.timestamp()


@dataclass
class WebFeed:
    """A web server with one feed; a test says what it answers."""

    body: bytes
    etag: str = '"1"'
    status: int = 200
    cut: bool = False
    asked: list[str | None] = field(default_factory=list)
    url: str = ""


@contextmanager
def served(feed: WebFeed) -> Iterator[WebFeed]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            condition = self.headers.get("If-None-Match")
            feed.asked.append(condition)
            if condition == feed.etag:
                self.send_response(304)
                self.end_headers()
                return
            self.send_response(feed.status)
            self.send_header("ETag", feed.etag)
            self.send_header("Content-Length", str(len(feed.body)))
            self.end_headers()
            self.wfile.write(feed.body[: len(feed.body) // 2] if feed.cut else feed.body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    feed.url = f"http://127.0.0.1:{server.server_port}/stock.csv"
    yield feed
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def web() -> Iterator[WebFeed]:
    with served(WebFeed(csv_text(cars(4)).encode())) as feed:
        yield feed


@dataclass
class Yard:
    """A dealer with a schedule, and a worker that a test lets look."""

    database: Database
    clock: HeldClock = field(default_factory=HeldClock)
    told: list[str] = field(default_factory=list)

    def schedule(self, source: str, **changes: Any) -> None:
        wanted = checked(Schedule(SLUG, source, every=HOUR, stale_after=24 * HOUR, **changes))
        self.database.write_sync(lambda connection: set_schedule(connection, wanted, now=self.clock.now()))

    def look(self, holder: str = "first") -> list[str]:
        async def alarm(progress: Progress) -> None:
            self.told.append(progress.schedule.slug)

        async def once() -> list[str]:
            async with Fetcher(FetchPolicy.allowing(["127.0.0.1"])) as fetch:
                return await FeedWorker(self.database, fetch, alarm, self.clock, holder).work_once()

        return asyncio.run(once())

    def vehicles(self) -> int:
        version = self.database.read_sync(lambda connection: store.live_version(connection, SLUG))
        return version.listings if version else 0


@pytest.fixture
def yard(database: Database) -> Yard:
    add_dealer(database)
    return Yard(database)


@pytest.fixture
def lot(tmp_path: Path) -> Iterator[Yard]:
    """The same on SQLite alone, for what is about sources and not about the record."""
    database = open_database(f"sqlite:///{tmp_path / 'lot.db'}")
    database.upgrade()
    add_dealer(database)
    yield Yard(database)
    database.close()


def test_a_feed_is_fetched_when_it_is_due_and_only_then(yard: Yard, web: WebFeed) -> None:
    yard.schedule(web.url)

    first, second = yard.look(), yard.look()
    yard.clock.moment += HOUR
    third = yard.look()

    assert (first, second, third) == ([f"{SLUG} published"], [], [f"{SLUG} unchanged"])
    assert web.asked == [None, '"1"']
    assert yard.vehicles() == 4


def test_a_changed_feed_replaces_the_stock(lot: Yard, web: WebFeed) -> None:
    lot.schedule(web.url)
    lot.look()
    web.body, web.etag = csv_text(cars(5)).encode(), '"2"'
    lot.clock.moment += HOUR

    assert lot.look() == [f"{SLUG} published"]
    assert lot.vehicles() == 5


def test_an_unchanged_feed_is_read_again_every_day_to_confirm_its_listings(lot: Yard, web: WebFeed) -> None:
    lot.schedule(web.url)
    lot.look()
    lot.clock.moment += 21 * HOUR

    assert lot.look() == [f"{SLUG} published"]


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        (lambda feed: setattr(feed, "status", 500), "feed_source_failed"),
        (lambda feed: setattr(feed, "status", 404), "feed_source_failed"),
        (lambda feed: setattr(feed, "cut", True), "unreachable"),
        (lambda feed: setattr(feed, "body", b"<html><body>Sign in</body></html>"), "unreadable_file"),
        (lambda feed: setattr(feed, "body", b""), "empty_file"),
        (lambda feed: setattr(feed, "body", b"Name,Phone\nAnn,555-0100\n"), "no_vehicle_table"),
        (lambda feed: setattr(feed, "body", csv_text(cars(1)).encode()), "stock_would_shrink"),
    ],
)
def test_a_bad_answer_leaves_the_stock_and_is_told(
    lot: Yard, web: WebFeed, change: Callable[[WebFeed], None], outcome: str
) -> None:
    lot.schedule(web.url)
    lot.look()
    web.etag = '"2"'
    change(web)
    lot.clock.moment += HOUR

    (told,) = lot.look()

    assert lot.vehicles() == 4
    assert told.startswith(SLUG)
    if outcome != "unreachable":
        assert told == f"{SLUG} {outcome}"
    (progress,) = lot.database.read_sync(list_schedules)
    assert progress.outcome == told.removeprefix(f"{SLUG} ")
    assert progress.next_run_at == lot.clock.moment + HOUR


def test_one_of_two_workers_does_the_work_and_the_other_takes_over_when_it_dies(
    yard: Yard, web: WebFeed
) -> None:
    yard.schedule(web.url)

    first, second = yard.look("first"), yard.look("second")
    yard.clock.moment += HOUR
    takes_over = yard.look("second")

    assert (first, second, takes_over) == ([f"{SLUG} published"], [], [f"{SLUG} unchanged"])


def test_a_feed_that_is_silent_for_too_long_is_told_once(yard: Yard, web: WebFeed) -> None:
    yard.schedule(web.url, alarm_mail="stock@larkfield.example.com")
    yard.look()
    web.status, web.etag = 500, '"2"'
    for _ in range(3):
        yard.clock.moment += 12 * HOUR + timedelta(minutes=1)
        yard.look()

    stale = yard.database.read_sync(lambda connection: stale_feeds(connection, now=yard.clock.now()))
    (progress,) = yard.database.read_sync(list_schedules)
    mail = stale_message(progress, sender="feeds@example.com", recipient="stock@larkfield.example.com")

    assert stale == [SLUG]
    assert yard.told == [SLUG]
    assert mail["Subject"] == f"Stock feed of {SLUG} is stale"
    assert "feed_source_failed" in mail.get_content()


def test_a_folder_gives_its_newest_finished_file(lot: Yard, tmp_path: Path) -> None:
    folder = tmp_path / "drop"
    folder.mkdir()
    for number, minutes in ((2, 10), (3, 5), (9, 0)):
        path = folder / f"stock-{number}.csv"
        path.write_text(csv_text(cars(number)), encoding="utf-8")
        written = (NOW - timedelta(minutes=minutes)).timestamp()
        os.utime(path, (written, written))
    lot.schedule(str(folder / "stock-*.csv"))

    first = lot.look()
    seen = lot.vehicles()
    lot.clock.moment += HOUR
    second = lot.look()

    assert (first, seen) == ([f"{SLUG} published"], 3)
    assert (second, lot.vehicles()) == ([f"{SLUG} published"], 9)


@pytest.mark.parametrize(
    ("source", "given"),
    [
        ("https://[::1", {}),
        ("https://feeds.example.com:99999/stock.csv", {}),
        ("sftp://u@feeds.example.com:abc/stock.csv", {"host_key": "ssh-ed25519 AAAAC3Nz"}),
        ("sftp://u@feeds.example.com/stock.csv", {"host_key": "no key"}),
        ("https://feeds.example.com/stock.csv", {"alarm_mail": "a@example.com\nBcc: b@example.com"}),
    ],
)
def test_a_schedule_that_could_never_work_is_refused(source: str, given: dict[str, str]) -> None:
    with pytest.raises(ScheduleInvalid):
        checked(Schedule(SLUG, source, HOUR, 24 * HOUR, **given))


def test_a_link_out_of_the_folder_is_not_followed(lot: Yard, tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "other-dealer.csv", tmp_path / "drop"
    elsewhere.write_text(csv_text(cars(3)), encoding="utf-8")
    folder.mkdir()
    (folder / "stock.csv").symlink_to(elsewhere)
    (folder / "gone.csv").symlink_to(tmp_path / "nowhere")
    lot.schedule(str(folder))

    assert lot.look() == [f"{SLUG} feed_source_failed"]


def test_a_feed_that_meets_a_bug_of_ours_is_noted_and_comes_again(lot: Yard, tmp_path: Path) -> None:
    class Broken:
        async def send(self, _: Any) -> Any:
            raise ZeroDivisionError

    lot.schedule("https://feeds.example.com/stock.csv")

    outcomes = asyncio.run(FeedWorker(lot.database, Broken(), clock=lot.clock).work_once())

    (progress,) = lot.database.read_sync(list_schedules)
    assert outcomes == [f"{SLUG} internal_error"]
    assert (progress.outcome, progress.next_run_at) == ("internal_error", lot.clock.moment + HOUR)


def test_a_folder_without_a_file_is_told(lot: Yard, tmp_path: Path) -> None:
    lot.schedule(str(tmp_path / "nothing-*.csv"))

    assert lot.look() == [f"{SLUG} feed_source_failed"]


@dataclass
class SftpServer:
    """Where an SFTP server of this test listens and the key that it has."""

    port: int
    host_key: str


@pytest.fixture
def sftp(tmp_path: Path) -> Iterator[SftpServer]:
    asyncssh = pytest.importorskip("asyncssh")
    root = tmp_path / "sftp"
    root.mkdir()
    key = asyncssh.generate_private_key("ssh-ed25519")

    class Guard(asyncssh.SSHServer):
        def password_auth_supported(self) -> bool:
            return True

        def validate_password(self, username: str, password: str) -> bool:
            return (username, password) == ("dealer", "secret")

    async def run(ready: threading.Event, found: list[SftpServer], stop: asyncio.Event) -> None:
        server = await asyncssh.listen(
            "127.0.0.1",
            0,
            server_host_keys=[key],
            server_factory=Guard,
            sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=str(root).encode()),
        )
        public = key.export_public_key().decode().strip()
        found.append(SftpServer(server.sockets[0].getsockname()[1], " ".join(public.split()[:2])))
        ready.set()
        await stop.wait()
        server.close()
        await server.wait_closed()

    loop, stop, ready, found = asyncio.new_event_loop(), asyncio.Event(), threading.Event(), []
    thread = threading.Thread(target=lambda: loop.run_until_complete(run(ready, found, stop)))
    thread.start()
    assert ready.wait(20)
    yield found[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()


def test_an_sftp_server_gives_the_file_and_an_unchanged_one_is_not_read_again(
    lot: Yard, sftp: SftpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sftp" / "stock.csv").write_text(csv_text(cars(6)), encoding="utf-8")
    monkeypatch.setenv("FEED_PASSWORD", "secret")
    source = f"sftp://dealer@127.0.0.1:{sftp.port}/stock.csv"
    lot.schedule(source, password_env="FEED_PASSWORD", host_key=sftp.host_key)

    first = lot.look()
    lot.clock.moment += HOUR

    assert first == [f"{SLUG} published"]
    assert lot.look() == [f"{SLUG} unchanged"]
    assert lot.vehicles() == 6


@pytest.mark.parametrize("trouble", ["password", "host_key", "file", "server"])
def test_trouble_with_an_sftp_server_is_told(
    lot: Yard, sftp: SftpServer, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncssh

    other_key = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    monkeypatch.setenv("FEED_PASSWORD", "wrong" if trouble == "password" else "secret")
    port = 1 if trouble == "server" else sftp.port
    host_key = " ".join(other_key.split()[:2]) if trouble == "host_key" else sftp.host_key
    lot.schedule(f"sftp://dealer@127.0.0.1:{port}/none.csv", password_env="FEED_PASSWORD", host_key=host_key)

    assert lot.look() == [f"{SLUG} feed_source_failed"]


@pytest.mark.parametrize(
    ("source", "changes", "told"),
    [
        ("feeds/stock.csv", {}, "absolute path"),
        ("ftp://example.com/a.csv", {}, "absolute path"),
        ("https:///a.csv", {}, "no host"),
        ("sftp://dealer:secret@example.com/a.csv", {"host_key": "ssh-ed25519 A"}, "password-env"),
        ("sftp://dealer@example.com/a.csv", {}, "host-key"),
        ("https://example.com/a.csv", {"every": timedelta(seconds=1)}, "every"),
        ("https://example.com/a.csv", {"stale_after": timedelta(minutes=1)}, "stale-after"),
    ],
)
def test_a_schedule_that_cannot_work_is_refused_with_the_reason(
    source: str, changes: dict[str, Any], told: str
) -> None:
    timing = {"every": HOUR, "stale_after": 24 * HOUR}

    with pytest.raises(ScheduleInvalid, match=told):
        checked(Schedule(SLUG, source, **(timing | changes)))


def test_a_schedule_belongs_to_a_dealer_and_can_be_removed(yard: Yard) -> None:
    stranger = Schedule("nobody", "https://example.com/a.csv", every=HOUR, stale_after=HOUR)
    yard.schedule("https://example.com/a.csv")

    with pytest.raises(DealerUnknown):
        yard.database.write_sync(lambda connection: set_schedule(connection, stranger, now=NOW))
    assert yard.database.write_sync(lambda connection: remove_schedule(connection, SLUG))
    assert not yard.database.write_sync(lambda connection: remove_schedule(connection, SLUG))
