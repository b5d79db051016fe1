"""From the settings to what answers calls of the vehicle-data service, for the server and for stdio alike."""

from forecourt.accounts.secret import secret_of
from forecourt.catalogue.current import CurrentCatalogue
from forecourt.fetch.client import Fetch
from forecourt.guard.call_limits import Quotas
from forecourt.identify.registers.connected import Access, connect_registers
from forecourt.operations.assembly import Deployment, assemble
from forecourt.operations.services import Services
from forecourt.operations.with_catalogue import with_catalogue
from forecourt.operations.with_decoders import with_decoders
from forecourt.settings import Settings
from forecourt.storage.database import Database


def vehicle_data(settings: Settings, database: Database, fetch: Fetch) -> Services:
    """Return the services of this deployment on its database; registers are asked through `fetch`.

    Raises `SecretMissing` and `RegisterFileUnusable`.
    """
    deployment = Deployment(
        secret=secret_of(settings),
        key_prefix=settings.key_prefix,
        public_url=settings.public_url,
        service_name=settings.service_name,
        plate_lookup_cost=settings.plate_lookup_cost,
    )
    catalogue = CurrentCatalogue(database)
    identity = with_decoders(
        with_catalogue(catalogue),
        database,
        catalogue=catalogue,
        registers=connect_registers(fetch, Access.of(settings)),
    )
    return assemble(database, deployment, identity=identity, quotas=_quotas(settings))


def _quotas(settings: Settings) -> Quotas:
    return Quotas(
        requests_per_minute=settings.requests_per_minute,
        catalogue_per_minute=settings.catalogue_per_minute,
        valuations_per_minute=settings.valuations_per_minute,
        concurrent_valuations=settings.concurrent_valuations,
    )
