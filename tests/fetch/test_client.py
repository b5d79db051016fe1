"""What a caller gets from a world that lies, stalls and floods (known bugs F1 and F2, and their kin)."""

import asyncio
import gzip
import ssl
import zlib
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.fetch.conftest import Names, fetch, listening, redirect, response

from forecourt.base.errors import Refused, Unreachable
from forecourt.fetch.client import Fetcher, Limits, Outgoing
from forecourt.fetch.errors import (
    AddressRefused,
    AnswerTooLarge,
    AnswerUndecodable,
    CertificateRefused,
    ConnectionFailed,
    ConnectionLost,
    NameUnknown,
    RedirectRefused,
    TimedOut,
    TooManyRedirects,
    UrlRefused,
)
from forecourt.fetch.policy import FetchPolicy

pytestmark = pytest.mark.anyio

LOCAL = ["http://127.0.0.1:*", "http://dealer.example.com:*", "https://dealer.example.com:*"]


async def test_an_answer_comes_back_with_status_headers_and_body():
    async with listening(response(b'{"a":1}', status="404 Not Found", x_thing="1")) as server:
        answer = await fetch(server.url + "/x", allow=LOCAL)
    assert (answer.status, answer.body, answer.media_type) == (404, b'{"a":1}', "application/json")
    assert answer.headers["x-thing"] == "1"


async def test_a_post_carries_its_body_and_headers_and_the_host_as_written():
    async with listening(response()) as server:
        await fetch(
            f"http://dealer.example.com:{server.port}/a2a?v=1",
            allow=LOCAL,
            method="POST",
            names=Names([["127.0.0.1"]]),
            headers={"a2a-version": "1.0"},
            body=b"{}",
        )
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /a2a?v=1 HTTP/1.1")
    assert f"host: dealer.example.com:{server.port}".encode() in head
    assert b"a2a-version: 1.0" in head
    assert b"content-length: 2" in head
    assert body == b"{}"


@pytest.mark.parametrize(
    "addresses",
    [
        ["169.254.169.254"],
        ["100.64.3.4"],
        ["10.0.0.1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["2002:7f00:1::"],
        ["93.184.216.34", "127.0.0.1"],
        ["127.0.0.1", "93.184.216.34"],
    ],
)
async def test_a_name_with_one_address_off_the_public_internet_is_refused(addresses):
    with pytest.raises(AddressRefused):
        await fetch("https://dealer.example.com/", names=Names([addresses]))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "[fd00:ec2::254]"]
)
async def test_an_address_off_the_public_internet_is_refused(host):
    names = Names([["93.184.216.34"]])
    with pytest.raises(AddressRefused):
        await fetch(f"https://{host}/", names=names)
    assert names.asked == []


async def test_a_setting_does_not_open_the_metadata_service():
    with pytest.raises(AddressRefused):
        await fetch("http://dealer.example.com:80/", allow=LOCAL, names=Names([["169.254.169.254"]]))


async def test_a_name_that_rebinds_between_check_and_connection_gains_nothing():
    """Known bugs F1 and F2: the address that was judged is the address that is connected to."""
    names = Names([["127.0.0.1"], ["169.254.169.254"]])
    async with listening(response(b"first")) as server:
        answer = await fetch(f"http://dealer.example.com:{server.port}/", allow=LOCAL, names=names)
    assert answer.body == b"first"
    assert names.asked == ["dealer.example.com"]


@pytest.mark.parametrize("found", [[], ["not an address"], ["127.0.0.1", "nonsense"]])
async def test_a_name_that_cannot_be_resolved_fails_closed(found):
    with pytest.raises(NameUnknown) as failure:
        await fetch("http://dealer.example.com:1/", allow=LOCAL, names=Names([found]))
    assert not failure.value.retryable


async def test_the_second_address_is_tried_when_the_first_is_dead():
    async with listening(response(b"second")) as server:
        names = Names([["::1", "127.0.0.1"]])
        answer = await fetch(f"http://dealer.example.com:{server.port}/", allow=LOCAL, names=names)
    assert answer.body == b"second"


async def test_one_connection_serves_many_requests():
    async with listening(response()) as server, Fetcher(FetchPolicy.allowing(LOCAL)) as fetcher:
        for _ in range(3):
            await fetcher.send(Outgoing("GET", server.url, Limits(100, 5)))
    assert (server.connections, len(server.requests)) == (1, 3)


async def test_a_connection_that_the_server_closed_is_not_used_again():
    async with listening(response()) as server, Fetcher(FetchPolicy.allowing(LOCAL)) as fetcher:
        await fetcher.send(Outgoing("GET", server.url, Limits(100, 5)))
        server.hang_up()
        async with asyncio.timeout(5):
            while not fetcher._pool.connections[0].has_expired():  # noqa: ASYNC110  the client has no event
                await asyncio.sleep(0)
        await fetcher.send(Outgoing("POST", server.url, Limits(100, 5), body=b"{}"))
    assert (server.connections, len(server.requests)) == (2, 2)


async def test_head_and_body_leave_in_one_piece():
    pieces = []

    async def first_piece(reader, writer):
        pieces.append(await reader.read(65536))
        writer.write(response(connection="close"))
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(first_piece, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        await fetch(url, allow=LOCAL, method="POST", body=b"x" * 5000)
    assert pieces[0].endswith(b"x" * 5000)


async def test_a_large_answer_arrives_whole():
    body = bytes(range(256)) * 20_000
    async with listening(response(body)) as server:
        answer = await fetch(server.url, allow=LOCAL, max_bytes=len(body))
    assert answer.body == body


async def test_a_dead_port_is_worth_trying_again():
    async with listening(response()) as server:
        url = server.url
    with pytest.raises(ConnectionFailed) as failure:
        await fetch(url, allow=LOCAL)
    assert failure.value.retryable
    assert not failure.value.may_have_arrived


async def test_proxies_of_the_environment_are_not_used(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    async with listening(response(b"direct")) as server:
        assert (await fetch(server.url, allow=LOCAL)).body == b"direct"


# Size and time


async def test_an_endless_body_is_cut_off():
    async def endless(reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"1000\r\n" + b"x" * 0x1000 + b"\r\n")
            await writer.drain()

    async with listening(endless) as server:
        with pytest.raises(AnswerTooLarge) as failure:
            await fetch(server.url, allow=LOCAL, max_bytes=100_000)
    assert not failure.value.retryable


@pytest.mark.parametrize("packing", ["gzip", "deflate", "GZIP"])
async def test_a_packed_body_is_unpacked(packing):
    body = gzip.compress(b"ok" * 50) if packing.lower() == "gzip" else zlib.compress(b"ok" * 50)
    async with listening(response(body, content_encoding=packing)) as server:
        assert (await fetch(server.url, allow=LOCAL)).body == b"ok" * 50


async def test_a_bomb_stops_at_the_limit():
    bomb = gzip.compress(b"\0" * 50_000_000)
    async with listening(response(bomb, content_encoding="gzip")) as server:
        with pytest.raises(AnswerTooLarge):
            await fetch(server.url, allow=LOCAL, max_bytes=100_000)


@pytest.mark.parametrize(
    ("body", "packing"),
    [
        (b"not gzip", "gzip"),
        (gzip.compress(b"cut")[:-4], "gzip"),
        (gzip.compress(b"a") + b"more", "gzip"),
        (b"x", "br"),
        (gzip.compress(gzip.compress(b"x")), "gzip, gzip"),
    ],
    ids=["not packed", "cut", "trailing bytes", "not asked for", "packed twice"],
)
async def test_a_broken_or_unasked_encoding_is_an_error_of_its_own(body, packing):
    async with listening(response(body, content_encoding=packing)) as server:
        with pytest.raises(AnswerUndecodable) as failure:
            await fetch(server.url, allow=LOCAL)
    assert not failure.value.retryable


async def test_a_trickle_ends_at_the_deadline():
    """Known bug F4 seen from the client: no single read is slow, the whole is."""

    async def trickle(reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)

    async with listening(trickle) as server:
        with pytest.raises(TimedOut) as failure:
            await fetch(server.url, allow=LOCAL, max_bytes=1_000_000, seconds=0.3)
    assert failure.value.retryable
    assert failure.value.may_have_arrived


async def test_a_silent_server_ends_at_the_deadline():
    """Known bug F6 seen from the client: half an answer, then nothing."""

    async def silent(reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\n")
        await reader.read()

    async with listening(silent) as server:
        with pytest.raises(TimedOut):
            await fetch(server.url, allow=LOCAL, seconds=0.2)


async def test_an_answer_cut_short_may_have_been_acted_upon():
    async def cut(reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")

    async def nothing(reader, writer):
        pass

    for handler in (cut, nothing):
        async with listening(handler) as server:
            with pytest.raises(ConnectionLost) as failure:
                await fetch(server.url, allow=LOCAL, method="POST", body=b"{}")
        assert failure.value.may_have_arrived
        assert failure.value.retryable


async def test_something_that_is_not_http_is_no_reason_to_try_again():
    async with listening(b"SSH-2.0-OpenSSH_9.6\r\n\r\n") as server:
        with pytest.raises(AnswerUndecodable) as failure:
            await fetch(server.url, allow=LOCAL)
    assert not failure.value.retryable


# Redirects


async def test_a_redirect_is_followed_to_a_relative_place():
    async with listening(redirect("/b"), response(b"there")) as server:
        answer = await fetch(server.url + "/a", allow=LOCAL)
    assert (answer.body, answer.url) == (b"there", server.url + "/b")


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://dealer.example.com/",
        "ftp://a.example.com/",
        "https://u:p@a.example.com/",
    ],
)
async def test_a_redirect_to_a_url_that_may_not_be_fetched_is_refused(location):
    async with listening(redirect(location)) as server:
        with pytest.raises(UrlRefused):
            await fetch(server.url, allow=["http://127.0.0.1:*"])
    assert len(server.requests) == 1


async def test_a_redirect_to_a_private_address_behind_https_is_refused():
    async with listening(redirect("https://169.254.169.254/")) as server:
        with pytest.raises(AddressRefused):
            await fetch(server.url, allow=["http://127.0.0.1:*"])


async def test_a_name_is_judged_again_on_every_hop():
    names = Names([["127.0.0.1"], ["10.0.0.1"]])
    async with listening(redirect("https://other.example.com/")) as server:
        with pytest.raises(AddressRefused):
            await fetch(f"http://dealer.example.com:{server.port}/", allow=LOCAL[:2], names=names)
    assert names.asked == ["dealer.example.com", "other.example.com"]


async def test_a_redirect_loop_ends():
    async with listening(redirect("/again")) as server:
        with pytest.raises(TooManyRedirects):
            await fetch(server.url, allow=LOCAL)
    assert len(server.requests) == 4


async def test_a_token_does_not_follow_to_another_origin():
    async with listening(response()) as other, listening(redirect(other.url)) as first:
        await fetch(first.url, allow=LOCAL, headers={"authorization": "Bearer secret"})
    assert b"Bearer secret" in first.requests[0]
    assert b"Bearer" not in other.requests[0]


async def test_a_post_follows_within_its_origin_with_its_body():
    async with listening(redirect("/a2a/", "307 Temporary Redirect"), response(b"there")) as server:
        answer = await fetch(server.url + "/a2a", allow=LOCAL, method="POST", body=b"{1}")
    assert answer.body == b"there"
    assert server.requests[1].startswith(b"POST /a2a/ ")
    assert server.requests[1].endswith(b"{1}")


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other"])
async def test_a_post_is_not_turned_into_something_else(status):
    async with listening(redirect("/b", status)) as server:
        with pytest.raises(RedirectRefused):
            await fetch(server.url, allow=LOCAL, method="POST", body=b"{}")


async def test_a_post_does_not_follow_to_another_host():
    async with (
        listening(response()) as other,
        listening(redirect(other.url, "308 Permanent Redirect")) as first,
    ):
        with pytest.raises(RedirectRefused):
            await fetch(first.url, allow=LOCAL, method="POST", body=b"{}")
    assert other.requests == []


# TLS


def _certificate(host: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return contexts for a server that proves itself as `host`, and for a client that believes it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return pem, private


@pytest.fixture
def tls(tmp_path):
    pem, private = _certificate("dealer.example.com")
    bundle = tmp_path / "server.pem"
    bundle.write_bytes(pem + private)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(bundle)
    return server, ssl.create_default_context(cadata=pem.decode())


async def test_tls_proves_the_name_although_an_address_is_connected_to(tls):
    server_side, client_side = tls
    asked_for = []
    server_side.sni_callback = lambda _socket, name, _context: asked_for.append(name)
    async with listening(response(b"proved"), tls=server_side) as server:
        answer = await fetch(
            f"https://dealer.example.com:{server.port}/",
            allow=LOCAL,
            names=Names([["127.0.0.1"]]),
            tls=client_side,
        )
    assert answer.body == b"proved"
    assert asked_for == ["dealer.example.com"]


async def test_a_certificate_of_another_host_is_no_reason_to_try_again(tls):
    server_side, client_side = tls
    async with listening(response(), tls=server_side) as server:
        with pytest.raises(CertificateRefused) as failure:
            await fetch(
                f"https://other.example.com:{server.port}/", allow=["https://*.example.com:*"],
                names=Names([["127.0.0.1"]]), tls=client_side,
            )  # fmt: skip
    assert not failure.value.retryable


async def test_two_hosts_on_one_address_do_not_share_a_connection(tls):
    """A pool keyed by address would send the second host's request over the first host's proof."""
    server_side, client_side = tls
    policy = FetchPolicy.allowing(["https://*.example.com:*"])
    async with (
        listening(response(), tls=server_side) as server,
        Fetcher(policy, resolver=Names([["127.0.0.1"]]), tls=client_side) as fetcher,
    ):
        await fetcher.send(Outgoing("GET", f"https://dealer.example.com:{server.port}/", Limits(100, 5)))
        with pytest.raises(CertificateRefused):
            await fetcher.send(Outgoing("GET", f"https://other.example.com:{server.port}/", Limits(100, 5)))


def test_every_error_is_a_leaf_below_unreachable_or_refused():
    for leaf in (NameUnknown, TimedOut, ConnectionLost, AnswerTooLarge):
        assert issubclass(leaf, Unreachable)
    for leaf in (UrlRefused, AddressRefused, RedirectRefused):
        assert issubclass(leaf, Refused)
        assert not leaf.retryable
