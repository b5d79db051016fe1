"""Schema migrations: hand-written Alembic revisions, run inside one job."""

from importlib import resources

import sqlalchemy as sa
from sqlalchemy import Connection

_VERSION = sa.table("alembic_version", sa.column("version_num"))


def upgrade_schema(connection: Connection) -> None:
    """Bring the schema behind `connection` to the newest revision, all or nothing.

    Alembic is imported only when there is something to do: it costs more than most commands do.
    """
    if _revision(connection) == newest_revision():
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(resources.files(__package__)))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def newest_revision() -> str:
    """Return the last revision: files are named by it, `0003_leads.py`."""
    files = resources.files(__package__).joinpath("versions").iterdir()
    return max(file.name.partition("_")[0] for file in files if file.name[:1].isdigit())


def _revision(connection: Connection) -> str | None:
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    revision: str | None = connection.scalar(sa.select(_VERSION.c.version_num))
    return revision
