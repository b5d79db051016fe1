"""The prices of a row: which of a feed's many amounts is the advertised one, and which only stand beside it.

AAP v1.3: `price` is what every buyer pays, never derived; who knows only a base price publishes `list_price`.
Dealer, export, wholesale, invoice, cost, finance and rebate amounts never get here (`tables.aliases`).
"""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from forecourt.dealer.chunk import Coded, Flags
from forecourt.dealer.feed.parsing import Read, ReadColumn, Reader, first_of_several
from forecourt.dealer.feed.rows import Rows
from forecourt.dealer.listing import Money
from forecourt.tables.amounts import Amount, Unreadable, read_price
from forecourt.tables.batches import Column
from forecourt.tables.dates import read_moment
from forecourt.tables.headers import Meaning
from forecourt.tables.layout import currency_code
from forecourt.tables.words import is_blank, meaning_of, yes_or_no

_ADVERTISED: Final = ("sale_price", "internet_price", "price")
_BESIDE: Final = ("former_price", "list_price", "msrp")
_RETAIL: Final = frozenset({"retail", "retailprice", "retail_price", "retail price", "price_retail"})

Cents = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PriceColumn:
    """One price column by row: hundredths, 0 for none, and which currency by number."""

    name: str
    role: str
    texts: Column
    read: ReadColumn
    cents: Cents
    currency: NDArray[np.int32]


@dataclass(slots=True)
class Prices:
    """Readers per column and the currencies met, which remember between batches."""

    readers: dict[str, Reader]
    currencies: list[str]

    def number(self, currency: str) -> int:
        """Return the number of a currency."""
        if currency not in self.currencies:
            self.currencies.append(currency)
        return self.currencies.index(currency)


def read_prices(rows: Rows, prices: Prices) -> dict[str, Coded]:
    """Return the columns price, list_price and msrp; take rows out whose claimed price cannot be read."""
    columns = _columns(rows, prices)
    advertised = [column for column in columns if column.role in _ADVERTISED]
    if not advertised:
        advertised = [column for column in columns if column.name.lower() in _RETAIL]
    size = len(rows.batch)
    _judge(rows, columns, advertised)
    amounts = {column.name: _valid_cents(rows, column) for column in columns}
    price, currency = _first(size, [(amounts[column.name], column.currency) for column in advertised])
    hidden = _hidden(rows)
    if hidden is not None:
        rows.note(np.flatnonzero(hidden & (price > 0)).tolist(), "price", [""] * size, rule="price_hidden")
        price = np.where(hidden, 0, price)
    msrp = _first(size, _pairs(columns, amounts, "msrp"))
    listed = _list_price(columns, advertised, amounts, price, currency, msrp, hidden)
    found = {"price": (price, currency), "list_price": listed, "msrp": msrp}
    return {name: _money(prices, *amount) for name, amount in found.items() if amount[0].any()}


def _pairs(
    columns: list[PriceColumn], amounts: dict[str, Cents], role: str
) -> list[tuple[Cents, NDArray[np.int32]]]:
    return [(amounts[column.name], column.currency) for column in columns if column.role == role]


def _list_price(
    columns: list[PriceColumn],
    advertised: list[PriceColumn],
    amounts: dict[str, Cents],
    price: Cents,
    currency: NDArray[np.int32],
    msrp: tuple[Cents, NDArray[np.int32]],
    hidden: Flags | None,
) -> tuple[Cents, NDArray[np.int32]]:
    """Return the base price: as stated, else a former price above the advertised one, else, without any, the
    MSRP.

    An amount that only repeats the price tells nothing; one below it would pose as a reduction upwards.
    """
    size = len(price)
    stated, stated_currency = _first(size, _pairs(columns, amounts, "list_price"))
    stated = np.where((stated == price) & (stated_currency == currency), 0, stated)
    former = [column for column in columns if column.role == "former_price" and column not in advertised]
    before = _first(size, [(amounts[column.name], column.currency) for column in (*former, *advertised)])
    above = [
        (np.where(amounts[column.name] > price, amounts[column.name], 0), column.currency)
        for column in (*former, *advertised)
    ]
    higher = _first(size, above)
    no_price = price == 0
    base, base_currency = _first(
        size, [(stated, stated_currency), (np.where(no_price, 0, higher[0]), higher[1])]
    )
    alone = np.where(no_price & (base == 0), 1, 0)
    base, base_currency = _first(
        size,
        [(base, base_currency), (before[0] * alone, before[1]), (msrp[0] * alone, msrp[1])],
    )
    return (base if hidden is None else np.where(hidden, 0, base)), base_currency


def _columns(rows: Rows, prices: Prices) -> list[PriceColumn]:
    currencies = _currency_by_row(rows, prices)
    found = rows.setting.layout.columns(rows.batch, *_ADVERTISED, *_BESIDE)
    return [_column(rows, prices, name, meaning, column, currencies) for name, meaning, column in found]


def _column(
    rows: Rows, prices: Prices, name: str, meaning: Meaning, column: Column, currencies: NDArray[np.int32]
) -> PriceColumn:
    reader = prices.readers.setdefault(name, _reader(rows, meaning))
    read = reader.column(column)
    cents = np.array(
        [value.cents if isinstance(value, Amount) else 0 for value in read.values], dtype=np.int64
    )
    numbers = [
        prices.number(value.currency) if isinstance(value, Amount) and value.currency else -1
        for value in read.values
    ]
    own = np.array(numbers, dtype=np.int32)[read.codes]
    return PriceColumn(
        name, meaning.role, column, read, cents[read.codes], np.where(own >= 0, own, currencies)
    )


def _reader(rows: Rows, meaning: Meaning) -> Reader:
    conventions = rows.setting.conventions
    currency = meaning.currency or (conventions.currency if not rows.columns("currency") else None)

    def parse(text: str) -> Read:
        found = read_price(first_of_several(text), conventions.number_style, currency=currency)
        if isinstance(found, Amount):
            return Read(found)
        if isinstance(found, Unreadable) and meaning_of("status", text) == "sold":
            return Read(found, "sold")
        return Read(found, None if found.rule in {"blank", "zero"} else found.rule)

    return Reader(parse)


def _currency_by_row(rows: Rows, prices: Prices) -> NDArray[np.int32]:
    default = prices.number(rows.setting.conventions.currency)
    found = rows.text("currency")
    if found is None:
        return np.full(len(rows.batch), default, dtype=np.int32)
    read = Reader(lambda text: Read(currency_code(first_of_several(text)))).column(found[1])
    numbers = [prices.number(value) if value else default for value in read.values]
    return np.array(numbers, dtype=np.int32)[read.codes]


def _judge(rows: Rows, columns: list[PriceColumn], advertised: list[PriceColumn]) -> None:
    """Refuse rows by their advertised price; a list price or MSRP that cannot be read is only noted."""
    for column in columns:
        for rule, found in column.read.rows_by_rule():
            unreadable = isinstance(column.read.values[column.read.codes[found[0]]], Unreadable)
            if unreadable and column in advertised:
                rows.refuse(found, column.name, column.texts, rule=rule)
            elif unreadable:
                rows.note(found, column.name, column.texts, rule="other_price_unreadable")
            elif column in advertised:
                rows.note(found, column.name, column.texts, rule=rule)


def _valid_cents(rows: Rows, column: PriceColumn) -> Cents:
    """Return the amounts, without sale prices outside their dates."""
    if column.role != "sale_price":
        return column.cents
    ended = _outside_dates(rows)
    if ended is None:
        return column.cents
    rows.note(
        np.flatnonzero(ended & (column.cents > 0)).tolist(),
        column.name,
        column.texts,
        rule="sale_price_ended",
    )
    return np.where(ended, 0, column.cents)


def _outside_dates(rows: Rows) -> Flags | None:
    until, begins = rows.text("sale_price_until"), rows.text("sale_price_from")
    if until is None and begins is None:
        return None
    today = rows.setting.now.date()
    outside = np.zeros(len(rows.batch), dtype=np.bool_)
    for found, is_outside in ((until, _has_ended), (begins, _has_not_begun)):
        if found is not None:
            outside |= np.array(
                [
                    is_outside(text, today, month_first=rows.setting.conventions.month_first)
                    for text in found[1]
                ],
                dtype=np.bool_,
            )
    return outside


def _has_ended(text: str, today: date, *, month_first: bool | None) -> bool:
    """Tell whether a last day, or an interval `begin/end`, is over."""
    begin, _, end = text.partition("/") if "T" in text or text.count("/") == 1 else (text, "", "")
    last = read_moment(end or begin, month_first=month_first)
    first = read_moment(begin, month_first=month_first) if end else None
    return (last is not None and last.date() < today) or (first is not None and first.date() > today)


def _has_not_begun(text: str, today: date, *, month_first: bool | None) -> bool:
    first = read_moment(text, month_first=month_first)
    return first is not None and first.date() > today


def _hidden(rows: Rows) -> Flags | None:
    found = rows.text("no_price")
    if found is None:
        return None
    hiding = {text for text in dict.fromkeys(found[1]) if not is_blank(text) and yes_or_no(text) is not False}
    return np.array([text in hiding for text in found[1]], dtype=np.bool_)


def _first(size: int, amounts: list[tuple[Cents, NDArray[np.int32]]]) -> tuple[Cents, NDArray[np.int32]]:
    """Return by row the first amount that is not 0, with its currency."""
    cents, currency = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int32)
    for other_cents, other_currency in amounts:
        missing = cents == 0
        cents = np.where(missing, other_cents, cents)
        currency = np.where(missing, other_currency, currency)
    return cents, currency


def _money(prices: Prices, cents: Cents, currency: NDArray[np.int32]) -> Coded:
    keys, codes = np.unique(cents * len(prices.currencies) + currency * (cents > 0), return_inverse=True)
    amounts, numbers = np.divmod(keys, len(prices.currencies))
    values: list[Any] = [
        Money(amount, prices.currencies[number]) if amount else None
        for amount, number in zip(amounts.tolist(), numbers.tolist(), strict=True)
    ]
    return Coded(values, codes.astype(np.int32))
