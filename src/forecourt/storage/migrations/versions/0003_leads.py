"""Leads with their consents and appointments, and the outbox through which they reach the dealer."""

import sqlalchemy as sa
from alembic import op

from forecourt.storage.schema import BigInt, Instant, Json

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    _create_leads()
    op.create_table(
        "lead_consents",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("lead_id", sa.Text, sa.ForeignKey("leads.id"), nullable=False, index=True),
        sa.Column("received_at", Instant, nullable=False),
        sa.Column("consent", Json),
        sa.Column("source_agent", Json),
        sa.Column("text_sha256", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "appointments",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("dealer", sa.Text, nullable=False),
        sa.Column("rooftop", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("wished_at", Instant),
        sa.Column("starts_at", Instant),
        sa.Column("ends_at", Instant),
        sa.Column("proposed_times", Json, nullable=False),
        sa.Index("ix_appointments_dealer_rooftop_ends_at", "dealer", "rooftop", "ends_at"),
        sqlite_strict=True,
    )
    _create_outbox()


def _create_leads() -> None:
    op.create_table(
        "leads",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("dealer", sa.Text, nullable=False),
        sa.Column("received_at", Instant, nullable=False),
        sa.Column("test", BigInt, nullable=False),
        sa.Column("source_agent", sa.Text, nullable=False),
        sa.Column("email", sa.Text),
        sa.Column("phone", sa.Text),
        sa.Column("idempotency_key", sa.Text),
        sa.Column("fingerprint", sa.Text),
        sa.Column("request", Json),
        sa.Column("rooftop", Json, nullable=False),
        sa.Column("listing", Json),
        sa.Column("follows", sa.Text),
        sa.Column("answer", sa.LargeBinary),
        sa.Column("appointment_id", sa.Text),
        sa.Column("erased_at", Instant),
        sa.UniqueConstraint("dealer", "idempotency_key", name="uq_leads_dealer_idempotency_key"),
        sa.Index("ix_leads_dealer_received_at", "dealer", "received_at"),
        sa.Index("ix_leads_email_dealer_received_at", "email", "dealer", "received_at"),
        sa.Index("ix_leads_phone_dealer_received_at", "phone", "dealer", "received_at"),
        sqlite_strict=True,
    )


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False, index=True),
        sa.Column("destination", sa.Text, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("body", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", BigInt, nullable=False),
        sa.Column("fence", BigInt, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("due_at", Instant, nullable=False),
        sa.Column("settled_at", Instant),
        sa.Column("outcome", sa.Text),
        sa.UniqueConstraint("subject", "destination", name="uq_outbox_subject_destination"),
        sa.Index("ix_outbox_state_due_at", "state", "due_at"),
        sqlite_strict=True,
    )
    op.create_table(
        "outbox_closed_destinations",
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("destination", sa.Text, primary_key=True),
        sa.Column("closed_at", Instant, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sqlite_strict=True,
    )
