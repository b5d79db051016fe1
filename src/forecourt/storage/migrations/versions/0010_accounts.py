"""Organisations, their people and their API keys."""

import sqlalchemy as sa
from alembic import op

from forecourt.storage.schema import BigInt, Instant, Json

revision = "0010"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "organizations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("countries", Json, nullable=False),
        sa.Column("suspended_at", Instant),
        sa.Column("created_at", Instant, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.UniqueConstraint("email", name="uq_users_email"),
        sqlite_strict=True,
    )
    op.create_table(
        "memberships",
        sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), primary_key=True),
        sa.Column("user_id", sa.Text, sa.ForeignKey("users.id"), primary_key=True),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Index("ix_memberships_user_id", "user_id"),
        sqlite_strict=True,
    )
    _create_keys()


def _create_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
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
        sa.UniqueConstraint("digest", name="uq_api_keys_digest"),
        sa.Index("ix_api_keys_organization_id", "organization_id"),
        sqlite_strict=True,
    )
