"""Dealers, their domains, stock in versions and chunks, scheduled feeds and the history of imports."""

import sqlalchemy as sa
from alembic import op

from forecourt.storage.schema import BigInt, Instant, Json

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "dealers",
        sa.Column("slug", sa.Text, primary_key=True),
        sa.Column("organization_id", sa.Text),
        sa.Column("profile", Json, nullable=False),
        sa.Column("profile_changed_at", Instant, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("live_version", sa.Text),
        sa.Column("previous_version", sa.Text),
        sqlite_strict=True,
    )
    op.create_table(
        "dealer_domains",
        sa.Column("domain", sa.Text, primary_key=True),
        sa.Column(
            "slug", sa.Text, sa.ForeignKey("dealers.slug", ondelete="CASCADE"), nullable=False, index=True
        ),
        sqlite_strict=True,
    )
    op.create_table(
        "stock_versions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column(
            "slug", sa.Text, sa.ForeignKey("dealers.slug", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("confirmed_at", Instant),
        sa.Column("listings", BigInt, nullable=False),
        sa.Column("amendments", Json),
        sqlite_strict=True,
    )
    op.create_table(
        "stock_chunks",
        sa.Column(
            "version_id", sa.Text, sa.ForeignKey("stock_versions.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", BigInt, primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "feed_imports",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("slug", sa.Text, sa.ForeignKey("dealers.slug", ondelete="CASCADE"), nullable=False),
        sa.Column("started_at", Instant, nullable=False),
        sa.Column("finished_at", Instant, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("version_id", sa.Text),
        sa.Column("rows_in", BigInt, nullable=False),
        sa.Column("accepted", BigInt, nullable=False),
        sa.Column("rejected", BigInt, nullable=False),
        sa.Column("report", Json, nullable=False),
        sa.Index("ix_feed_imports_slug_finished_at", "slug", "finished_at"),
        sqlite_strict=True,
    )
    op.create_table(
        "feed_schedules",
        sa.Column("slug", sa.Text, sa.ForeignKey("dealers.slug", ondelete="CASCADE"), primary_key=True),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("every_seconds", BigInt, nullable=False),
        sa.Column("stale_after_seconds", BigInt, nullable=False),
        sa.Column("mapping", Json, nullable=False),
        sa.Column("password_env", sa.Text),
        sa.Column("host_key", sa.Text),
        sa.Column("alarm_mail", sa.Text),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("next_run_at", Instant, nullable=False, index=True),
        sa.Column("memory", Json, nullable=False),
        sa.Column("imported_at", Instant),
        sa.Column("seen_at", Instant),
        sa.Column("outcome", sa.Text),
        sa.Column("alarmed_at", Instant),
        sqlite_strict=True,
    )
