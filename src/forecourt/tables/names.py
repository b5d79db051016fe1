"""Names of makes and models: one spelling for a make, models without what belongs elsewhere."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from forecourt.tables.texts import clean_line
from forecourt.tables.word_lists import listed
from forecourt.tables.words import fold, meaning_of

_MAKES: Final = """Abarth|AC|Acura|Aiways|Aixam|Alfa Romeo:alfa,alfaromeo|Alpina|Alpine|Aprilia|Ariel
        |Aston Martin:aston,astonmartin|Audi|Austin|Austin-Healey|Autobianchi|Bentley|Benelli|Beta
        |BMW:bmw i,bmw m,bayerische motoren werke|Borgward|Buell|Bugatti|Buick|BYD|Cadillac|Can-Am:canam
        |Caterham|CFMoto:cf moto|Chery|Chevrolet:chevy,chevrolet truck,chev,gm chevrolet|Chrysler
        |Citroën:citroen|Cupra|Dacia|Daewoo|DAF|Daihatsu|Daimler|Datsun|DeLorean|DFSK|Dodge|Dongfeng
        |DS:ds automobiles|Ducati|Eagle|Elaris|Ferrari|Fiat|Fisker|Ford:ford truck|Foton|Freightliner
        |Fuso:mitsubishi fuso|GasGas|Geely|Genesis:genesis motors|Geo|Gilera|GMC:gmc truck|Great Wall
        |GWM|Harley-Davidson:harley,harley davidson,hd|Haval|Hino|Holden|Honda|Hongqi|Hummer|Husqvarna
        |Hyundai|INEOS|Indian:indian motorcycle|Infiniti|Innocenti|International|Iveco|JAC|Jaecoo|Jaguar
        |Jeep|Karma|Kawasaki|KGM|Kenworth|Kia|Koenigsegg|KTM|Kymco|Lada|Lamborghini|Lancia
        |Land Rover:landrover,range rover|LDV|Leapmotor|Lexus|Lincoln|Lotus|Lucid
        |Lynk & Co:lynk co,lynkco|Mack|Mahindra|MAN|Maserati|Maxus|Maybach|Mazda|McLaren
        |Mercedes-Benz:mercedes,mercedes benz,mercedesbenz,mb,benz,merc,mercedes amg,mercedes maybach
        |Mercury|MG|Microcar|MINI:mini cooper|Mitsubishi|Morgan|Moto Guzzi|Moto Morini|MV Agusta|NIO
        |Nissan|Norton|Oldsmobile|Omoda|Opel|ORA|Pagani|Peterbilt|Peugeot|Piaggio|Plymouth|Polaris
        |Polestar|Pontiac|Porsche|Proton|Ram:ram truck,ram trucks,dodge ram|Renault|Rivian
        |Rolls-Royce:rolls royce,rollsroyce,rolls|Rover|Royal Enfield|Saab|Saturn|Scania|Scion|SEAT
        |Seres|Skoda:škoda|Ski-Doo|smart|SsangYong:ssang yong|Subaru|Suzuki|SWM|Sym|Tata
        |Tesla:tesla motors|Toyota|Trabant|Triumph|TVR|Vauxhall|Vespa|Victory|VinFast
        |Volkswagen:vw,volkswagon,vw nutzfahrzeuge,volkswagen nutzfahrzeuge,volks wagen,volkswagen commercial
        |Volvo|Wartburg|Western Star|Wiesmann|XPeng|Yamaha|Zeekr|Zero"""


@cache
def _makes() -> Mapping[str, str]:
    makes: dict[str, str] = {}
    for entry in _MAKES.split("|"):
        name, _, others = " ".join(entry.split()).partition(":")
        makes.update(dict.fromkeys(map(fold, [name, *filter(None, others.split(","))]), name))
    return makes


def make_name(text: str) -> str:
    """Return the usual spelling of a make; one that we do not know keeps its own, without shouting."""
    line = clean_line(text, longest=80)
    known = _makes().get(fold(line))
    return known if known is not None else quiet(line)


def is_make(text: str) -> bool:
    """Tell whether a text is the name of a make."""
    return fold(text) in _makes()


def make_at_start(text: str) -> tuple[str, str] | None:
    """Return the make with which a title begins, maybe after a year, and what follows it."""
    words = text.split()
    while words and (fold(words[0]).replace(" ", "") in _BEFORE_MAKE or _YEAR.fullmatch(words[0])):
        words = words[1:]
    for length in (3, 2, 1):
        make = _makes().get(fold(" ".join(words[:length])))
        if make is not None and len(words) >= length:
            return make, " ".join(words[length:])
    return None


_YEAR: Final = re.compile(r"(?:19|20)\d\d|'?\d\d")
_BEFORE_MAKE: Final = listed(
    """new used pre owned preowned certified cpo neu neuwagen the nuovo usato nouveau occasion begagnad"""
)


def quiet(text: str) -> str:
    """Return words of four or more capitals as names are written; short ones and codes stay as they are."""
    if not text.isupper():
        return text
    return " ".join(_quiet_word(word) for word in text.split(" "))


def _quiet_word(word: str) -> str:
    letters = word.strip("()[],.!-/")
    if len(letters) < 4 or not letters.replace("-", "").isalpha() or not set(letters) & set("AEIOUY"):
        return word
    return "-".join(part.capitalize() if len(part) > 3 else part for part in word.split("-"))


class ModelName(NamedTuple):
    """A model's name, and the drive that stood in it, if one did."""

    name: str
    driveline: str | None = None


_ASIDE: Final = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
_FANFARE: Final = re.compile(r"^(?:all[- ]new|new|the)\s+(?=\S)", re.IGNORECASE)
_SERIES_LABEL: Final = re.compile(r"(?<=\w)-(?:serie|reihe|serien|sarja)$", re.IGNORECASE)
_DRIVE_WORD: Final = re.compile(r"\s+(e?awd|[24]wd|fwd|rwd|[24]x[24])\b", re.IGNORECASE)


def model_name(text: str, make: str = "") -> ModelName:
    """Return a model without its make, brackets at the end, "all-new" and the drive: `TONALE EAWD (PHEV)` is
    Tonale.

    `-Serie` after a model is a marketplace's own label and goes too.
    """
    name = clean_line(text, longest=120)
    if make and fold(name).startswith(fold(make) + " "):
        name = name[len(make) :].strip(" -") if name[: len(make)].lower() == make.lower() else name
    name = _SERIES_LABEL.sub("", _FANFARE.sub("", _ASIDE.sub("", name) or name))
    drive = _DRIVE_WORD.search(name)
    driveline = meaning_of("driveline", drive[1]) if drive else None
    return ModelName(quiet(_DRIVE_WORD.sub("", name) if drive else name), driveline)


_CUT_MODELS: Final = listed(
    """grand range santa model monte crown town rav cx land silverado f id mx 3 1 2 4 5 6 7 8 c e s a b
    g cls gla glc gle"""
)
_CONTINUES: Final = re.compile(
    r"^[\s-]+(series|class|klasse|serie|caravan|cherokee|wagoneer|vitara|rover|fe|cruz|victoria|country|[3syx](?!\w))\b",
    re.IGNORECASE,
)


def model_continued(model: str, title: str) -> str | None:
    """Return the whole name of a model that an exporter cut at the first blank, if the title shows it.

    A `3` whose title says `BMW 3 Series 330i` is the 3 Series.
    """
    if fold(model) not in _CUT_MODELS:
        return None
    for found in re.finditer(rf"(?<!\S){re.escape(model)}(?=[\s-])", title, re.IGNORECASE):
        rest = _CONTINUES.match(title[found.end() :])
        if rest is not None:
            return f"{model}{rest[0].rstrip()}"
    return None
