"""From what a person types to a card, and how long it counts."""

import pytest
from tests.fetch.conftest import listening, response
from tests.mcp_aap.dealers import BASE, Dealer, card

from forecourt.aap.dealer_errors import CardNotFound, CardUnusable, DealerUnavailable
from forecourt.aap.discovery import CardSource, Place, fresh_seconds, places, typed_url
from forecourt.fetch.client import Fetcher
from forecourt.fetch.errors import UrlRefused
from forecourt.fetch.in_process import InProcessFetch
from forecourt.fetch.policy import FetchPolicy

pytestmark = pytest.mark.anyio

WELL_KNOWN = "/.well-known/agent-card.json"


@pytest.fixture
def anyio_backend():
    return "asyncio"


class HandClock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def now(self):
        raise NotImplementedError

    def monotonic(self) -> float:
        return self.seconds


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("dealer.example.com", "https://dealer.example.com"),
        (" dealer.example.com/a2a ", "https://dealer.example.com/a2a"),
        ("http://dealer.example.com", "http://dealer.example.com"),
        ("localhost:8080", "http://localhost:8080"),
        ("127.0.0.1:8080/dealers/larkfield", "http://127.0.0.1:8080/dealers/larkfield"),
        ("[::1]:8080", "http://[::1]:8080"),
    ],
)
async def test_what_a_person_types_becomes_a_url(typed, url):
    assert typed_url(typed) == url


@pytest.mark.parametrize(
    "typed", ["", "   ", "two words", "ftp://a.example", "https://u:p@a.example", "a.example:999999"]
)
async def test_what_is_no_address_is_refused(typed):
    with pytest.raises(UrlRefused):
        places(typed)


async def test_a_domain_has_its_card_at_the_well_known_place():
    assert places("dealer.example.com") == (Place(BASE + WELL_KNOWN),)
    assert places(BASE + "/") == (Place(BASE + WELL_KNOWN),)


async def test_the_address_of_a_card_is_taken_as_it_is():
    assert places(f"{BASE}/cards/mine.json") == (Place(f"{BASE}/cards/mine.json"),)


async def test_an_endpoint_is_looked_for_below_above_and_at_the_root():
    endpoint = f"{BASE}/dealers/larkfield/a2a"
    assert places(endpoint) == (
        Place(endpoint + WELL_KNOWN),
        Place(f"{BASE}/dealers/larkfield{WELL_KNOWN}", endpoint),
        Place(f"{BASE}{WELL_KNOWN}", endpoint),
    )


@pytest.mark.parametrize("typed", [f"{BASE}/dealers/x/a2a", f"{BASE}/dealers/x/a2a/", f"{BASE}/dealers/x"])
async def test_a_hosted_dealer_is_found_by_base_and_by_endpoint(typed):
    dealer = Dealer(card=card(f"{BASE}/dealers/x/a2a"), card_path=f"/dealers/x{WELL_KNOWN}")
    assert (await CardSource(typed).card(InProcessFetch(dealer))).endpoint == f"{BASE}/dealers/x/a2a"


async def test_the_card_of_another_dealer_on_the_same_host_is_not_taken():
    dealer = Dealer(card=card(f"{BASE}/other/a2a"))
    with pytest.raises(CardNotFound):
        await CardSource(f"{BASE}/mine/a2a").card(InProcessFetch(dealer))


async def test_a_web_page_in_the_card_s_place_is_no_card():
    page = response(b"<html>", content_type="text/html; charset=utf-8")
    async with listening(page) as site, Fetcher(FetchPolicy().trusting(site.url)) as fetch:
        with pytest.raises(CardNotFound) as failure:
            await CardSource(site.url).card(fetch)
    assert not failure.value.retryable


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b'{"a":NaN}'])
async def test_a_card_that_is_not_json_is_unusable(body):
    async with listening(response(body)) as site, Fetcher(FetchPolicy().trusting(site.url)) as fetch:
        with pytest.raises(CardUnusable):
            await CardSource(site.url).card(fetch)


@pytest.mark.parametrize("status", ["500 Oops", "503 Later", "429 Slow", "408 Timeout"])
async def test_a_server_in_trouble_is_worth_trying_again(status):
    async with listening(response(status=status)) as site, Fetcher(FetchPolicy().trusting(site.url)) as fetch:
        with pytest.raises(DealerUnavailable) as failure:
            await CardSource(site.url).card(fetch)
    assert failure.value.retryable


@pytest.mark.parametrize(
    ("cache_control", "seconds"),
    [
        ("", 300),
        ("public", 300),
        ("max-age=60", 60),
        ("public, max-age=60", 60),
        ('Max-Age="120"', 120),
        ("max-age=0", 0),
        ("max-age=99999999", 3600),
        ("max-age=999999999999999", 3600),
        ("no-store", 0),
        ("no-cache, max-age=60", 0),
        ("s-maxage=10", 300),
    ],
)
async def test_a_card_counts_as_long_as_the_dealer_says_within_bounds(cache_control, seconds):
    assert fresh_seconds(cache_control) == seconds


async def test_a_fresh_card_is_not_asked_for_again():
    dealer, clock = Dealer(card_headers={"cache-control": "max-age=60"}), HandClock()
    source = CardSource(BASE, clock=clock)
    for _ in range(3):
        await source.card(InProcessFetch(dealer))
    assert len(dealer.card_requests) == 1
    clock.seconds += 61
    await source.card(InProcessFetch(dealer))
    assert len(dealer.card_requests) == 2


async def test_an_unchanged_card_is_confirmed_by_its_etag():
    dealer, clock = Dealer(card_headers={"etag": 'W/"1"', "cache-control": "max-age=60"}), HandClock()
    source = CardSource(BASE, clock=clock)
    first = await source.card(InProcessFetch(dealer))
    clock.seconds += 61
    assert await source.card(InProcessFetch(dealer)) is first
    assert dealer.card_requests[1]["if-none-match"] == 'W/"1"'
    await source.card(InProcessFetch(dealer))
    assert len(dealer.card_requests) == 2


async def test_a_changed_card_replaces_the_old_one():
    dealer, clock = Dealer(card_headers={"etag": '"1"'}), HandClock()
    source = CardSource(BASE, clock=clock)
    await source.card(InProcessFetch(dealer))
    dealer.card, dealer.card_headers = card(f"{BASE}/new"), {"etag": '"2"'}
    clock.seconds += 301
    assert (await source.card(InProcessFetch(dealer))).endpoint == f"{BASE}/new"


async def test_a_card_serves_on_while_its_server_is_in_trouble():
    dealer, clock = Dealer(), HandClock()
    source = CardSource(BASE, clock=clock)
    first = await source.card(InProcessFetch(dealer))
    dealer.card = {"nonsense": True}
    clock.seconds += 301
    assert await source.card(InProcessFetch(dealer)) is first
    assert await source.card(InProcessFetch(dealer)) is first
    assert len(dealer.card_requests) == 2
    dealer.card = card(f"{BASE}/new")
    clock.seconds += 31
    assert (await source.card(InProcessFetch(dealer))).endpoint == f"{BASE}/new"
