"""`forecourt db`: the schema of the database."""

import click


@click.group()
def db() -> None:
    """Prepare the database."""


@db.command()
def upgrade() -> None:
    """Bring the schema to the newest version; safe to run again."""
    from forecourt.settings import read_settings
    from forecourt.storage.database import open_database

    database = open_database(read_settings().effective_database_url)
    try:
        database.upgrade()
    finally:
        database.close()
    click.echo("The database is up to date.")
