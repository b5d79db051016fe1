"""From the settings to what answers calls of the vehicle-data service, for the server and for stdio alike."""

from forecourt.accounts.secret import secret_of
from forecourt.catalogue.current import CurrentCatalogue
from forecourt.guard.call_limits import Quotas
from forecourt.operations.assembly import Deployment, assemble
from forecourt.operations.services import Services
from forecourt.operations.with_catalogue import with_catalogue
from forecourt.settings import Settings
from forecourt.storage.database import Database


def vehicle_data(settings: Settings, database: Database) -> Services:
    """Return the services of this deployment on its database; raises `SecretMissing`."""
    deployment = Deployment(
        secret=secret_of(settings),
        key_prefix=settings.key_prefix,
        public_url=settings.public_url,
        service_name=settings.service_name,
        plate_lookup_cost=settings.plate_lookup_cost,
    )
    identity = with_catalogue(CurrentCatalogue(database))
    return assemble(database, deployment, identity=identity, quotas=_quotas(settings))


def _quotas(settings: Settings) -> Quotas:
    return Quotas(
        requests_per_minute=settings.requests_per_minute,
        catalogue_per_minute=settings.catalogue_per_minute,
        valuations_per_minute=settings.valuations_per_minute,
        concurrent_valuations=settings.concurrent_valuations,
    )
