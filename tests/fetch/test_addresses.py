"""What counts as the public internet."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forecourt.fetch.addresses import is_forbidden, is_loopback, is_public, read_address

NOT_PUBLIC = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
    "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
    "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
    "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:2::1",
    "2001:10::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1",
    "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
]  # fmt: skip
PUBLIC = [
    "8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1",
    "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_a_special_range_is_not_public(text):
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_an_ordinary_address_is_public(text):
    assert is_public(ip_address(text))


@given(st.ip_addresses(v=4))
def test_an_embedded_ipv4_address_is_judged_like_itself(address: IPv4Address):
    mapped = IPv6Address(f"::ffff:{address}")
    translated = IPv6Address(f"64:ff9b::{address}")
    assert is_public(mapped) == is_public(translated) == is_public(address)
    assert is_forbidden(mapped) == is_forbidden(translated) == is_forbidden(address)


@given(st.sampled_from(NOT_PUBLIC).map(ip_address) | st.ip_addresses())
def test_nothing_private_to_python_is_public_to_us(address):
    assume(address.version == 4 or not (address.ipv4_mapped or str(address).startswith("64:ff9b::")))
    assert not (is_public(address) and (address.is_private or address.is_multicast))


def test_an_address_with_a_zone_is_not_read():
    assert read_address("fe80::1%eth0") is None


@pytest.mark.parametrize(
    "text", ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "fe80::1", "0.0.0.0", "ff02::1"]
)
def test_no_setting_opens_metadata_services_or_groups(text):
    assert is_forbidden(ip_address(text))


@pytest.mark.parametrize("text", ["10.0.0.1", "127.0.0.1", "192.168.0.2", "fd12::1", "::1"])
def test_a_setting_can_open_private_networks(text):
    assert not is_forbidden(ip_address(text))


@pytest.mark.parametrize(
    ("host", "expected"),
    [("localhost", True), ("127.0.0.1", True), ("::1", True), ("8.8.8.8", False), ("a.b", False)],
)
def test_loopback_is_known_by_name_and_address(host, expected):
    assert is_loopback(host) is expected
