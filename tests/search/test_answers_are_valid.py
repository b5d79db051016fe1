"""Whatever the index answers is valid AAP v1.3, by our schemas and by the official ones."""

from pathlib import Path

from tests.aap.official import OfficialSchemas
from tests.search import stocks

from forecourt.aap.validation import failures
from forecourt.dealer.search import SearchIndex

STOCK = stocks.generated_stock(300, seed=5)
INDEX = SearchIndex.build((vehicle, ("EUR",)) for vehicle in STOCK)


def responses() -> list[tuple[str, dict[str, object]]]:
    """Return answers of all three skills with the names of their schemas."""
    answers: list[tuple[str, dict[str, object]]] = []
    for filters in stocks.generated_filters(60, seed=9):
        for name, answer in (
            ("search", INDEX.search({"filters": filters})),
            ("facets", INDEX.facets(filters)),
        ):
            body = {"type": f"inventory.{name}.response", "data": answer.data()}
            answers.append((f"inventory-{name}-response", body | _note(answer.message)))
    for vehicle in STOCK:
        if (shown := INDEX.find({"vehicle_id": vehicle["vehicle_id"]})) is not None:
            body = {"type": "inventory.vehicle.response", "data": shown.data()}
            answers.append(("vehicle-detail-response", body | _note(shown.message)))
    return answers


def _note(message: str | None) -> dict[str, object]:
    return {"message": message} if message else {}


def test_every_answer_fits_our_schemas() -> None:
    assert [failures(name, body) for name, body in responses() if failures(name, body)] == []


def test_every_answer_fits_the_official_schemas(shared: Path) -> None:
    official = OfficialSchemas(shared / "aap-v1.3")

    assert [name for name, body in responses() if not official.is_valid(name, body)] == []
