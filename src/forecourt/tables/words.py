"""Words that feeds use for the closed sets: condition, status, fuel, gearbox, drive, body, kind of vehicle.

A value is looked up whole and folded (no case, accents, punctuation); what is not listed is searched for
telling words, in the order given here, because "plug-in hybrid petrol" names three fuels and is one.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from forecourt.tables.word_lists import alternatives, listed

_FOLDED: Final = re.compile(r"[^0-9a-z+]+")
_TRANSLITERATED: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "æ": "ae", "ł": "l", "đ": "d", "œ": "oe", "ð": "d"}
)


def fold(text: str) -> str:
    """Return text in lower case without accents, every run of other characters one blank."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text.lower().translate(_TRANSLITERATED))
        text = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return _FOLDED.sub(" ", text.lower()).strip()


BLANKS: Final = frozenset(
    fold(word)
    for word in alternatives(
        """|-|--|---|.|?|*|n/a|na|n.a.|none|null|nil|undefined|unspecified|not specified|unknown|not
        available|tbd|tba|tbc|#n/a|#na |nan|(blank)|blank|empty|no data|not provided|not applicable|please
        select|select|keine angabe|k.a.|k. a.|unbekannt|nicht angegeben |non specificato|non
        disponibile|non precise|non renseigne|nc|n.c.|inconnu|sconosciuto|desconocido|no disponible|sin
        especificar |desconhecido|onbekend|niet opgegeven|okand|ej angivet|ukendt|ikke
        oplyst|ukjent|tuntematon|brak|nieznany|neuvedeno |0001-01-01|0001-01-01t00:00:00|0000-00-
        00|00/00/0000|1900-01-01|00.00.0000|01/01/0001|01.01.0001|01/01/1900
        """
    )
)
"""Ways to say nothing."""

YES: Final = listed("""1 y yes true t x ja j oui o si s sim tak ano kylla on certified cpo wahr vrai vero""")
NO: Final = listed("""0 n no false f nein non nao nee nej nei ei nie ne off falsch faux falso""")

_CONDITIONS: Final = {
    "cpo": """cpo | certified | certified pre owned | certified preowned | certified used
        | certified pre owned vehicle | factory certified | manufacturer certified | certificato
        | zertifiziert | certifie | certificado""",
    "new": """new | n | brand new | factory new | new vehicle | new car | new cars | new auto | newcondition
        | neu | neuwagen | neufahrzeug | fabrikneu | nuovo | neuf | vehicule neuf | nouveau | vn | nueva
        | nuevo | novo | nova | nieuw | ny | nytt | nya | nybil | ny bil | uusi | uudet | nowy | nowe
        | novy | nove | 0km | okm | nuove | nuova | neuve""",
    "used": """used | u | pre owned | preowned | pre owned vehicle | second hand | secondhand | usedcondition
        | used car | used cars | used vehicle | used auto | refurbished | demo | demonstrator
        | dealer demo | loaner | courtesy car | courtesy vehicle | executive demo | ex demo | nearly new
        | pre registered | pre reg | gebraucht | gebrauchtwagen | gebrauchtfahrzeug | gebrauchtfahrzeuge
        | jahreswagen | vorfuhrwagen | vorfuehrwagen | vorfuhrfahrzeug | vorfuehrfahrzeug
        | tageszulassung | oldtimer | classic | dienstwagen | halbjahreswagen | kurzzulassung
        | werkswagen | occasion | d occasion | vehicule d occasion | vo | demonstration
        | vehicule de demonstration | direction | 0 km immatricule | usato | usata | usate
        | dimostrativo | aziendale | km0 | km 0 | chilometri zero | semestrale | storico | d epoca
        | usado | usada | ocasion | segunda mano | seminuevo | seminovo | gerencia | de gerencia
        | demostracion | servico | semi novo | gebruikt | tweedehands | occasie | demowagen | begagnad
        | begagnat | beg | begagnade | demobil | brugt | brugte | demobil | bruktbil | brukt | kaytetty
        | vaihtoauto | uzywany | uzywane | uzywana | ojety | ojete | pouzity | bazar | predvadeci
        | demonstracyjny""",
}  # fmt: skip

_STATUSES: Final = {
    "available": """available | in stock | instock | on lot | on dealer lot | in inventory
        | ground stock | active | live | published | online | open | for sale | available for sale
        | on sale | forecourt | ready | retail ready | frontline | frontline ready | front line
        | new arrival | stock | retail | yes | verfugbar | verfuegbar | sofort verfugbar
        | sofort verfuegbar | auf lager | lagernd | lagerfahrzeug | vorhanden | aktiv | disponible
        | en stock | en parc | disponibile | in sede | pronta consegna | disponivel | em stock
        | beschikbaar | op voorraad | te koop | tillganglig | i lager | till salu | pa lager
        | tilgaengelig | tilgjengelig | til salg | myynnissa | varastossa | dostepny | na stanie
        | dostupne | skladem | v prodeji | a | limitedavailability | onlineonly | instoreonly | showroom""",
    "intransit": """in transit | intransit | transit | allocated | en route | incoming | due in
        | arriving soon | arriving | on order | in production | preorder | pre order | backorder
        | back order | in build | on the way | shipped | at port | inbound | coming soon | being shipped
        | unterwegs | im zulauf | zulauf | vorlauf | bestellt | kurzfristig | en arrivage | arrivage
        | en transit | in arrivo | prossimo arrivo | in transito | proximamente | en camino
        | em transito | onderweg | verwacht | inkommande | pa vag | under transport | pa vei | undervejs
        | tulossa | w drodze | na ceste""",
    "pending": """pending | sale pending | pending sale | sale in progress | deal pending | pending deal
        | reserved | on hold | hold | held | deposit taken | deposit | under offer | in negotiation
        | contract pending | in deal | optioned | reserviert | anbezahlt | reserve | option
        | sous option | acompte | riservato | prenotato | in trattativa | opzionato | opzione
        | reservado | senalizado | gereserveerd | in optie | onder optie | reserverad | bokad
        | reserveret | reservert | varattu | zarezerwowany | rezerwacja | rezervovano""",
    "sold": """sold | sold out | soldout | delivered | sold delivered | sold pending delivery | retailed
        | out of stock | outofstock | unavailable | not available | no longer available | discontinued
        | verkauft | ausgeliefert | ausverkauft | nicht verfugbar | nicht verfuegbar | vendu | livre
        | indisponible | venduto | consegnato | non disponibile | vendido | entregado | no disponible
        | indisponivel | entregue | verkocht | afgeleverd | niet beschikbaar | sald | levererad | solgt
        | leveret | levert | myyty | toimitettu | sprzedany | sprzedane | prodano | prodane | s""",
    "not_for_sale": """inactive | archived | deleted | removed | hidden | draft | disabled
        | unpublished | expired | withdrawn | wastebin | off market | not for sale | do not sell
        | wholesale | wholesaled | at auction | auction | to auction | scrap | scrapped | salvage
        | stolen | missing | dismantled | dead | recon | reconditioning | in recon | in reconditioning
        | in prep | prep | preparation | in preparation | being prepared | needs prep | pdi | in pdi
        | not ready | service | in service | in shop | body shop | in workshop | incomplete
        | pending recon | inspection | in inspection | detail | detailing | photo needed
        | awaiting photos | loaner fleet | rental | company car only | test | sample | placeholder
        | template | inaktiv | geloscht | geloescht | entwurf | in aufbereitung | aufbereitung
        | vorbereitung | werkstatt | in werkstatt | archiviert | inactif | archive | brouillon
        | en preparation | preparation en cours | supprime | inattivo | bozza | eliminato
        | in preparazione | preparazione | archiviato | inactivo | borrador | eliminado | en preparacion
        | em preparacao | inactief | concept | verwijderd | in voorbereiding | inaktiverad | utkast
        | borttagen | under rekond | rekond | inaktiv | slettet | klargoring | klargjoring | poistettu
        | luonnos | nieaktywny | usuniety | w przygotowaniu | v priprave | smazano""",
}  # fmt: skip

_FUELS: Final = {
    "phev": """plug in | plugin | plug-in | phev | stecker | recargable | enchufable | ricaricabile
        | rechargeable | laddhybrid | ladattava | ladehybrid | electric petrol hybrid plug""",
    "mild hybrid": "mild hybrid | mild-hybrid | mhev | mildhybrid | hybrid leger | micro hybrid",
    "hybrid": """hybrid | hev | hybride | ibrido | ibrida | hibrido | hibrida | hybryda | hybridi | elhybrid
        | gas electric | gasoline electric | petrol electric | benzin elektro | diesel elektro
        | elektro benzin | elettrica benzina | elettrica diesel | electric gasoline | electric diesel
        | full hybrid | electrique essence | essence electrique""",
    "hydrogen": """hydrogen | fuel cell | wasserstoff | hydrogene | idrogeno | hidrogeno | waterstof | fcev
        | vatgas | brint""",
    "bev": """electric | bev | ev | battery electric | elektro | elektrisch | elektrisk | elektricky
        | elektryczny | electrique | elettrica | elettrico | electrico | electrica | eletrico
        | full electric | all electric | el | strom | sahko | 100 el | elbil | electricity""",
    "flex fuel": """flex | flex fuel | flexible | flexfuel | flexifuel | e85 | flex fuel capability | ffv
        | gas ethanol | ethanol | etanol | bioethanol | ethanol ffv | flex fuel vehicle | petrol ethanol""",
    "diesel": """diesel | gasoil | gazole | nafta motorowa | dizel | d | bio diesel | biodiesel | turbodiesel
        | tdi | gasoleo | on | hdi | cdi""",
    "cng": """cng | erdgas | natural gas | metano | gnc | gnv | fordonsgas | aardgas | compressed natural gas
        | natuurgas | biogas | biogasolie""",
    "lpg": "lpg | autogas | glp | gpl | propane | liquefied petroleum gas | lp gas",
    "gas": """gas | gasoline | petrol | unleaded | premium unleaded | regular unleaded | benzin | benzina
        | essence | gasolina | benzine | bensin | bensiini | benzyna | premium | super | super plus
        | super e10 | super 95 | super 98 | g | b | gasoline fuel | regular | pb | natural gasoline
        | unleaded gasoline | benzin e10 | sp95 | sp98 | otto | 95 | 98""",
}  # fmt: skip

_TRANSMISSIONS: Final = {
    "semi-automatic": """semi automatic | semiautomatic | halbautomatik | semi automatique | semiautomatico
        | halfautomaat | semiautomatica | robotizzato | sequential | sequenziale | halvautomat""",
    "cvt": """cvt | continuously variable | variable | xtronic | lineartronic | e cvt | ecvt | ivt
        | multitronic | stufenlos | stufenloses""",
    "dual-clutch": """dual clutch | dct | dsg | pdk | doppelkupplung | doppelkupplungsgetriebe
        | double embrayage | doppia frizione | s tronic | powershift | dkg | edc""",
    "automatic": """automatic | auto | automatik | automatique | automatico | automatica | automaat | automat
        | automatisch | automatgear | automaatti | automatti | automaattinen | automatyczna
        | automatyczny | automaticka | a | at | a t | tiptronic | steptronic | geartronic | aut
        | automated | single speed | direct drive | 1 speed | shiftable automatic | automatgir | bva
        | automatisk | automatiskt | automatize""",
    "manual": """manual | manuell | manuel | manuelle | manuale | manuelna | handgeschakeld | handschaltung
        | schaltgetriebe | schaltung | standard | stick | m | mt | m t | manuaali | manualna | reczna
        | manualni | manuaalinen | handgeschakelde | hand | bvm | meccanico | man | mecanica | mecanique""",
}  # fmt: skip

_DRIVELINES: Final = {
    "4wd": """4wd | 4x4 | four wheel drive | 4 wheel drive | part time 4wd | 4 x 4 | 4motion 4x4
        | four by four | 4matic 4x4 | four wheel | 4ms | 4wdr""",
    "awd": """awd | all wheel drive | all wheel | eawd | quattro | xdrive | 4matic | 4motion | allrad
        | allradantrieb | integrale | trazione integrale | integral | traccion integral
        | transmission integrale | 4 roues motrices | vierwielaandrijving | fyrhjulsdrift
        | fyrhjulsdriven | 4x4 awd | firehjulstrekk | firhjulstraek | neliveto | 4hjulsdrift | fyrhjul
        | firehjulsdrift | 4 hjulsdrift | naped na cztery | na wszystkie kola | sh awd | allwheeldrive
        | fourwheeldrive | a wd | symmetrical awd | full time 4wd | e four""",
    "fwd": """fwd | front wheel drive | front wheel | front | frontantrieb | vorderradantrieb | anteriore
        | trazione anteriore | traction avant | avant | delantera | traccion delantera | dianteira
        | voorwielaandrijving | framhjulsdrift | framhjulsdriven | framhjul | forhjulstrekk
        | forhjulstraek | etuveto | 2wd front | naped na przednie kola | przednie kola | predni
        | na predni kola | voor | framhjulsdriv | forhjulstrek | frontwheeldrive""",
    "rwd": """rwd | rear wheel drive | rear wheel | rear | heckantrieb | hinterradantrieb | posteriore
        | trazione posteriore | propulsion | arriere | trasera | traccion trasera | traseira
        | achterwielaandrijving | bakhjulsdrift | bakhjulsdriven | bakhjul | bakhjulstrekk
        | baghjulstraek | takaveto | naped na tylne kola | tylne kola | zadni | achter | rearwheeldrive""",
    "2wd": "2wd | 4x2 | two wheel drive | 2 wheel drive | 2x4 | 6x4 | 6x2 | 2 wd",
}  # fmt: skip

_BODIES: Final = {
    "convertible": """convertible | cabrio | cabriolet | cabriolet roadster | roadster | spyder | spider
        | cabrio roadster | descapotable | cabriole | drop top | targa""",
    "suv": """suv | sport utility | sport utility vehicle | crossover | gelandewagen | gelaendewagen
        | suv gelandewagen pickup | suv gelandewagen | fuoristrada | suv fuoristrada
        | suv fuoristrada pick up | todoterreno | todo terreno | 4x4 suv | tout terrain | 4x4 | off road
        | offroad | terreinwagen | maastoauto | terenowy | terenni | offroader | apurp | mpvh
        | all purpose | suv 4x4 | suv crossover | cuv | sav | suvs | jeep | utv suv
        | sports utility vehicle | vehicule utilitaire sport""",
    "minivan": """minivan | mini van | mpv | monovolume | monospace | monovolumen | van minibus | van kleinbus
        | familjebuss | passenger van | people carrier | tila auto | minivolume | minibus | kleinbus
        | flerpersonersbil | flerbruksbil | kasteapvan | mini mpv | multi purpose vehicle""",
    "hatchback": """hatchback | hatch | halvkombi | halvkombi 5 dorrar | kleinwagen | schragheck | schraegheck
        | berline 5 portes | citadine | utilitaria | city car | citycar | compact | compacte
        | kompaktwagen | viistopera | supermini | hatchback 5 puertas | micro | kompakt | compatto
        | due volumi | stadsauto | smabil | liten bil | 2 3 porte | hb | liftback | sportback | 5 dorrar
        | microcar | kombikupe | kombi kupe | bicorpo""",
    "truck": """truck | reg cab | cab | pickup | pick up | pickup truck | crew cab | crew cab pickup
        | extended cab | extended cab pickup | regular cab | double cab | quad cab | supercrew
        | supercab | mega cab | king cab | access cab | pkup | pick up truck | camion | chassis cab
        | cab chassis | flatbed | fltbd | box truck | lkw | light duty truck | cab and chassis | cutaway
        | crewmax | pritsche | standard cab | lastbil | regular cab pickup | dump truck""",
    "van": """van | cargo van | panel van | kastenwagen | transporter | fourgon | fourgonnette | utilitaire
        | furgone | furgon | furgoneta | veicolo commerciale | comercial | bestelwagen | bestelauto
        | transportbil | skapbil | varebil | varevogn | kassevogn | pakettiauto | furgon van | cargo
        | commercial | utility van | full size van | kasten | skap | kombi van | dostawczy | uzitkove""",
    "wagon": """wagon | estate | station wagon | kombi | kombilimousine | break | familiale
        | touring | variant | avant | familiar | ranchera | carrinha | stationwagon | stationcar
        | stationvogn | st car | sw | farmari | herrgardsvagn | combi | giardinetta | familjebil
        | estate car | shooting brake | sportwagon | sports tourer | sport wagon | st wagon""",
    "coupe": """coupe | sportwagen | sportwagen coupe | coupe sport | deportivo | sportscar
        | sports car | coupé | cpe | 2dr car | sportbil | kupe | sport coupe | sportkupe""",
    "sedan": """sedan | saloon | limousine | berlina | berline | sedan saloon | sedan 4 door
        | berlina 4 puertas | 4dr car | 4 door sedan | sedann | limuzyna | sed | limo | tre volumi
        | tricorpo | sedan 4d | porrasperainen""",
}  # fmt: skip

_TYPES: Final = {
    "motorcycle": """motorcycle | motorcycles | motorbike | motorrad | moto | motocicletta
        | motocicleta | motos | motorfiets | motorcykel | motorsykkel | moottoripyora | motocykl
        | scooter | moped | roller | mc | cruiser | atv | b | motorcycle scooter | powersports
        | powersport | two wheeler""",
    "trailer": """trailer | trailers | anhanger | anhaenger | remorque | rimorchio | remolque
        | aanhanger | slap | trailer utility | utility trailer | semi trailer | auflieger | przyczepa
        | prives""",
    "rv": """rv | rvs | motorhome | motor home | camper | campervan | wohnmobil | wohnwagen | camping car
        | caravan | caravane | autocaravana | husbil | husvagn | bobil | campingvogn | autocamper
        | travel trailer | fifth wheel | reisemobil | kampeerauto | matkailuauto | autocaravan
        | recreational vehicle | n wohnmobil""",
    "other": """boat | boats | bateau | forklift | stapler | baumaschine | agrarfahrzeug | agricultural
        | tractor | traktor | construction | construction equipment | snowmobile | jet ski | watercraft
        | personal watercraft | generator | snow scooter""",
    "car": """car | cars | auto | autos | automobile | automobiles | pkw | voiture | vp | vl | autovettura
        | turismo | coche | carro | personbil | personenauto | henkiloauto | samochod | osobni | osobowe
        | car truck | car_truck | cars trucks vans
        | vehicles parts vehicles motor vehicles cars trucks vans | passenger car | passenger vehicle
        | light truck | truck | suv | van | c | l | vu | vul | commercial vehicle | nutzfahrzeug
        | vehicle | other car | passengercar | m1 | n1 | personenwagen | bil | lieferwagen | transporter""",
}  # fmt: skip

_SETS: Final = {
    "condition": _CONDITIONS, "status": _STATUSES, "fuel": _FUELS, "transmission": _TRANSMISSIONS,
    "driveline": _DRIVELINES, "body": _BODIES, "vehicle_type": _TYPES,
}  # fmt: skip
_BY_BEGINNING: Final = frozenset({"status", "vehicle_type"})
"""Sets in which a word counts only at the beginning: "sold on Monday" is a sale, "not yet sold" is none."""
_ASIDE: Final = re.compile(r"\(.*?\)")


_LONGEST_BLANK: Final = 24


def is_blank(text: str) -> bool:
    """Tell whether a cell says nothing: empty, or one of the ways to write "unknown"."""
    return not text or (len(text) <= _LONGEST_BLANK and fold(text) in BLANKS)


def yes_or_no(text: str) -> bool | None:
    """Read a flag; None when it is neither."""
    folded = fold(text)
    return True if folded in YES else False if folded in NO else None


@cache
def _whole(name: str) -> Mapping[str, str]:
    return {
        fold(word): meaning
        for meaning, words in reversed(_SETS[name].items())
        for word in words.split("|")
        if fold(word)
    }


@cache
def _telling(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return, per meaning in order, a pattern of its words of more than one letter."""
    return tuple(
        (re.compile(r"\b(?:" + "|".join(sorted(_long_words(words), key=len, reverse=True)) + r")\b"), meaning)
        for meaning, words in _SETS[name].items()
    )


def _long_words(words: str) -> list[str]:
    return [re.escape(folded) for folded in map(fold, words.split("|")) if len(folded) > 1]


def meaning_of(name: str, text: str) -> str | None:
    """Return what a text says in one of the sets (`condition`, `fuel`, …), or None when it says nothing.

    An address of schema.org counts by its last part, so that `https://schema.org/InStock` is "in stock".
    """
    if "://" in text:
        text = text.rstrip("/").rpartition("/")[2]
    folded = fold(text)
    whole = _whole(name).get(folded)
    if whole is not None:
        return whole
    if name in _BY_BEGINNING:
        return _by_beginning(name, fold(_ASIDE.sub(" ", text)))
    return next((meaning for pattern, meaning in _telling(name) if pattern.search(folded)), None)


def _by_beginning(name: str, folded: str) -> str | None:
    words = folded.split()
    beginnings = (" ".join(words[:length]) for length in range(len(words), 0, -1))
    return next(
        (_whole(name)[words] for words in beginnings if len(words) > 1 and words in _whole(name)), None
    )


_GEARS: Final = re.compile(
    r"\b(\d{1,2})\s?(?:speed|spd|sp|gang|gangs|vaxlad|rapporti|marce|v|rapports|velocidades|vel|g)\b"
)


def transmission_text(text: str) -> str | None:
    """Return a gearbox in AAP's manner, `automatic` or `8-speed automatic`; None when the text names none."""
    kind = meaning_of("transmission", text)
    if kind is None:
        return None
    gears = _GEARS.search(fold(text))
    return f"{gears[1]}-speed {kind}" if gears and gears[1] not in {"0", "1"} else kind
