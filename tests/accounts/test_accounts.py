"""Organisations, people and keys on both databases."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forecourt.accounts import organizations, store
from forecourt.accounts.access import ALL_SCOPES, Principal, Role
from forecourt.accounts.errors import (
    InsufficientScope,
    InvalidApiKey,
    IpNotAllowed,
    KeyUnknown,
    OrganizationSuspended,
    OrganizationUnknown,
    UserUnknown,
    WrongAccount,
)
from forecourt.accounts.keys import NewKey, networks, scope_names
from forecourt.accounts.secret import SecretMissing, server_secret
from forecourt.base.tokens import BASE62, is_well_formed, new_token
from forecourt.storage.database import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECRET = b"a secret of this test, long enough"


def organization(database: Database, *countries: str) -> str:
    return database.write_sync(
        lambda connection: store.add_organization(
            connection, "Harbour Data", countries=countries or ("DE", "GB"), now=NOW
        )
    ).id


def key(database: Database, organization_id: str, **what: Any) -> tuple[str, str]:
    new = NewKey(**{"name": "CI", "mode": "test", **what})
    made, bearer = database.write_sync(
        lambda connection: store.add_key(
            connection, organization_id, new, key_prefix="au_", secret=SECRET, now=NOW
        )
    )
    return made.id, bearer


def recognised(
    database: Database, bearer: str, *, at: datetime = NOW, address: str = "192.0.2.7"
) -> Principal:
    return database.read_sync(
        lambda connection: store.recognise_key(
            connection, bearer, key_prefix="au_", secret=SECRET, address=address, now=at
        )
    )


def test_a_key_says_on_whose_behalf_a_call_is_made(database: Database) -> None:
    organization_id = organization(database)
    key_id, bearer = key(database, organization_id, scopes=("account:read",))

    principal = recognised(database, bearer)

    assert principal.organization_id == organization_id
    assert principal.credential.id == key_id
    assert (principal.mode, principal.scopes) == ("test", {"account:read"})
    assert principal.countries == {"DE", "GB"}


def test_a_key_begins_with_its_mode_and_only_its_last_characters_are_kept(database: Database) -> None:
    organization_id = organization(database)
    _, bearer = key(database, organization_id, mode="live")

    [kept] = database.read_sync(lambda connection: store.list_keys(connection, organization_id))

    assert bearer.startswith("au_live_")
    assert (kept.prefix, kept.last4) == ("au_live_", bearer[-4:])
    assert bearer not in repr(kept)


def test_a_revoked_key_fails_at_the_next_call(database: Database) -> None:
    key_id, bearer = key(database, organization(database))
    database.write_sync(lambda connection: store.revoke_key(connection, key_id, at=NOW))

    with pytest.raises(InvalidApiKey):
        recognised(database, bearer)


def test_an_expired_key_fails(database: Database) -> None:
    _, bearer = key(database, organization(database), expires_at=NOW + timedelta(days=1))

    recognised(database, bearer)
    with pytest.raises(InvalidApiKey):
        recognised(database, bearer, at=NOW + timedelta(days=1))


def test_a_key_cannot_have_expired_before_it_is_made(database: Database) -> None:
    with pytest.raises(WrongAccount):
        key(database, organization(database), expires_at=NOW)


def test_a_rotated_key_works_for_the_overlap_beside_its_successor(database: Database) -> None:
    key_id, old = key(database, organization(database), scopes=("vehicles:read",))
    _, new = database.write_sync(
        lambda connection: store.rotate_key(
            connection, key_id, overlap=timedelta(hours=1), key_prefix="au_", secret=SECRET, now=NOW
        )
    )

    assert recognised(database, old).scopes == recognised(database, new).scopes == {"vehicles:read"}
    with pytest.raises(InvalidApiKey):
        recognised(database, old, at=NOW + timedelta(hours=1))


def test_a_key_that_has_ended_cannot_be_rotated(database: Database) -> None:
    key_id, _ = key(database, organization(database))
    database.write_sync(lambda connection: store.revoke_key(connection, key_id, at=NOW))

    with pytest.raises(KeyUnknown):
        database.write_sync(
            lambda connection: store.rotate_key(
                connection, key_id, overlap=timedelta(0), key_prefix="au_", secret=SECRET, now=NOW
            )
        )


def test_revoking_again_does_not_prolong_a_key(database: Database) -> None:
    key_id, bearer = key(database, organization(database))
    database.write_sync(lambda connection: store.revoke_key(connection, key_id, at=NOW))
    database.write_sync(lambda connection: store.revoke_key(connection, key_id, at=NOW + timedelta(days=1)))

    with pytest.raises(InvalidApiKey):
        recognised(database, bearer)


def test_a_key_bound_to_a_network_works_only_from_there(database: Database) -> None:
    _, bearer = key(database, organization(database), networks=networks(["192.0.2.0/24"]))

    for address in ("192.0.2.200", "::ffff:192.0.2.200", "192.0.2.200:4711"):
        recognised(database, bearer, address=address)
    for address in ("198.51.100.1", "unknown", "::1"):
        with pytest.raises(IpNotAllowed):
            recognised(database, bearer, address=address)


def test_a_suspended_organization_is_refused_and_let_in_again(database: Database) -> None:
    organization_id = organization(database)
    _, bearer = key(database, organization_id)
    database.write_sync(lambda connection: store.set_suspended(connection, organization_id, NOW))

    with pytest.raises(OrganizationSuspended):
        recognised(database, bearer)

    database.write_sync(lambda connection: store.set_suspended(connection, organization_id, None))
    recognised(database, bearer)


@pytest.mark.parametrize("bearer", ["au_", "au_test_", "au_test_é" + "a" * 37, "au_test_" + "a" * 38, "é"])
def test_something_that_is_no_key_is_refused(database: Database, bearer: str) -> None:
    with pytest.raises(InvalidApiKey):
        recognised(database, bearer)


def test_a_key_of_another_server_is_refused(database: Database) -> None:
    with pytest.raises(InvalidApiKey):
        recognised(database, new_token("au_test_"))


def test_countries_are_enabled_per_organization(database: Database) -> None:
    organization_id = organization(database)
    _, bearer = key(database, organization_id)
    database.write_sync(lambda connection: store.set_countries(connection, organization_id, ("NL",)))

    assert recognised(database, bearer).countries == {"NL"}


def test_a_person_has_one_role_per_organization(database: Database) -> None:
    organization_id = organization(database)
    for role in (Role.DEVELOPER, Role.OWNER):
        database.write_sync(
            lambda connection, role=role: store.add_member(
                connection, organization_id, email="ada@example.com", role=role, now=NOW
            )
        )

    [member] = database.read_sync(lambda connection: store.list_members(connection, organization_id))

    assert (member.email, member.role) == ("ada@example.com", Role.OWNER)


def test_a_removed_member_is_gone(database: Database) -> None:
    organization_id = organization(database)
    database.write_sync(
        lambda connection: store.add_member(
            connection, organization_id, email="ada@example.com", role=Role.OWNER, now=NOW
        )
    )
    database.write_sync(
        lambda connection: store.remove_member(connection, organization_id, "ada@example.com")
    )

    assert database.read_sync(lambda connection: store.list_members(connection, organization_id)) == []
    with pytest.raises(UserUnknown):
        database.write_sync(
            lambda connection: store.remove_member(connection, organization_id, "ada@example.com")
        )


def test_an_unknown_organization_is_told(database: Database) -> None:
    for question in (
        lambda connection: store.list_keys(connection, "org_x"),
        lambda connection: store.set_countries(connection, "org_x", ("DE",)),
        lambda connection: store.list_members(connection, "org_x"),
    ):
        with pytest.raises(OrganizationUnknown):
            database.write_sync(question)


def test_use_is_noted_once_an_hour(database: Database) -> None:
    organization_id = organization(database)
    key_id, _ = key(database, organization_id)

    def used(at: datetime) -> datetime | None:
        database.write_sync(lambda connection: store.note_use(connection, key_id, now=at))
        return database.read_sync(lambda connection: store.find_key(connection, key_id)).last_used_at

    assert used(NOW) == NOW
    assert used(NOW + timedelta(minutes=59)) == NOW
    assert used(NOW + timedelta(minutes=61)) == NOW + timedelta(minutes=61)


def test_a_missing_scope_is_named(database: Database) -> None:
    _, bearer = key(database, organization(database), scopes=("account:read",))

    with pytest.raises(InsufficientScope) as refused:
        recognised(database, bearer).require("valuations:write")

    assert refused.value.details == {"required_scope": "valuations:write"}


def test_scopes_keep_the_order_of_the_table_and_none_means_all() -> None:
    assert scope_names(["account:read", "valuations:write"]) == ("valuations:write", "account:read")
    assert scope_names([]) == ALL_SCOPES
    with pytest.raises(WrongAccount, match="nonsense:read"):
        scope_names(["nonsense:read"])


@pytest.mark.parametrize("email", ["", "ada", "@example.com", "ada@", "ada@example", "a b@example.com"])
def test_what_is_no_address_is_refused(email: str) -> None:
    with pytest.raises(WrongAccount):
        organizations.email_address(email)


def test_unknown_markets_and_roles_are_refused_by_name() -> None:
    assert organizations.country_codes(["gb", "DE"]) == ("DE", "GB")
    with pytest.raises(WrongAccount, match="US"):
        organizations.country_codes(["DE", "US"])
    with pytest.raises(WrongAccount, match="owner"):
        organizations.role("king")


@given(st.integers(8, 45), st.sampled_from(BASE62))
def test_one_wrong_character_shows(place: int, other: str) -> None:
    token = new_token("au_test_")
    broken = token[:place] + other + token[place + 1 :]

    assert is_well_formed(token, "au_test_")
    assert is_well_formed(broken, "au_test_") == (broken == token)


def test_the_secret_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    first = server_secret(given=None, data_dir=tmp_path, database_is_shared=False)
    again = server_secret(given=None, data_dir=tmp_path, database_is_shared=False)

    assert first == again
    assert len(first) >= 32
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]


def test_several_servers_on_one_database_must_be_given_the_secret(tmp_path: Path) -> None:
    with pytest.raises(SecretMissing):
        server_secret(given=None, data_dir=tmp_path, database_is_shared=True)
    with pytest.raises(SecretMissing):
        server_secret(given="short", data_dir=tmp_path, database_is_shared=True)
    assert server_secret(given="x" * 40, data_dir=tmp_path, database_is_shared=True) == b"x" * 40
