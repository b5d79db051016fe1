"""What can go wrong with a database, as outcomes that a caller can act upon.

Broken
├── DatabaseUnavailable   it cannot be reached or opened; later it may
├── DatabaseConflict      two transactions met; PostgreSQL asks to run one of them again
└── DatabaseClosed        this process is shutting down
InvalidInput
└── UnsupportedDatabase   the URL names a database that is not supported
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError

from forecourt.base.errors import Broken, InvalidInput


class DatabaseUnavailable(Broken):
    """The database cannot be reached or opened."""

    code = "database_unavailable"


class DatabaseConflict(Broken):
    """Concurrent transactions could not all be served; the same job can succeed later."""

    code = "database_conflict"


class DatabaseClosed(Broken):
    """The database was closed: the process is shutting down."""

    code = "database_closed"


class UnsupportedDatabase(InvalidInput):
    """The database URL names something other than SQLite or PostgreSQL."""

    code = "unsupported_database"


_CONFLICTS = {"40001", "40P01"}  # serialization failure, deadlock


@contextmanager
def database_errors() -> Iterator[None]:
    """Turn a conflict into `DatabaseConflict` and a lost, locked or full database into `DatabaseUnavailable`.

    Other database errors are bugs and pass unchanged.
    """
    try:
        yield
    except (InterfaceError, OperationalError) as error:
        if getattr(error.orig, "sqlstate", None) in _CONFLICTS:
            raise DatabaseConflict("Too many transactions met each other.") from error
        raise DatabaseUnavailable("The database cannot be used at the moment.") from error
    except DatabaseError as error:
        if type(error) is not DatabaseError:
            raise
        raise DatabaseUnavailable("The database file is damaged, or is no database.") from error
