"""Idempotency keys of valuations, and the limits that count across processes."""

import sqlalchemy as sa
from alembic import op

from forecourt.storage.schema import BigInt, Instant

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("organization_id", sa.Text, primary_key=True),
        sa.Column("mode", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("valuation_id", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("claimed_at", Instant, nullable=False),
        sa.CheckConstraint("state IN ('running', 'finished')", name="ck_idempotency_keys_state"),
        sa.Index("ix_idempotency_keys_state_claimed_at", "state", "claimed_at"),
        sqlite_strict=True,
    )
    op.create_table(
        "valuation_rates",
        sa.Column("key_id", sa.Text, primary_key=True),
        sa.Column("full_again_us", BigInt, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "valuation_places",
        sa.Column("valuation_id", sa.Text, primary_key=True),
        sa.Column("organization_id", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("free_at", Instant, nullable=False),
        sa.Index("ix_valuation_places_organization_id_mode", "organization_id", "mode"),
        sa.Index("ix_valuation_places_free_at", "free_at"),
        sqlite_strict=True,
    )
