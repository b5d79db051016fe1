"""Schema migrations: hand-written Alembic revisions, run inside one job."""

from importlib import resources

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def upgrade_schema(connection: Connection) -> None:
    """Bring the schema behind `connection` to the newest revision, all or nothing."""
    config = Config()
    config.set_main_option("script_location", str(resources.files(__package__)))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
