"""`decode_hsn_tsn` for a server: arguments in, the answer of the contract out."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from forecourt.catalogue.catalogue import Catalogue
from forecourt.identify.hsn_tsn import read_type_key
from forecourt.identify.hsn_tsn_decoding import decode_hsn_tsn
from forecourt.storage.database import Database


class TypeKeyLookup:
    """Decodes type keys from a database's list; `catalogue` hands out the current catalogue."""

    def __init__(self, database: Database, *, catalogue: Callable[[], Awaitable[Catalogue]]) -> None:
        self._database = database
        self._catalogue = catalogue

    async def decode_hsn_tsn(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Answer `decode_hsn_tsn` for `code`, or `hsn` and `tsn`.

        Raises `InvalidHsn`, `InvalidTsn` and `HsnTsnNotFound`.
        """
        key = read_type_key(arguments)
        catalogue = await self._catalogue()
        return await self._database.read(lambda connection: decode_hsn_tsn(connection, catalogue, key))
