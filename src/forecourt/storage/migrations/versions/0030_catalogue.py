"""What operators add to the catalogue, and the German type keys."""

import sqlalchemy as sa
from alembic import op

from forecourt.storage.schema import BigInt, Instant, Json

revision = "0030"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "catalogue_entries",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("place", BigInt, nullable=False, index=True),
        sa.Column("content", Json, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("changed_at", Instant, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "catalogue_replacements",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("replaced_by", sa.Text, nullable=False),
        sa.Column("changed_at", Instant, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "catalogue_revisions",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("revision", BigInt, nullable=False),
        sqlite_strict=True,
    )
    _create_kba()


def _create_kba() -> None:
    op.create_table(
        "kba_keys",
        sa.Column("hsn", sa.Text, primary_key=True),
        sa.Column("tsn", sa.Text, primary_key=True),
        sa.Column("maker", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("model_ids", Json, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "kba_lists",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("as_of", sa.Text),
        sa.Column("notice", sa.Text, nullable=False),
        sa.Column("keys", BigInt, nullable=False),
        sa.Column("imported_at", Instant, nullable=False),
        sqlite_strict=True,
    )
