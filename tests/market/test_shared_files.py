"""Real listing files are taken without a mapping."""

import pytest

from forecourt.market.importing import Terms


@pytest.mark.parametrize(
    ("name", "country", "rows", "kept", "matched"),
    [
        ("listings_dk_2022.csv.gz", "DK", 2_830, 2_780, 0.97),
        ("listings_us_mercedes_2021.csv.gz", "US", 4_193, 4_000, 0.9),
        ("listings_pt_2023_2024.train.csv.gz", "PT", 11_046, 11_000, 0.97),
    ],
)
def test_a_real_file_is_taken_without_a_mapping(market, shared, name, country, rows, kept, matched) -> None:
    imported = market.import_file(shared / "data" / name, country, terms=Terms())
    assert imported.account.rows_in == rows == imported.account.kept + imported.account.dropped.total()
    assert imported.account.kept >= kept
    assert imported.totals.with_model >= matched * imported.totals.adverts


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "country"),
    [
        ("listings_uk_2020.train.csv.gz", "GB"),
        ("listings_de_2021.train.csv.gz", "DE"),
        ("listings_eu_as24_2023_2024.csv.gz", "EU"),
    ],
)
def test_a_large_real_file_is_taken_without_a_mapping(market, shared, name, country) -> None:
    imported = market.import_file(shared / "data" / name, country, terms=Terms())
    assert imported.account.rows_in == imported.account.kept + imported.account.dropped.total()
    assert imported.totals.with_model >= 0.97 * imported.totals.adverts
