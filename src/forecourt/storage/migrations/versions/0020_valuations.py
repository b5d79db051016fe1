"""Valuations, and how often a test key has asked for the car that is busy twice."""

import sqlalchemy as sa
from alembic import op

from forecourt.storage.schema import BigInt, Instant, Json

revision = "0020"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "valuations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("country", sa.Text, nullable=False),
        sa.Column("external_reference", sa.Text),
        sa.Column("identity_digest", sa.Text),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("request_id", sa.Text, nullable=False),
        sa.Column("credits_reserved", BigInt, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("completed_at", Instant),
        sa.Column("envelope", Json, nullable=False),
        sa.Index("ix_valuations_organization_id", "organization_id", "mode", "id"),
        sa.Index("ix_valuations_usage", "organization_id", "mode", "created_at"),
        sa.Index("ix_valuations_created_at", "created_at"),
        sa.Index("ix_valuations_identity_digest", "identity_digest"),
        sqlite_strict=True,
    )
    op.create_table(
        "test_mode_attempts",
        sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), primary_key=True),
        sa.Column("idempotency_key", sa.Text, primary_key=True),
        sa.Column("attempts", BigInt, nullable=False),
        sqlite_strict=True,
    )
