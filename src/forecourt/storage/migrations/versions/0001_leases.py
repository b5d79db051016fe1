"""Leases: which process does the work that one at a time may do."""

import sqlalchemy as sa
from alembic import op

from forecourt.storage.schema import BigInt, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "leases",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("fence", BigInt, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sqlite_strict=True,
    )
