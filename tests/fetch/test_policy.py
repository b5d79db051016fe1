"""Which URLs may be fetched at all."""

import pytest

from forecourt.fetch.errors import UrlRefused
from forecourt.fetch.policy import BadPattern, FetchPolicy, Origin, OriginPattern, origin_of, read_url

PUBLIC_ONLY = FetchPolicy()


def test_https_on_its_usual_port_is_allowed():
    assert (
        str(PUBLIC_ONLY.check("https://dealer.example.com/a2a?x=1#part"))
        == "https://dealer.example.com/a2a?x=1"
    )


def test_the_path_keeps_its_last_character():
    assert str(PUBLIC_ONLY.check("https://dealer.example.com/a2a")).endswith("/a2a")
    assert str(PUBLIC_ONLY.check("https://dealer.example.com/a2a/")).endswith("/a2a/")


@pytest.mark.parametrize(
    "url",
    [
        "http://dealer.example.com/",
        "https://dealer.example.com:8443/",
        "https://dealer.example.com:0/",
        "https://dealer.example.com:70000/",
        "https://user:secret@dealer.example.com/",
        "https://user@dealer.example.com/",
        "https://dealer.example.com\\@evil.example.com/",
        "https://dealer.example.com/\r\nHost: other",
        "https://dealer example.com/",
        "https://ex%41mple.com/",
        "https://a..b/",
        "https:///path",
        "ftp://dealer.example.com/",
        "file:///etc/passwd",
        "gopher://dealer.example.com/",
        "javascript:alert(1)",
        "//dealer.example.com/",
        "/a2a",
        "dealer.example.com",
        "",
        "https://" + "a" * 64 + ".example.com/",
        "https://dealer.example.com/" + "a" * 3000,
        "https://[::1%25eth0]/",
        "https://[::1",
    ],
)
def test_another_shape_of_url_is_refused(url):
    with pytest.raises(UrlRefused):
        PUBLIC_ONLY.check(url)


@pytest.mark.parametrize(
    "host",
    ["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "017700000001", "1.2.3.4.5"],
)
def test_an_address_written_as_a_number_is_refused(host):
    with pytest.raises(UrlRefused):
        FetchPolicy.allowing([f"https://{host}"]).check(f"https://{host}/")


def test_an_international_name_is_looked_up_in_its_ascii_form():
    assert origin_of(read_url("https://autohaus-müller.example/")).host == "xn--autohaus-mller-psb.example"


@pytest.mark.parametrize(
    ("pattern", "url", "allowed"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/a2a", True),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8081/a2a", False),
        ("http://127.0.0.1:8080", "https://127.0.0.1:8080/a2a", False),
        ("http://localhost:*", "http://localhost:9/", True),
        ("http://dealer.internal", "http://dealer.internal/", True),
        ("dealer.internal:8443", "https://dealer.internal:8443/", True),
        ("dealer.internal:8443", "http://dealer.internal:8443/", True),
        ("dealer.internal:8443", "http://dealer.internal/", False),
        ("dealer.internal", "http://dealer.internal:99/", True),
        ("dealer.internal", "http://other.internal:99/", False),
        ("https://dealer.internal", "https://dealer.internal:99/", False),
        ("https://*.internal:*", "https://a.b.internal:8443/", True),
        ("https://*.internal:*", "https://internal:8443/", False),
        ("https://*.internal:*", "https://evilinternal:8443/", False),
        ("http://[::1]:8080", "http://[::1]:8080/", True),
        ("HTTP://LocalHost:80", "http://localhost/", True),
    ],
)
def test_a_pattern_opens_its_own_origins_only(pattern, url, allowed):
    policy = FetchPolicy.allowing([pattern])
    if allowed:
        assert policy.check(url)
    else:
        with pytest.raises(UrlRefused):
            policy.check(url)


@pytest.mark.parametrize(
    "pattern", ["", "*", "ftp://a", "http://a:b", "http://a/path", "http://*", "a b", "http://a:1,2"]
)
def test_a_pattern_that_cannot_be_read_is_refused_with_its_text(pattern):
    with pytest.raises(BadPattern, match="is not"):
        FetchPolicy.allowing([pattern])


def test_trusting_a_typed_loopback_url_covers_its_other_spellings_on_that_port_only():
    policy = FetchPolicy().trusting("http://localhost:8080/dealers/demo")
    assert policy.opens("127.0.0.1", 8080)
    assert policy.opens("::1", 8080)
    assert not policy.opens("127.0.0.1", 8081)
    assert not policy.opens("127.0.0.2", 8080)


def test_trusting_a_typed_name_opens_that_name_only():
    policy = FetchPolicy().trusting("https://dealer.intranet.example/a2a")
    assert policy.opens("dealer.intranet.example", 443)
    assert not policy.opens("other.intranet.example", 443)
    assert not FetchPolicy().opens("dealer.intranet.example", 443)


def test_a_pattern_reads_back_as_its_parts():
    assert OriginPattern.parse("http://localhost:*") == OriginPattern("http", "localhost", None)
    assert OriginPattern.parse("a.example").matches(Origin("https", "a.example", 443))
