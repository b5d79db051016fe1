"""How many calls a caller gets, and when the next one is allowed."""

from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest

from forecourt.guard.addresses import TrustedProxies
from forecourt.guard.limits import Rate, RateLimiter


@dataclass
class HeldClock:
    """A clock that moves only when told."""

    seconds: float = 1_000.0

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.seconds, UTC)

    def monotonic(self) -> float:
        return self.seconds


def test_a_caller_gets_the_burst_at_once_and_then_the_steady_rate() -> None:
    clock = HeldClock()
    limiter = RateLimiter(Rate(per_minute=60, burst=3), clock=clock)
    assert [limiter.wait_ms("a") for _ in range(3)] == [0, 0, 0]
    assert 0 < limiter.wait_ms("a") <= 1_001
    clock.seconds += 1
    assert limiter.wait_ms("a") == 0
    assert limiter.wait_ms("a") > 0


def test_who_waits_as_long_as_told_is_let_in_however_often_refused_before() -> None:
    clock = HeldClock()
    limiter = RateLimiter(Rate(per_minute=7, burst=1), clock=clock)
    assert limiter.wait_ms("a") == 0
    waits = [limiter.wait_ms("a") for _ in range(50)]
    assert len(set(waits)) == 1
    clock.seconds += waits[0] / 1000
    assert limiter.wait_ms("a") == 0


def test_callers_do_not_share_a_limit() -> None:
    limiter = RateLimiter(Rate(per_minute=1, burst=1), clock=HeldClock())
    assert limiter.wait_ms("a") == 0
    assert limiter.wait_ms("a") > 0
    assert limiter.wait_ms("b") == 0


def test_the_caller_seen_longest_ago_is_forgotten_first() -> None:
    limiter = RateLimiter(Rate(per_minute=1, burst=2), max_callers=2, clock=HeldClock())
    for caller in ("a", "b", "a", "c"):
        assert limiter.wait_ms(caller) == 0
    assert limiter.wait_ms("a") > 0
    assert limiter.wait_ms("b") == 0


def test_a_rate_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Rate(per_minute=0, burst=1)


PROXIES = TrustedProxies(map(ip_network, ["10.0.0.0/8", "fd00::/8", "192.0.2.7"]))


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "client"),
    [
        ("203.0.113.5", None, "203.0.113.5"),
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),
        ("10.1.2.3", "198.51.100.1", "198.51.100.1"),
        ("::ffff:10.1.2.3", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
        ("10.1.2.3", "1.1.1.1, 198.51.100.1, 192.0.2.7,10.9.9.9", "198.51.100.1"),
        ("10.1.2.3", None, "10.1.2.3"),
        ("10.1.2.3", "10.4.4.4", "10.4.4.4"),
        ("10.1.2.3", "not an address", "unknown"),
        (None, None, "unknown"),
        (None, "198.51.100.1", "unknown"),
        ("fd00::1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.5", None, "203.0.113.5"),
        ("10.1.2.3", "198.51.100.1:4711, 10.9.9.9:443", "198.51.100.1"),
        ("10.1.2.3", "[2001:db8:1:2::4]:4711", "2001:db8:1:2::/64"),
        ("10.1.2.3", "[]:1", "unknown"),
    ],
)
def test_the_client_is_the_nearest_address_that_no_trusted_proxy_has(
    peer: str | None, forwarded_for: str | None, client: str
) -> None:
    assert PROXIES.client_of(peer, forwarded_for) == client


def test_without_trusted_proxies_a_forwarded_address_is_only_a_claim() -> None:
    assert TrustedProxies().client_of("203.0.113.5", "198.51.100.1") == "203.0.113.5"
