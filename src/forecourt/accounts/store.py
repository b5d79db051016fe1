"""The record of organisations, people and keys, and the answer to the one question of every call: who."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from forecourt.accounts.access import Credential, Principal, Role
from forecourt.accounts.errors import (
    InvalidApiKey,
    IpNotAllowed,
    KeyUnknown,
    OrganizationSuspended,
    OrganizationUnknown,
    UserUnknown,
    WrongAccount,
)
from forecourt.accounts.keys import ApiKey, NewKey, looks_genuine, mode_prefix, networks, new_secret
from forecourt.accounts.organizations import Member, Organization
from forecourt.base.ids import new_id
from forecourt.base.tokens import token_digest
from forecourt.storage.schema import BigInt, Instant, Json, table
from forecourt.storage.upsert import insert_or_ignore

USE_NOTED_EVERY: Final = timedelta(hours=1)
"""`last_used_at` is written at most this often: a write per call would cost more than the call."""

ORGANIZATIONS = table(
    "organizations",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("countries", Json, nullable=False),
    sa.Column("suspended_at", Instant),
    sa.Column("created_at", Instant, nullable=False),
)

USERS = table(
    "users",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("email", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", Instant, nullable=False),
)

MEMBERSHIPS = table(
    "memberships",
    sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), primary_key=True),
    sa.Column("user_id", sa.Text, sa.ForeignKey("users.id"), primary_key=True, index=True),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("created_at", Instant, nullable=False),
)

API_KEYS = table(
    "api_keys",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), nullable=False, index=True),
    sa.Column("digest", sa.Text, nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("mode", sa.Text, nullable=False),
    sa.Column("prefix", sa.Text, nullable=False),
    sa.Column("last4", sa.Text, nullable=False),
    sa.Column("scopes", Json, nullable=False),
    sa.Column("networks", Json, nullable=False),
    sa.Column("monthly_cap", BigInt),
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("expires_at", Instant),
    sa.Column("revoked_at", Instant),
    sa.Column("last_used_at", Instant),
)


def add_organization(
    connection: Connection, name: str, *, countries: tuple[str, ...], now: datetime
) -> Organization:
    """Create an organisation with a checked name and checked countries."""
    organization = Organization(new_id("org"), name, countries, None, now)
    connection.execute(
        sa.insert(ORGANIZATIONS).values(
            id=organization.id, name=name, countries=list(countries), created_at=now
        )
    )
    return organization


def find_organization(connection: Connection, organization_id: str) -> Organization:
    """Return an organisation; raises `OrganizationUnknown`."""
    row = connection.execute(sa.select(ORGANIZATIONS).where(ORGANIZATIONS.c.id == organization_id)).first()
    if row is None:
        raise OrganizationUnknown("There is no such organisation.")
    return _organization(row)


def list_organizations(connection: Connection) -> list[Organization]:
    """Return every organisation, by name."""
    query = sa.select(ORGANIZATIONS).order_by(ORGANIZATIONS.c.name, ORGANIZATIONS.c.id)
    return [_organization(row) for row in connection.execute(query)]


def set_countries(connection: Connection, organization_id: str, countries: tuple[str, ...]) -> None:
    """Enable exactly these countries for an organisation; raises `OrganizationUnknown`."""
    _update_organization(connection, organization_id, countries=list(countries))


def set_suspended(connection: Connection, organization_id: str, since: datetime | None) -> None:
    """Suspend an organisation from a moment on, or let it in again; raises `OrganizationUnknown`."""
    _update_organization(connection, organization_id, suspended_at=since)


def add_member(
    connection: Connection, organization_id: str, *, email: str, role: Role, now: datetime
) -> Member:
    """Give a person a role in an organisation, in place of another one it may have; the user is made if new.

    Raises `OrganizationUnknown`.
    """
    find_organization(connection, organization_id)
    insert_or_ignore(connection, USERS, [{"id": new_id("user"), "email": email, "created_at": now}])
    user_id = connection.scalars(sa.select(USERS.c.id).where(USERS.c.email == email)).one()
    member = {"organization_id": organization_id, "user_id": user_id, "role": role.value, "created_at": now}
    if not insert_or_ignore(connection, MEMBERSHIPS, [member]):
        connection.execute(
            sa.update(MEMBERSHIPS).where(_membership(organization_id, user_id)).values(role=role.value)
        )
    return Member(user_id, email, role)


def remove_member(connection: Connection, organization_id: str, email: str) -> None:
    """End a person's membership at once; raises `UserUnknown` when there is none."""
    user_id = connection.scalar(sa.select(USERS.c.id).where(USERS.c.email == email))
    removed = connection.execute(
        sa.delete(MEMBERSHIPS)
        .where(_membership(organization_id, user_id or ""))
        .returning(MEMBERSHIPS.c.user_id)
    )
    if removed.first() is None:
        raise UserUnknown("That person is no member of the organisation.")


def list_members(connection: Connection, organization_id: str) -> list[Member]:
    """Return the people of an organisation, by address; raises `OrganizationUnknown`."""
    find_organization(connection, organization_id)
    query = (
        sa.select(USERS.c.id, USERS.c.email, MEMBERSHIPS.c.role)
        .join(MEMBERSHIPS)
        .where(MEMBERSHIPS.c.organization_id == organization_id)
        .order_by(USERS.c.email)
    )
    return [Member(row.id, row.email, Role(row.role)) for row in connection.execute(query)]


def add_key(
    connection: Connection,
    organization_id: str,
    new: NewKey,
    *,
    key_prefix: str,
    secret: bytes,
    now: datetime,
) -> tuple[ApiKey, str]:
    """Create a key and return it with its secret, which is not kept and can never be shown again.

    Raises `OrganizationUnknown`, and `WrongAccount` for a key that would have ended already.
    """
    find_organization(connection, organization_id)
    if new.expires_at is not None and new.expires_at <= now:
        raise WrongAccount("The key would have expired already.")
    bearer = new_secret(key_prefix, new.mode)
    key = ApiKey(
        id=new_id("key"),
        organization_id=organization_id,
        name=new.name,
        mode=new.mode,
        prefix=mode_prefix(key_prefix, new.mode),
        last4=bearer[-4:],
        scopes=new.scopes,
        networks=new.networks,
        monthly_cap=new.monthly_cap,
        created_at=now,
        expires_at=new.expires_at,
        revoked_at=None,
        last_used_at=None,
    )
    columns = {name: getattr(key, name) for name in ApiKey.__slots__}
    columns |= {"scopes": list(key.scopes), "networks": [str(network) for network in key.networks]}
    connection.execute(sa.insert(API_KEYS).values(digest=token_digest(bearer, secret), **columns))
    return key, bearer


def list_keys(connection: Connection, organization_id: str) -> list[ApiKey]:
    """Return the keys of an organisation, oldest first; raises `OrganizationUnknown`."""
    find_organization(connection, organization_id)
    query = (
        sa.select(API_KEYS)
        .where(API_KEYS.c.organization_id == organization_id)
        .order_by(API_KEYS.c.created_at, API_KEYS.c.id)
    )
    return [_key(row) for row in connection.execute(query)]


def revoke_key(connection: Connection, key_id: str, *, at: datetime) -> ApiKey:
    """Let a key work no longer from `at` on; an earlier end stays. Raises `KeyUnknown`."""
    key = find_key(connection, key_id)
    if key.revoked_at is not None and key.revoked_at <= at:
        return key
    connection.execute(sa.update(API_KEYS).where(API_KEYS.c.id == key_id).values(revoked_at=at))
    return replace(key, revoked_at=at)


def rotate_key(
    connection: Connection,
    key_id: str,
    *,
    overlap: timedelta,
    key_prefix: str,
    secret: bytes,
    now: datetime,
) -> tuple[ApiKey, str]:
    """Create a key like this one and let the old one work for `overlap` more.

    Raises `KeyUnknown`, also for a key that has ended already.
    """
    old = find_key(connection, key_id)
    if not old.works_at(now):
        raise KeyUnknown("That key has ended already: create a new one.")
    revoke_key(connection, key_id, at=now + overlap)
    like = NewKey(old.name, old.mode, old.scopes, old.networks, old.expires_at, old.monthly_cap)
    return add_key(connection, old.organization_id, like, key_prefix=key_prefix, secret=secret, now=now)


def find_key(connection: Connection, key_id: str) -> ApiKey:
    """Return a key; raises `KeyUnknown`."""
    row = connection.execute(sa.select(API_KEYS).where(API_KEYS.c.id == key_id)).first()
    if row is None:
        raise KeyUnknown("There is no such key.")
    return _key(row)


_RECOGNISED = (
    sa.select(API_KEYS, ORGANIZATIONS.c.name.label("organization_name"))
    .add_columns(ORGANIZATIONS.c.countries, ORGANIZATIONS.c.suspended_at)
    .join(ORGANIZATIONS, ORGANIZATIONS.c.id == API_KEYS.c.organization_id)
    .where(API_KEYS.c.digest == sa.bindparam("digest"))
)


def recognise_key(
    connection: Connection, bearer: str, *, key_prefix: str, secret: bytes, address: str, now: datetime
) -> Principal:
    """Return on whose behalf a call with this API key is made; everything is read anew for each call.

    Raises `InvalidApiKey`, `OrganizationSuspended`, `IpNotAllowed`.
    """
    if not looks_genuine(bearer, key_prefix):
        raise InvalidApiKey("The API key is not valid.")
    row = connection.execute(_RECOGNISED, {"digest": token_digest(bearer, secret)}).first()
    if row is None or not (key := _key(row)).works_at(now):
        raise InvalidApiKey("The API key is not valid.")
    if row.suspended_at is not None and row.suspended_at <= now:
        raise OrganizationSuspended("The organisation is suspended; its owner can say why.")
    if not key.works_from(address):
        raise IpNotAllowed("The API key may not be used from this address.")
    return Principal(
        organization_id=key.organization_id,
        organization_name=row.organization_name,
        countries=frozenset(row.countries),
        mode=key.mode,
        scopes=frozenset(key.scopes),
        credential=Credential(
            key.id, "api_key", key.name, key.prefix, key.last4, key.expires_at, key.monthly_cap
        ),
    )


def note_use(connection: Connection, key_id: str, *, now: datetime) -> None:
    """Write when a key was used, unless that was written lately."""
    stale = sa.or_(API_KEYS.c.last_used_at.is_(None), API_KEYS.c.last_used_at < now - USE_NOTED_EVERY)
    connection.execute(sa.update(API_KEYS).where(API_KEYS.c.id == key_id, stale).values(last_used_at=now))


def _update_organization(connection: Connection, organization_id: str, **values: Any) -> None:
    updated = connection.execute(
        sa.update(ORGANIZATIONS)
        .where(ORGANIZATIONS.c.id == organization_id)
        .values(**values)
        .returning(ORGANIZATIONS.c.id)
    )
    if updated.first() is None:
        raise OrganizationUnknown("There is no such organisation.")


def _membership(organization_id: str, user_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(MEMBERSHIPS.c.organization_id == organization_id, MEMBERSHIPS.c.user_id == user_id)


def _organization(row: sa.Row[Any]) -> Organization:
    return Organization(row.id, row.name, tuple(row.countries), row.suspended_at, row.created_at)


def _key(row: sa.Row[Any]) -> ApiKey:
    columns = {name: getattr(row, name) for name in ApiKey.__slots__}
    columns |= {"scopes": tuple(row.scopes), "networks": networks(row.networks)}
    return ApiKey(**columns)
