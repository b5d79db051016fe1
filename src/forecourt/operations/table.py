"""The one table of operations: REST, OpenAPI, MCP and the documentation are made from it."""

from collections.abc import Mapping
from typing import Final

from forecourt.accounts.access import Scope
from forecourt.contract.errors import CatalogueIdNotFound, ValuationNotFound
from forecourt.operations import account, valuations, vehicles
from forecourt.operations.operation import Annotations, Operation, RestRoute

ALWAYS: Final = (
    "invalid_request",
    "validation_failed",
    "not_acceptable",
    "method_not_allowed",
    "not_found",
    "internal_error",
    "service_unavailable",
)
"""Codes that every operation can answer."""

WITH_CREDENTIALS: Final = (
    "missing_credentials",
    "invalid_api_key",
    "invalid_token",
    "wrong_audience",
    "membership_revoked",
    "organization_suspended",
    "insufficient_scope",
    "ip_not_allowed",
    "rate_limited",
)
"""Codes that every operation with a scope can answer."""

WITH_BODY: Final = ("payload_too_large", "unsupported_media_type")
"""Codes that every route with a body can answer."""

_FREE = "Free."
_REGISTER = ("plate_country_not_supported", "invalid_plate", "plate_not_found", "plate_restricted")
_CATALOGUE = ("catalogue_id_not_found", "catalogue_id_replaced")
_PAGE = {"limit": "limit", "cursor": "cursor"}

_TOOLS = (
    Operation(
        name="valuate_car",
        title="Value a car",
        description=(
            "Returns what a car is worth: price, currency, price basis, an 80 % prediction interval and a "
            "grade from A (sure) to D. Identify the car by catalogue ids, VIN, HSN/TSN, plate, or make and "
            "model, and give its first registration and mileage; never invent either. Cost: 1 credit for a "
            "completed live valuation, nothing when it is refused, failed, replayed or simulated. With a "
            "live key ask the user before each valuation or batch. refused means that this car cannot be "
            "priced honestly: report the reason and the hints, do not make up a number. Use one "
            "idempotency_key per car; after a timeout or retry_after send the SAME key and the SAME "
            "arguments again. Always show attribution_text."
        ),
        scope=Scope.VALUATIONS_WRITE,
        input="valuate-car-input",
        output="valuation",
        cost="1 credit for a completed live valuation; refused, failed, replayed and test ones are free.",
        handler=valuations.valuate_car,
        is_tool=True,
        rate="valuation",
        annotations=Annotations(read_only=False, open_world=True),
        problems=(
            "idempotency_key_missing",
            "idempotency_key_invalid",
            "idempotency_key_reused",
            "idempotency_in_progress",
            "country_not_supported",
            "country_not_enabled",
            "price_basis_not_supported",
            "insufficient_credits",
            "concurrency_limited",
            "engine_busy",
            "upstream_unavailable",
            "invalid_vin",
            "invalid_hsn",
            "invalid_tsn",
            *_REGISTER,
            *_CATALOGUE,
            "catalogue_conflict",
        ),
        routes=(
            RestRoute(
                id="createValuation",
                method="POST",
                path="/v1/valuations",
                summary="Value a car",
                has_body=True,
                idempotency_header=True,
                statuses=(201, 422, 500),
            ),
        ),
    ),
    Operation(
        name="normalize_vehicle",
        title="Read a car from text",
        description=(
            "Turns free text or loose attributes into make, model, generation, drivetrain and facts with "
            "their confidence. match.status says matched, ambiguous (choose one of candidates) or "
            "unmatched. Free."
        ),
        scope=Scope.VEHICLES_READ,
        input="normalize-vehicle-input",
        output="normalized-vehicle",
        cost=_FREE,
        handler=vehicles.normalize_vehicle,
        is_tool=True,
        problems=(*_CATALOGUE, "catalogue_conflict"),
        routes=(
            RestRoute(
                id="normalizeVehicle",
                method="POST",
                path="/v1/vehicles/normalize",
                summary="Read a car from text",
                has_body=True,
            ),
        ),
    ),
    Operation(
        name="decode_vin",
        title="Decode a VIN",
        description=(
            "Tells manufacturer, model year and what else a vehicle identification number says, with the "
            "checks that were made. European VINs need no check digit. Free."
        ),
        scope=Scope.VEHICLES_READ,
        input="decode-vin-input",
        output="decoded-vin",
        cost=_FREE,
        handler=vehicles.decode_vin,
        is_tool=True,
        problems=("invalid_vin", "vin_not_found", "upstream_unavailable"),
        routes=(
            RestRoute(
                id="decodeVin",
                method="POST",
                path="/v1/vehicles/decode-vin",
                summary="Decode a VIN",
                has_body=True,
            ),
        ),
    ),
    Operation(
        name="decode_hsn_tsn",
        title="Decode a German type key",
        description=(
            "Lists the cars that an HSN/TSN (fields 2.1 and 2.2 of the German registration certificate) "
            "stands for; one key can mean several drivetrains. Free."
        ),
        scope=Scope.VEHICLES_READ,
        input="decode-hsn-tsn-input",
        output="decoded-hsn-tsn",
        cost=_FREE,
        handler=vehicles.decode_hsn_tsn,
        is_tool=True,
        problems=("invalid_hsn", "invalid_tsn", "hsn_tsn_not_found", "upstream_unavailable"),
        routes=(
            RestRoute(
                id="decodeHsnTsn",
                method="POST",
                path="/v1/vehicles/decode-hsn-tsn",
                summary="Decode a German type key",
                has_body=True,
            ),
        ),
    ),
    Operation(
        name="lookup_plate",
        title="Look up a plate",
        description=(
            "Asks a public register for the car of a registration plate in a country that has one (NL, GB, "
            "NO, DK, SE, FI). Never returns who keeps the car. Free unless get_account says otherwise."
        ),
        scope=Scope.VEHICLES_READ,
        input="lookup-plate-input",
        output="plate-lookup",
        cost="Free unless the operator has set a price; `get_account` says it.",
        handler=vehicles.lookup_plate,
        is_tool=True,
        annotations=Annotations(open_world=True),
        problems=(*_REGISTER, "upstream_unavailable", "country_not_supported", "insufficient_credits"),
        routes=(
            RestRoute(
                id="lookupPlate",
                method="POST",
                path="/v1/vehicles/lookup-plate",
                summary="Look up a plate",
                has_body=True,
            ),
        ),
    ),
    Operation(
        name="search_vehicles",
        title="Search the catalogue",
        description=(
            "Walks the catalogue in three steps: level search with a query finds makes and models; level "
            "generations with a model_id and a year; level drivetrains with a generation_id. Send the ids "
            "that you end with in vehicle.catalogue of valuate_car. Free."
        ),
        scope=Scope.CATALOGUE_READ,
        input="search-vehicles-input",
        output="vehicle-list",
        cost=_FREE,
        handler=vehicles.search_vehicles,
        is_tool=True,
        rate="catalogue",
        problems=(*_CATALOGUE, "upstream_unavailable"),
        routes=(
            RestRoute(
                id="searchCatalogue",
                method="GET",
                path="/v1/catalogue/search",
                summary="Find makes and models",
                query={"q": "query", "country": "country", **_PAGE},
                given={"level": "search"},
            ),
            RestRoute(
                id="listGenerations",
                method="GET",
                path="/v1/catalogue/models/{model_id}/generations",
                summary="List the generations of a model",
                query={"year": "year", "country": "country", **_PAGE},
                given={"level": "generations"},
                not_found=CatalogueIdNotFound,
            ),
            RestRoute(
                id="listDrivetrains",
                method="GET",
                path="/v1/catalogue/generations/{generation_id}/drivetrains",
                summary="List the drivetrains of a generation",
                query={
                    "year": "year",
                    "fuel": "fuel",
                    "transmission": "transmission",
                    "power_hp": "power_hp",
                    "country": "country",
                    **_PAGE,
                },
                given={"level": "drivetrains"},
                input="list-drivetrains-input",
                not_found=CatalogueIdNotFound,
            ),
        ),
    ),
    Operation(
        name="get_valuation",
        title="Read a valuation",
        description=(
            "Returns a valuation that was made before, by its id or by the idempotency_key of a call whose "
            "answer was lost. Free: look here before you value the same car again."
        ),
        scope=Scope.VALUATIONS_READ,
        input="get-valuation-input",
        output="valuation",
        cost=_FREE,
        handler=valuations.get_valuation,
        is_tool=True,
        problems=("valuation_not_found", "idempotency_in_progress", "idempotency_key_invalid"),
        routes=(
            RestRoute(
                id="getValuation",
                method="GET",
                path="/v1/valuations/{valuation_id}",
                summary="Read a valuation",
                not_found=ValuationNotFound,
            ),
        ),
    ),
    Operation(
        name="get_account",
        title="See the account",
        description=(
            "Call this first. Says whether the key is test (simulated, free) or live (uses credits), which "
            "scopes and countries it has, what a valuation costs and how many credits are left. Free."
        ),
        scope=Scope.ACCOUNT_READ,
        input="get-account-input",
        output="account",
        cost=_FREE,
        handler=account.get_account,
        is_tool=True,
        routes=(RestRoute(id="getAccount", method="GET", path="/v1/account", summary="See the account"),),
    ),
)


def _item(kind: str) -> RestRoute:
    return RestRoute(
        id=f"get{kind.capitalize()}",
        method="GET",
        path=f"/v1/catalogue/{kind}s/{{id}}",
        summary=f"Look up a {kind}",
        given={"type": kind},
        not_found=CatalogueIdNotFound,
    )


_REST_ONLY = (
    Operation(
        name="list_valuations",
        title="List valuations",
        description="Lists the organisation's valuations of the key's mode, newest first.",
        scope=Scope.VALUATIONS_READ,
        input="list-valuations-input",
        output="valuation-list",
        cost=_FREE,
        handler=valuations.list_valuations,
        is_tool=False,
        routes=(
            RestRoute(
                id="listValuations",
                method="GET",
                path="/v1/valuations",
                summary="List valuations",
                query={
                    "status": "status",
                    "country": "country",
                    "external_reference": "external_reference",
                    "created_after": "created_after",
                    **_PAGE,
                },
            ),
        ),
    ),
    Operation(
        name="delete_valuation",
        title="Erase the car of a valuation",
        description="Blanks what tells the car of a valuation; the price and the ledger stay.",
        scope=Scope.VALUATIONS_WRITE,
        input="valuation-id-input",
        output=None,
        cost=_FREE,
        handler=valuations.delete_valuation,
        is_tool=False,
        annotations=Annotations(read_only=False, destructive=True),
        problems=("valuation_not_found",),
        routes=(
            RestRoute(
                id="deleteValuation",
                method="DELETE",
                path="/v1/valuations/{valuation_id}",
                summary="Erase the car of a valuation",
                not_found=ValuationNotFound,
                statuses=(204,),
            ),
        ),
    ),
    Operation(
        name="catalogue_item",
        title="Look up an id of the catalogue",
        description="Returns one make, model, generation or drivetrain.",
        scope=Scope.CATALOGUE_READ,
        input="catalogue-item-input",
        output="catalogue-item",
        cost=_FREE,
        handler=vehicles.catalogue_item,
        is_tool=False,
        rate="catalogue",
        problems=_CATALOGUE,
        routes=tuple(_item(kind) for kind in ("make", "model", "generation", "drivetrain")),
    ),
    Operation(
        name="list_ledger",
        title="Read the ledger",
        description="Lists what was granted and spent, newest first.",
        scope=Scope.ACCOUNT_READ,
        input="list-ledger-input",
        output="ledger-list",
        cost=_FREE,
        handler=account.list_ledger,
        is_tool=False,
        routes=(
            RestRoute(
                id="listLedger",
                method="GET",
                path="/v1/account/ledger",
                summary="Read the ledger",
                query=_PAGE,
            ),
        ),
    ),
    Operation(
        name="list_countries",
        title="List markets",
        description="Lists the markets of the service; needs no credentials.",
        scope=None,
        input="no-input",
        output="country-list",
        cost=_FREE,
        handler=account.list_countries,
        is_tool=False,
        routes=(RestRoute(id="listCountries", method="GET", path="/v1/countries", summary="List markets"),),
    ),
    Operation(
        name="accuracy",
        title="See the accuracy",
        description="Says how accurate each model is; needs no credentials.",
        scope=None,
        input="no-input",
        output="accuracy",
        cost=_FREE,
        handler=account.accuracy,
        is_tool=False,
        routes=(RestRoute(id="getAccuracy", method="GET", path="/v1/accuracy", summary="See the accuracy"),),
    ),
)

OPERATIONS: Final = (*_TOOLS, *_REST_ONLY)

TOOLS: Final[Mapping[str, Operation]] = {operation.name: operation for operation in _TOOLS}
"""The operations that are MCP tools, by name."""


def problem_codes(operation: Operation, route: RestRoute | None = None) -> tuple[str, ...]:
    """Return every code that an operation can answer, over REST with what its route adds."""
    groups = [
        ALWAYS,
        WITH_CREDENTIALS if operation.scope else (),
        WITH_BODY if route and route.has_body else (),
        operation.problems,
    ]
    return tuple(dict.fromkeys(code for group in groups for code in group))
