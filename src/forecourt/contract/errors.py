"""What can be wrong with a call of the vehicle-data service: one leaf for each code of `contract.problems`.

Those about the caller are in `accounts.errors`; those of refusals and failures are no errors but answers.
`details` holds the extra members of the Problem, `retry_after` in seconds where a code waits.
"""

from forecourt.base.errors import Broken, Conflict, InvalidInput, NotFound, Refused, TooMany, Unreachable


class InvalidRequest(InvalidInput):
    """The JSON is malformed, a member is unknown or of the wrong type; `details["errors"]` says which."""

    code = "invalid_request"


class ValidationFailed(InvalidInput):
    """A value is missing or not allowed; `details["errors"]` says which."""

    code = "validation_failed"


class PayloadTooLarge(InvalidInput):
    """The body has more bytes than are read."""

    code = "payload_too_large"


class UnsupportedMediaType(InvalidInput):
    """The body is not declared as JSON, or it is compressed."""

    code = "unsupported_media_type"


class NotAcceptable(InvalidInput):
    """The caller accepts nothing that can be sent."""

    code = "not_acceptable"


class MethodNotAllowed(InvalidInput):
    """The path has other methods."""

    code = "method_not_allowed"


class PathUnknown(NotFound):
    """There is nothing at this path."""

    code = "not_found"


class IdempotencyKeyMissing(InvalidInput):
    """A valuation needs a key."""

    code = "idempotency_key_missing"


class IdempotencyKeyInvalid(InvalidInput):
    """The key has characters or a length that no key has."""

    code = "idempotency_key_invalid"


class IdempotencyKeyReused(Conflict):
    """The key came with other arguments before."""

    code = "idempotency_key_reused"


class IdempotencyInProgress(Conflict):
    """The first call with this key is still running."""

    code = "idempotency_in_progress"
    retryable = True


class InsufficientCredits(Refused):
    """The organisation has too few credits, or the key has spent its monthly cap."""

    code = "insufficient_credits"


class RateLimited(TooMany):
    """Too many requests in this minute."""

    code = "rate_limited"


class ConcurrencyLimited(TooMany):
    """Too many valuations of the organisation are running."""

    code = "concurrency_limited"


class CountryNotSupported(InvalidInput):
    """The service has no such market."""

    code = "country_not_supported"


class CountryNotEnabled(Refused):
    """The organisation has not been given this country."""

    code = "country_not_enabled"


class PriceBasisNotSupported(InvalidInput):
    """Nothing is known about this basis in the country."""

    code = "price_basis_not_supported"


class PlateCountryNotSupported(InvalidInput):
    """There is no register for plates of the country."""

    code = "plate_country_not_supported"


class InvalidVin(InvalidInput):
    """The text has not the form of a VIN; `details["suggestion"]` is what may be meant, if anything."""

    code = "invalid_vin"


class InvalidHsn(InvalidInput):
    """The text has not the form of an HSN; `details["suggestion"]` is what may be meant, if anything."""

    code = "invalid_hsn"


class InvalidTsn(InvalidInput):
    """The text has not the form of a TSN."""

    code = "invalid_tsn"


class InvalidPlate(InvalidInput):
    """The text has not the form of a plate of the country; `details["suggestion"]` may be what is meant."""

    code = "invalid_plate"


class VinNotFound(NotFound):
    """The VIN's manufacturer is not known."""

    code = "vin_not_found"


class HsnTsnNotFound(NotFound):
    """The key is not known, or stands for many cars; `details` may hold a `suggestion` or a `reason`.

    `collective_key`: it stands for many cars; `no_list`: no list of keys was imported.
    """

    code = "hsn_tsn_not_found"


class PlateNotFound(NotFound):
    """The register does not know the plate."""

    code = "plate_not_found"


class PlateRestricted(Refused):
    """The register withholds the vehicle."""

    code = "plate_restricted"


class CatalogueIdNotFound(NotFound):
    """No entry of the catalogue has this id."""

    code = "catalogue_id_not_found"


class CatalogueIdReplaced(NotFound):
    """The entry was merged into the one of `details["replaced_by"]`."""

    code = "catalogue_id_replaced"


class CatalogueConflict(InvalidInput):
    """The ids are not in one line of descent."""

    code = "catalogue_conflict"


class ValuationNotFound(NotFound):
    """There is no such valuation, or not for this caller."""

    code = "valuation_not_found"


class EngineBusy(TooMany):
    """The engine's queue is full; nothing was created or charged."""

    code = "engine_busy"


class UpstreamUnavailable(Unreachable):
    """A register is down or throttles us."""

    code = "upstream_unavailable"


class ServiceUnavailable(Unreachable):
    """This part of the service cannot answer at the moment."""

    code = "service_unavailable"


class InternalError(Broken):
    """Our own fault."""

    code = "internal_error"
