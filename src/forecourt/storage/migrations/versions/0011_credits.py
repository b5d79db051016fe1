"""Credits: accounts, lots, reservations and a ledger that can only grow."""

import sqlalchemy as sa
from alembic import op

from forecourt.storage.schema import BigInt, Instant, Json

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "credit_accounts",
        sa.Column("organization_id", sa.Text, sa.ForeignKey("organizations.id"), primary_key=True),
        sa.Column("available", BigInt, nullable=False),
        sa.Column("reserved", BigInt, nullable=False),
        sa.Column("last_entry", BigInt, nullable=False),
        sa.Column("low_below", BigInt, nullable=False),
        sa.Column("low_since", Instant),
        sa.Column("webhook_url", sa.Text),
        sa.Column("webhook_secret_env", sa.Text),
        sa.CheckConstraint("available >= 0", name="ck_credit_accounts_available"),
        sa.CheckConstraint("reserved >= 0", name="ck_credit_accounts_reserved"),
        sqlite_strict=True,
    )
    op.create_table(
        "credit_lots",
        sa.Column(
            "organization_id", sa.Text, sa.ForeignKey("credit_accounts.organization_id"), primary_key=True
        ),
        sa.Column("number", BigInt, primary_key=True),
        sa.Column("amount", BigInt, nullable=False),
        sa.Column("remaining", BigInt, nullable=False),
        sa.Column("expires_at", Instant),
        sa.CheckConstraint("remaining BETWEEN 0 AND amount", name="ck_credit_lots_remaining"),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_credit_lots_left",
        "credit_lots",
        ["organization_id", "expires_at"],
        sqlite_where=sa.text("remaining > 0"),
        postgresql_where=sa.text("remaining > 0"),
    )
    _create_reservations()
    _create_entries()
    if op.get_bind().dialect.name == "postgresql":
        _protect_on_postgresql()
        op.execute(RESERVE)
    else:
        _protect_on_sqlite()


def _create_reservations() -> None:
    op.create_table(
        "credit_reservations",
        sa.Column("valuation_id", sa.Text, primary_key=True),
        sa.Column(
            "organization_id", sa.Text, sa.ForeignKey("credit_accounts.organization_id"), nullable=False
        ),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("amount", BigInt, nullable=False),
        sa.Column("month", sa.Text, nullable=False),
        sa.Column("parts", Json, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sa.CheckConstraint("amount > 0", name="ck_credit_reservations_amount"),
        sa.CheckConstraint(
            "state IN ('open', 'captured', 'released', 'refunded')", name="ck_credit_reservations_state"
        ),
        sqlite_strict=True,
    )
    op.create_index(
        "ix_credit_reservations_open",
        "credit_reservations",
        ["expires_at"],
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "credit_key_months",
        sa.Column("key_id", sa.Text, primary_key=True),
        sa.Column("month", sa.Text, primary_key=True),
        sa.Column("spent", BigInt, nullable=False),
        sa.CheckConstraint("spent >= 0", name="ck_credit_key_months_spent"),
        sqlite_strict=True,
    )


def _create_entries() -> None:
    op.create_table(
        "credit_entries",
        sa.Column(
            "organization_id", sa.Text, sa.ForeignKey("credit_accounts.organization_id"), primary_key=True
        ),
        sa.Column("number", BigInt, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("reference", sa.Text, nullable=False),
        sa.Column("amount", BigInt, nullable=False),
        sa.Column("available_change", BigInt, nullable=False),
        sa.Column("reserved_change", BigInt, nullable=False),
        sa.Column("available_after", BigInt, nullable=False),
        sa.Column("reserved_after", BigInt, nullable=False),
        sa.Column("valuation_id", sa.Text),
        sa.Column("key_id", sa.Text),
        sa.Column("request_id", sa.Text),
        sa.Column("created_at", Instant, nullable=False),
        sa.UniqueConstraint("organization_id", "kind", "reference", name="uq_credit_entries_reference"),
        sqlite_strict=True,
    )


def _protect_on_sqlite() -> None:
    for deed in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER credit_entries_no_{deed.lower()} BEFORE {deed} ON credit_entries "
            "BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END"
        )


def _protect_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION credit_entries_only_grow() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger only grows'; END $$"
    )
    op.execute(
        "CREATE TRIGGER credit_entries_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_entries "
        "FOR EACH STATEMENT EXECUTE FUNCTION credit_entries_only_grow()"
    )


# What `credits.store.reserve` does in several statements on SQLite, in one round trip. The account's row is
# locked first, so whoever changes an organisation's credits waits here. `outcome` is `reserved`, `too_few` or
# `capped`; after the last two the caller undoes the transaction. `remaining` is then what could be spent.
RESERVE = """
CREATE FUNCTION credit_reserve(
  of_organization text, for_valuation text, by_key text, in_request text,
  wanted bigint, cap bigint, this_month text, at_moment timestamptz, until_moment timestamptz,
  OUT outcome text, OUT remaining bigint
) LANGUAGE plpgsql AS $$
DECLARE
  account credit_accounts%ROWTYPE;
  lot credit_lots%ROWTYPE;
  missing bigint := wanted;
  part bigint;
  parts jsonb := '[]';
  spent_now bigint;
BEGIN
  SELECT * INTO account FROM credit_accounts WHERE organization_id = of_organization FOR UPDATE;
  outcome := 'too_few';
  remaining := coalesce(account.available, 0);
  FOR lot IN
    SELECT * FROM credit_lots WHERE organization_id = of_organization AND credit_lots.remaining > 0
    ORDER BY expires_at NULLS LAST, number
  LOOP
    IF lot.expires_at <= at_moment THEN
      account.available := account.available - lot.remaining;
      account.last_entry := account.last_entry + 1;
      UPDATE credit_lots SET remaining = 0 WHERE organization_id = of_organization AND number = lot.number;
      INSERT INTO credit_entries
        (organization_id, number, kind, reference, amount, available_change, reserved_change,
         available_after, reserved_after, created_at)
      VALUES (of_organization, account.last_entry, 'expire', lot.number || '/' || account.last_entry,
              lot.remaining, -lot.remaining, 0, account.available, account.reserved, at_moment);
      CONTINUE;
    END IF;
    part := least(missing, lot.remaining);
    UPDATE credit_lots SET remaining = credit_lots.remaining - part
    WHERE organization_id = of_organization AND number = lot.number;
    parts := parts || jsonb_build_array(jsonb_build_array(lot.number, part));
    missing := missing - part;
    EXIT WHEN missing = 0;
  END LOOP;
  remaining := coalesce(account.available, 0);
  IF missing > 0 THEN
    RETURN;
  END IF;
  INSERT INTO credit_key_months AS counted (key_id, month, spent) VALUES (by_key, this_month, wanted)
  ON CONFLICT (key_id, month) DO UPDATE SET spent = counted.spent + excluded.spent
  RETURNING spent INTO spent_now;
  IF spent_now > cap THEN
    outcome := 'capped';
    remaining := greatest(cap - spent_now + wanted, 0);
    RETURN;
  END IF;
  outcome := 'reserved';
  remaining := account.available - wanted;
  INSERT INTO credit_reservations
    (valuation_id, organization_id, key_id, amount, month, parts, state, expires_at)
  VALUES (for_valuation, of_organization, by_key, wanted, this_month, parts::text, 'open', until_moment);
  INSERT INTO credit_entries
    (organization_id, number, kind, reference, amount, available_change, reserved_change,
     available_after, reserved_after, valuation_id, key_id, request_id, created_at)
  VALUES (of_organization, account.last_entry + 1, 'reserve', for_valuation, wanted, -wanted, wanted,
          remaining, account.reserved + wanted, for_valuation, by_key, in_request, at_moment);
  UPDATE credit_accounts
  SET available = credit_reserve.remaining, reserved = reserved + wanted, last_entry = account.last_entry + 1
  WHERE organization_id = of_organization;
END $$
"""
