"""What a transaction is here: a function of a connection."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

T = TypeVar("T")
Job = Callable[[Connection], T]
