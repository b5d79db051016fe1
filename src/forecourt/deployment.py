"""From the settings to what answers calls of the vehicle-data service, for the server and for stdio alike."""

from forecourt.accounts.secret import server_secret
from forecourt.operations.assembly import Deployment, assemble
from forecourt.operations.services import Services
from forecourt.settings import Settings
from forecourt.storage.database import Database


def vehicle_data(settings: Settings, database: Database) -> Services:
    """Return the services of this deployment on its database; raises `SecretMissing`."""
    secret = server_secret(
        given=settings.secret_key,
        data_dir=settings.data_dir,
        database_is_shared=database.dialect != "sqlite",
    )
    deployment = Deployment(
        secret=secret,
        key_prefix=settings.key_prefix,
        public_url=settings.public_url,
        service_name=settings.service_name,
    )
    return assemble(database, deployment)
