"""Make, model, trim and model year of a row, with the title and the VIN where the row does not say them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from forecourt.base.vin_form import YEAR_CODES, check_digit_fits, years_of_code
from forecourt.dealer.chunk import Coded, Flags
from forecourt.dealer.feed.identity import Identities
from forecourt.dealer.feed.parsing import Read, ReadColumn, Reader, first_of_several
from forecourt.dealer.feed.rows import Rows
from forecourt.identify.vin_makers import is_north_american, maker_of, makes_of
from forecourt.identify.vin_years import model_year
from forecourt.tables.batches import Column
from forecourt.tables.dates import read_year
from forecourt.tables.names import ModelName, make_at_start, make_name, model_continued, model_name
from forecourt.tables.texts import clean_line
from forecourt.tables.word_lists import listed
from forecourt.tables.words import fold, is_blank

_TWO_WORD_MODELS: Final = listed(
    """grand range land model santa crown town silverado sierra f express transit sprinter"""
)


@dataclass(frozen=True, slots=True)
class Naming:
    """Readers that remember between batches."""

    makes: Reader
    models: Reader
    trims: Reader
    years: Reader
    titles: Reader

    @classmethod
    def until(cls, newest_year: int) -> "Naming":
        """Return readers that take model years up to `newest_year`."""
        return cls(
            Reader(_read_make),
            Reader(_read_model),
            Reader(_read_line),
            Reader(lambda text: _read_year(text, newest_year)),
            Reader(lambda text: Read(make_at_start(clean_line(first_of_several(text))))),
        )


def read_names(rows: Rows, identities: Identities, naming: Naming) -> dict[str, Coded]:
    """Return the columns make, model, trim, year and driveline (as far as it stood in the model)."""
    title = rows.text("title")
    titles = title[1] if title is not None else None
    makes = _makes(rows, identities, naming, titles)
    models, drivelines = _models(rows, naming, titles, makes)
    columns = {"make": makes, "model": models, "year": _years(rows, identities, naming)}
    trim = rows.text("trim")
    if trim is not None:
        read = naming.trims.column(trim[1])
        columns["trim"] = read.coded()
    if any(drivelines.values):
        columns["driveline"] = drivelines
    return {name: column for name, column in columns.items() if not column.is_empty} | _raw_names(
        rows, makes, models
    )


def _raw_names(rows: Rows, makes: Coded, models: Coded) -> dict[str, Coded]:
    raw: dict[str, Coded] = {}
    for name, kept in (("make", makes), ("model", models)):
        found = rows.text(name)
        if found is not None:
            words = _words_that_differ(found[1], kept)
            if words is not None:
                raw[f"raw.{name}"] = words
    return raw


def _words_that_differ(column: Column, kept: Coded) -> Coded | None:
    """Return the feed's words where they differ from what is kept."""
    pairs = dict.fromkeys(zip(column, kept.codes.tolist(), strict=True))
    words = [text if text != kept.values[code] and not is_blank(text) else None for text, code in pairs]
    if all(word is None for word in words):
        return None
    number = {pair: place for place, pair in enumerate(pairs)}
    codes = [number[pair] for pair in zip(column, kept.codes.tolist(), strict=True)]
    return Coded(words, np.array(codes, dtype=np.int32))


def _read_make(text: str) -> Read:
    return Read(None if is_blank(text) else make_name(first_of_several(text)))


def _read_model(text: str) -> Read:
    return Read(None if is_blank(text) else model_name(first_of_several(text)))


def _read_line(text: str) -> Read:
    return Read(None if is_blank(text) else clean_line(first_of_several(text), longest=200) or None)


def _read_year(text: str, newest: int) -> Read:
    if is_blank(text) or text == "0":
        return Read(None)
    year = read_year(first_of_several(text), newest=newest)
    return Read(year, "year_unreadable" if year is None else None)


def _makes(rows: Rows, identities: Identities, naming: Naming, titles: Column | None) -> Coded:
    found = rows.text("make")
    read = _nothing(len(rows.batch)) if found is None else naming.makes.column(found[1])
    missing = np.flatnonzero(~read.present & rows.taken).tolist()
    if not missing:
        return read.coded()
    values = read.coded().expanded()
    texts = [""] * len(values)
    for row in missing:
        values[row], rule = _make_elsewhere(
            naming, titles[row] if titles is not None else "", identities.vins[row]
        )
        rows.note([row], "make", texts, rule=rule)
    return _recoded(values)


def _make_elsewhere(naming: Naming, title: str, vin: str | None) -> tuple[str | None, str]:
    found = naming.titles.read(title).value if title else None
    if found is not None:
        return found[0], "make_from_title"
    makes = makes_of(vin) if vin is not None else ()
    return (make_name(makes[0]), "make_from_vin") if len(makes) == 1 else (None, "make_missing")


def _models(rows: Rows, naming: Naming, titles: Column | None, makes: Coded) -> tuple[Coded, Coded]:
    found = rows.text("model")
    read = _nothing(len(rows.batch)) if found is None else naming.models.column(found[1])
    drivelines = Coded([value.driveline if value else None for value in read.values], read.codes)
    names = Coded([value.name if value else None for value in read.values], read.codes)
    suspects = _rows_to_mend(rows, read, makes)
    if not suspects:
        return names, drivelines
    values, texts = (
        names.expanded(),
        ["" if found is None else text for text in (found[1] if found else [""] * len(names))],
    )
    make_names = makes.expanded()
    for row in suspects:
        title = clean_line(first_of_several(titles[row])) if titles is not None else ""
        values[row], rule = _mended_model(values[row], title, make_names[row])
        if rule is not None:
            rows.note([row], "model", texts, rule=rule)
    return _recoded(values), drivelines


def _rows_to_mend(rows: Rows, read: ReadColumn, makes: Coded) -> list[int]:
    """Return the rows whose model is missing, one cut-off word, or begins with the make."""
    folded_makes = {fold(make) for make in makes.values if make}

    def suspicious(value: ModelName | None) -> bool:
        if value is None:
            return True
        name = fold(value.name)
        return len(name) <= 3 or name in _CUT_WORDS or name.split(" ", 1)[0] in folded_makes

    return np.flatnonzero(read.flags(suspicious) & rows.taken).tolist()


_CUT_WORDS: Final = listed("""grand range santa model monte crown town land wrangler""")


def _mended_model(name: str | None, title: str, make: str | None) -> tuple[str | None, str | None]:
    if name is not None:
        without_make = model_name(name, make).name if make else name
        continued = model_continued(without_make, title) if title else None
        return (continued, "model_from_title") if continued else (without_make, None)
    found = make_at_start(title) if title else None
    words = found[1].split() if found is not None else []
    if not words:
        return None, "model_missing"
    length = (
        2
        if words[0].lower().split("-")[0] in _TWO_WORD_MODELS and len(words) > 1 and "-" not in words[0]
        else 1
    )
    return model_name(" ".join(words[:length])).name, "model_from_title"


def _years(rows: Rows, identities: Identities, naming: Naming) -> Coded:
    found = rows.text("year")
    read = _nothing(len(rows.batch)) if found is None else naming.years.column(found[1])
    if found is not None:
        rows.note_rules(found[0], read, found[1])
    if not (~read.present & rows.taken).any():
        return read.coded()
    values = read.coded().expanded()
    registration = rows.text("first_registration")
    for row in np.flatnonzero(~read.present & rows.taken).tolist():
        registered = naming.years.read(registration[1][row]).value if registration is not None else None
        values[row] = registered or _year_of_vin(rows, row, identities.vins[row])
    return _recoded(values)


def _year_of_vin(rows: Rows, row: int, vin: str | None) -> int | None:
    """Return the model year of a North American VIN with a right check digit: there the rule is law."""
    if vin is None or not is_north_american(vin) or not check_digit_fits(vin):
        return None
    maker = maker_of(vin)
    heavy = maker is not None and maker.kind == "heavy"
    year = model_year(vin, makes_of(vin), this_year=rows.setting.now.year, heavy=heavy)
    if year.value is None or year.alternatives:
        return None
    rows.note([row], "year", [""] * len(rows.batch), rule="year_from_vin")
    return year.value


def _nothing(size: int) -> ReadColumn:
    return ReadColumn([""], [None], [None], np.zeros(size, dtype=np.int32))


def _recoded(values: Sequence[Any]) -> Coded:
    distinct = dict.fromkeys(values)
    number = {value: place for place, value in enumerate(distinct)}
    return Coded(
        list(distinct), np.fromiter(map(number.__getitem__, values), dtype=np.int32, count=len(values))
    )


def check_against_vin(rows: Rows, identities: Identities, columns: dict[str, Coded]) -> None:
    """Note the rows whose make or model year is not the one that the VIN speaks of. No value is changed."""
    if not any(identities.vins):
        return
    with_vin = np.array([vin is not None for vin in identities.vins], dtype=np.bool_)
    if "make" in columns:
        _check_makes(rows, identities, columns["make"], with_vin)
    if "year" in columns:
        _check_years(rows, identities, columns["year"], with_vin)


def _check_makes(rows: Rows, identities: Identities, makes: Coded, with_vin: Flags) -> None:
    prefixes = [vin[:3] if vin else "" for vin in identities.vins]
    pairs = zip(prefixes, makes.codes.tolist(), strict=True)
    wrong = {pair for pair in dict.fromkeys(pairs) if _is_other_maker(pair[0], makes.values[pair[1]])}
    if wrong:
        found = [
            row
            for row, pair in enumerate(zip(prefixes, makes.codes.tolist(), strict=True))
            if pair in wrong and with_vin[row]
        ]
        rows.note(found, "vin", [vin or "" for vin in identities.vins], rule="vin_make_differs")


def _is_other_maker(prefix: str, make: str | None) -> bool:
    makes = makes_of(prefix)
    return bool(makes) and make is not None and fold(make) not in {fold(name) for name in makes}


_YEAR_OF_CODE: Final = np.full(128, -1)
for _code in YEAR_CODES:
    _YEAR_OF_CODE[ord(_code)] = years_of_code(_code)[0]


def _check_years(rows: Rows, identities: Identities, years: Coded, with_vin: Flags) -> None:
    """Compare position 10 of North American, Korean, Chinese and Japanese VINs; it repeats every 30 years."""
    letters = (
        np.array([vin or "0" * 17 for vin in identities.vins], dtype="U17").view(np.uint32).reshape(-1, 17)
    )
    stated = np.array([value or 0 for value in years.values])[years.codes]
    coded_years = _YEAR_OF_CODE[letters[:, 9]]
    region = np.isin(letters[:, 0], [ord(letter) for letter in "12345LK"])
    apart = (stated - coded_years) % 30
    wrong = with_vin & region & (coded_years > 0) & (stated >= 1980) & ~np.isin(apart, (0, 1, 29))
    rows.note(
        np.flatnonzero(wrong).tolist(),
        "year",
        [str(year) for year in stated.tolist()] if wrong.any() else [],
        rule="vin_year_differs",
    )
