"""What the columns of one file are: found by name, corrected by what stands in them, overruled by a mapping
file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from forecourt.tables.amounts import Amount, read_price
from forecourt.tables.batches import Batch, Column
from forecourt.tables.errors import NoVehicleTable
from forecourt.tables.headers import IGNORED, Meaning, compact, header_meaning
from forecourt.tables.mapping import MappingFile
from forecourt.tables.names import is_make
from forecourt.tables.numbers import NumberStyle, style_of_column, style_of_country
from forecourt.tables.vins import looks_like_vin
from forecourt.tables.word_lists import listed
from forecourt.tables.words import fold, is_blank, meaning_of

SAMPLE: Final = 400
_PRICE_ROLES: Final = ("price", "internet_price", "sale_price", "former_price", "list_price", "msrp")
_IDENTITY_ROLES: Final = ("vin", "stock", "vehicle_id", "registration", "vdp_url")
_SET_ROLES: Final = (
    "condition",
    "status",
    "category",
    "vehicle_type",
    "transmission",
    "driveline",
    "body",
    "fuel",
)
_SETS: Final = ("condition", "status", "vehicle_type", "transmission", "driveline", "body", "fuel")
_MILES_COUNTRIES: Final = frozenset({"US", "GB", "UK", "PR", "GU"})
_COUNTRY_CURRENCIES: Final[Mapping[str, str]] = {
    "US": "USD", "CA": "CAD", "GB": "GBP", "UK": "GBP", "AU": "AUD", "NZ": "NZD", "CH": "CHF", "LI": "CHF",
    "SE": "SEK", "NO": "NOK", "DK": "DKK",
    "PL": "PLN", "CZ": "CZK", "HU": "HUF", "RO": "RON", "BG": "EUR", "IS": "ISK", "JP": "JPY", "IN": "INR",
    "ZA": "ZAR", "MX": "MXN", "BR": "BRL",
    "AE": "AED", "TR": "TRY", "PR": "USD", "GU": "USD",
} | dict.fromkeys(
    listed("AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK"), "EUR"
)  # fmt: skip
_COUNTRY_WORDS: Final[Mapping[str, str]] = {
    "usa": "US", "united states": "US", "canada": "CA", "deutschland": "DE", "germany": "DE",
    "sverige": "SE", "sweden": "SE", "italia": "IT", "italy": "IT",
    "france": "FR", "espana": "ES", "spain": "ES", "united kingdom": "GB", "uk": "GB",
    "great britain": "GB", "osterreich": "AT", "austria": "AT",
    "schweiz": "CH", "switzerland": "CH", "nederland": "NL", "netherlands": "NL", "belgie": "BE",
    "belgium": "BE", "norge": "NO", "norway": "NO",
    "danmark": "DK", "denmark": "DK", "polska": "PL", "poland": "PL", "portugal": "PT", "suomi": "FI",
    "finland": "FI", "australia": "AU", "d": "DE",
    "i": "IT", "f": "FR", "a": "AT", "nl": "NL", "b": "BE", "e": "ES", "p": "PT", "s": "SE", "us": "US",
    "ca": "CA",
}  # fmt: skip
_HOST_COUNTRIES: Final[Mapping[str, str]] = {
    ".ca": "CA", ".de": "DE", ".se": "SE", ".it": "IT", ".fr": "FR", ".es": "ES", ".co.uk": "GB",
    ".nl": "NL", ".be": "BE", ".at": "AT", ".ch": "CH",
    ".dk": "DK", ".no": "NO", ".pl": "PL", ".pt": "PT", ".fi": "FI", ".ie": "IE", ".com.au": "AU",
    ".cz": "CZ",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Conventions:
    """How the file writes numbers and dates, and what a bare number is in; `reasons` says how we know."""

    number_style: NumberStyle | None
    currency: str
    mileage_unit: str
    month_first: bool | None
    country: str | None
    reasons: tuple[str, ...]


@dataclass(slots=True)
class Layout:
    """The meaning of every column seen so far; later batches of XML and JSON can bring their own."""

    mapping: MappingFile
    meanings: dict[str, Meaning | None]

    def columns(self, batch: Batch, *roles: str) -> list[tuple[str, Meaning, Column]]:
        """Return the columns of a batch that play one of the roles: by order of roles, then by rank."""
        self._learn(batch)
        found = [
            (roles.index(meaning.role), meaning.rank, name, meaning, column)
            for name, column in zip(batch.names, batch.columns, strict=True)
            if (meaning := self.meanings[name]) is not None and meaning.role in roles
        ]
        found.sort(key=lambda item: item[:2])
        return [(name, meaning, column) for _, _, name, meaning, column in found]

    def roles(self) -> set[str]:
        """Return the roles that some column plays."""
        return {
            meaning.role
            for meaning in self.meanings.values()
            if meaning is not None and meaning.role != IGNORED
        }

    def unknown_names(self) -> list[str]:
        """Return the columns that were not understood."""
        return [name for name, meaning in self.meanings.items() if meaning is None]

    def _learn(self, batch: Batch) -> None:
        for name, column in zip(batch.names, batch.columns, strict=True):
            if name not in self.meanings:
                self.meanings[name] = _corrected(declared_or_guessed(name, self.mapping), column)


def find_layout(batch: Batch, mapping: MappingFile) -> Layout:
    """Find out what the columns of a file's first batch are.

    Raises `NoVehicleTable` when they make no list of vehicles, saying what is missing.
    """
    layout = Layout(mapping, {})
    layout.columns(batch)
    _add_by_values(layout, batch)
    _refuse_other_tables(layout)
    return layout


def declared_or_guessed(name: str, mapping: MappingFile) -> Meaning | None:
    """Return the meaning of a column: the mapping file's word, else what its name says."""
    for role, names in mapping.columns.items():
        if name in names:
            guessed = header_meaning(name)
            unit, currency = (guessed.unit, guessed.currency) if guessed else (None, None)
            return Meaning(role, "mapped", names.index(name), unit, currency)
    if name in mapping.ignore:
        return Meaning(IGNORED, "mapped")
    guessed = header_meaning(name)
    overruled = guessed is not None and guessed.role in mapping.columns
    return Meaning(IGNORED, "mapped") if overruled else guessed


def sample_of(column: Column) -> list[str]:
    """Return the first different values of a column that say something."""
    head = dict.fromkeys(islice(column, SAMPLE * 4))
    return [text for text in islice(head, SAMPLE) if not is_blank(text)]


def _corrected(meaning: Meaning | None, column: Column) -> Meaning | None:
    """Move a column to the closed set of its values: `transmission` can hold the driven wheels."""
    if meaning is None or meaning.role not in _SET_ROLES or meaning.how == "mapped":
        return meaning
    texts = sample_of(column)
    shares = {name: _share(texts, name) for name in _SETS}
    own = shares.get(meaning.role, 0.0)
    best = max(shares, key=lambda name: shares[name])
    if texts and own < 0.3 and shares[best] >= 0.6:
        return replace(meaning, role=best, how="values", rank=meaning.rank + 300)
    return meaning


def _share(texts: Sequence[str], name: str) -> float:
    known = sum(meaning_of(name, text) is not None for text in texts)
    return known / len(texts) if texts else 0.0


def _add_by_values(layout: Layout, batch: Batch) -> None:
    """Recognise VINs and makes in columns whose names say nothing."""
    tests = {"vin": looks_like_vin, "make": is_make}
    for name, column in zip(batch.names, batch.columns, strict=True):
        if layout.meanings[name] is not None:
            continue
        texts = sample_of(column)
        for role, test in tests.items():
            if role not in layout.roles() and texts and sum(map(test, texts)) >= 0.9 * len(texts):
                layout.meanings[name] = Meaning(role, "values", 500)


def _refuse_other_tables(layout: Layout) -> None:
    roles = layout.roles()
    missing = [text for text, present in _NEEDED.items() if not present & roles]
    describes = roles & _DESCRIBING
    complete = {"make", "model"} <= roles and len(describes) >= 4
    if "an identifier (VIN, stock number, id, plate or page address)" in missing and complete:
        missing.remove("an identifier (VIN, stock number, id, plate or page address)")
    if len(describes) < 2:
        missing.append("what is told about a vehicle (year, price, mileage, photos …)")
    if missing:
        names = ", ".join(list(layout.meanings)[:12])
        raise NoVehicleTable(
            f"This is no stock list: there is no column for {'; none for '.join(missing)}. "
            f"Columns found: {names}.",
            details={"missing": missing},
        )


_DESCRIBING: Final = listed(
    """price internet_price sale_price former_price list_price msrp mileage year photos first_registration
    body     fuel exterior_color condition trim transmission"""
)
_NEEDED: Final[Mapping[str, set[str]]] = {
    "an identifier (VIN, stock number, id, plate or page address)": set(_IDENTITY_ROLES),
    "the make and model, or a title": {"make", "model", "title"},
}


def find_conventions(layout: Layout, batch: Batch, *, home_country: str | None) -> Conventions:
    """Find out how the file writes numbers and what its bare amounts and distances are in.

    In order: the mapping file, the file's own marks and columns, `home_country` (that of the dealer),
    addresses
    in the file; without any of them US dollars and miles.
    """
    mapping = layout.mapping
    country, country_reason = _country(layout, batch, home_country)
    currency, currency_reason = _currency(layout, batch, country, country_reason)
    style = mapping.number_style or _number_style(layout, batch, currency) or style_of_country(country)
    unit, unit_reason = _mileage_unit(mapping, country, currency, country_reason, currency_reason)
    month_first = (
        mapping.month_first
        if mapping.month_first is not None
        else country in {"US", "PH"}
        if country
        else None
    )
    reasons = (
        _STYLE_REASONS[style],
        f"bare prices in {currency} ({currency_reason})",
        f"bare mileage in {unit} ({unit_reason})",
    )
    return Conventions(style, currency, unit, month_first, country, reasons)


_STYLE_REASONS: Final[Mapping[NumberStyle | None, str]] = {
    NumberStyle.POINT: "numbers with a decimal point",
    NumberStyle.COMMA: "numbers with a decimal comma",
    None: "numbers in no certain style",
}


def _country(layout: Layout, batch: Batch, home_country: str | None) -> tuple[str | None, str]:
    if layout.mapping.country:
        return layout.mapping.country, "declared"
    words = [fold(text) for _, _, column in layout.columns(batch, "country") for text in sample_of(column)]
    stated = {_COUNTRY_WORDS.get(word, word.upper() if len(word) == 2 else "") for word in words} - {""}
    if len(stated) == 1:
        return stated.pop(), "the file's country"
    hosted = _host_country(layout, batch)
    if hosted is not None and home_country in {None, "US"}:
        return hosted, "web addresses in the file"
    spoken = _header_country(batch.names)
    if spoken is not None and home_country in {None, "US"}:
        return spoken, "the language of the column names"
    return home_country, "the dealer's country" if home_country else "nothing says otherwise"


_HEADER_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "DE": listed("preis marke hersteller modell kraftstoff kraftstoffart getriebe farbe erstzulassung ez"),
    "FR": listed("prix marque modele carburant energie boite boitedevitesse couleur kilometrage annee"),
    "IT": listed("prezzo marca modello alimentazione cambio colore chilometraggio chilometri anno targa"),
    "ES": listed("precio marca modelo combustible cambio color kilometros anio matricula"),
    "PT": listed("preco marca modelo combustivel caixa cor quilometros quilometragem ano matricula"),
    "NL": listed("prijs merk model brandstof transmissie kleur kilometerstand bouwjaar kenteken"),
    "SE": listed("pris marke modell drivmedel bransle vaxellada farg miltal matarstallning arsmodell regnr"),
    "NO": listed("pris merke modell drivstoff girkasse farge kilometerstand arsmodell"),
    "DK": listed("pris maerke model braendstof gearkasse farve kilometertal argang"),
    "FI": listed("hinta merkki malli polttoaine vaihteisto vari mittarilukema vuosimalli"),
    "PL": listed("cena marka model paliwo rodzajpaliwa skrzyniabiegow kolor przebieg rokprodukcji"),
    "CZ": listed("cena znacka model palivo prevodovka barva najeto tachometr rok"),
}
_FEWEST_WORDS: Final = 3


def _header_country(names: Sequence[str]) -> str | None:
    """Return the country of the language that most column names are in, unless two are equally likely."""
    found = {compact(name.rpartition(".")[2]) for name in names}
    shared = {country: len(words & found) for country, words in _HEADER_WORDS.items()}
    best = max(shared.values())
    leaders = [country for country, count in shared.items() if count == best]
    return leaders[0] if best >= _FEWEST_WORDS and len(leaders) == 1 else None


def _host_country(layout: Layout, batch: Batch) -> str | None:
    """Return the one country whose domains occur among page and photo addresses, if only one does."""
    texts = [
        text for _, _, column in layout.columns(batch, "vdp_url", "photos") for text in islice(column, SAMPLE)
    ]
    hosts = {text.split("/", 3)[2].lower() for text in texts if text.count("/") >= 2 and "://" in text[:8]}
    found = {country for host in hosts for end, country in _HOST_COUNTRIES.items() if host.endswith(end)}
    return found.pop() if len(found) == 1 else None


def _currency(layout: Layout, batch: Batch, country: str | None, country_reason: str) -> tuple[str, str]:
    if layout.mapping.currency:
        return layout.mapping.currency, "declared"
    columns = layout.columns(batch, *_PRICE_ROLES)
    for _, meaning, _ in columns:
        if meaning.currency:
            return meaning.currency, "a column's name"
    stated = [
        code
        for _, _, column in layout.columns(batch, "currency")
        for text in sample_of(column)
        if (code := currency_code(text))
    ]
    if len(set(stated)) == 1:
        return stated[0], "the file's currency column"
    marked = {amount.currency for _, _, column in columns for amount in _amounts(column) if amount.currency}
    if len(marked) == 1:
        return marked.pop() or "USD", "marks beside the prices"
    return _COUNTRY_CURRENCIES.get(country or "", "USD"), country_reason


def currency_code(text: str) -> str | None:
    """Return the ISO 4217 code that a currency column means: a code, a mark or a word."""
    amount = read_price(f"100 {text.strip()}", NumberStyle.POINT)
    return amount.currency if isinstance(amount, Amount) else None


def _amounts(column: Column) -> Iterable[Amount]:
    texts = sample_of(column)[:50]
    prices = (read_price(text, style) for text in texts for style in NumberStyle)
    return [price for price in prices if isinstance(price, Amount)]


def _number_style(layout: Layout, batch: Batch, currency: str) -> NumberStyle | None:
    """Return the style that a price or mileage column proves, else the one that goes with the currency."""
    columns = layout.columns(batch, *_PRICE_ROLES, "mileage")
    found = {style for _, _, column in columns if (style := style_of_column(sample_of(column))) is not None}
    if len(found) == 1:
        return found.pop()
    stated = any(amount.currency for _, _, column in columns for amount in _amounts(column))
    return _CURRENCY_STYLES.get(currency) if stated else None


_CURRENCY_STYLES: Final = {
    **dict.fromkeys(("USD", "CAD", "GBP", "AUD", "NZD", "CHF", "MXN", "INR", "JPY"), NumberStyle.POINT),
    **dict.fromkeys(
        ("EUR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BRL", "TRY"), NumberStyle.COMMA
    ),
}


def _mileage_unit(
    mapping: MappingFile, country: str | None, currency: str, country_reason: str, currency_reason: str
) -> tuple[str, str]:
    if mapping.mileage_unit:
        return mapping.mileage_unit, "declared"
    if currency_reason != country_reason and currency not in {"USD", "GBP"}:
        return "km", f"prices in {currency}"
    if country is None:
        return "mi", country_reason
    return ("mi" if country in _MILES_COUNTRIES else "km"), country_reason
