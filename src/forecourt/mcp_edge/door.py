"""Who may come in by a browser."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Door:
    """Guards against DNS rebinding, and against pages that call servers of this machine.

    `hosts` are the only values that the `Host` header may have (None: any, a proxy decides). An `Origin` must
    be that of the host itself or one of `origins` (None: any).
    """

    hosts: frozenset[str] | None = None
    origins: frozenset[str] | None = frozenset()

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Tell whether a request with these headers may come in."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if self.hosts is not None and host not in self.hosts:
            return False
        if origin is None or self.origins is None:
            return True
        return origin in self.origins or origin.partition("://")[2] == host
