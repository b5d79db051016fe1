"""Alembic's entry point: migrations run on the connection of the calling job."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection)
context.run_migrations()
