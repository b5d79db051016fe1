"""What the columns of vehicle files are called, by vendors, marketplaces and in thirteen languages.

Names are compared without case, accents, blanks and punctuation, so `Stock #`, `stock_no` and `StockNo` are
one. Languages: English, German, French, Italian, Spanish, Portuguese, Dutch, Swedish, Danish, Norwegian,
Finnish, Polish, Czech. Misspellings of one letter and headers that an exporter cut off are found by
`headers.py`; here stand only those that it could not guess.
"""

from typing import Final

from forecourt.tables.word_lists import listed

ALIASES: Final[dict[str, str]] = {
    "vin": """vin vinnumber vinnr vinno vincode vehiclevin fullvin vinserial vehicleidentificationnumber
        vehicleidentificationnumbervin vehicleidnumber chassis chassisnumber chassisno chassisnr
        chassinumber chassinummer fin finnummer fahrgestellnummer fahrgestellnr
        fahrzeugidentnummer fahrzeugidentifikationsnummer fgstnr ident identnr telaio numerotelaio
        numeroditelaio bastidor numerobastidor numerodebastidor numerodechassis numerochassis
        chassinr chassisnummer chassinumber understellsnummer stelnummer stelnr rammenummer
        valmistenumero numernadwozia nrnadwozia vinkod cislokaroserie numerodeserie nserie
        numeroserie vincodice nchassis quadro numeroquadro""",
    "stock": """stock stockno stockno stocknumber stocknbr stocknr stocknum stocknumb stk
        stkno stknumber stknum stockid dealerstock dealerstocknumber dealerstockno inventorynumber
        inventoryno invnumber unitnumber unitno unit internenummer internalnumber internenr interneid
        internalid internalreference interneno bestandsnummer lagernummer lagernr lagernummer
        angebotsnummer ordnungsnummer autonummer fahrzeugnummer fahrzeugnr numerostock nostock
        numerodestock referencestock refstock refinterne referenceinterne numeropolice numeropoliceinterne
        npolice nstock matriculainterna referencia ref reference refno referencenumber riferimento
        riferimentointerno codiceinterno codinterno numerointerno voorraadnummer voorraadnr intnummer
        objektnummer objektnr lagerid varastonumero numermagazynowy numeroannonce inventorystocknumber
        externalid sku mpn partnumber dmsnumber dmsid dmsno lotnumber""",
    "vehicle_id": """vehicleid id adid listingid itemid carid autoid advertid offerid inventoryid
        recordid uuid guid externalvehicleid externalvehicleid foreignid fahrzeugid inseratid inseratsid
        inseratnummer anzeigenid idvehicule idannonce idveicolo idannuncio codannuncio idvehiculo idcoche
        idanuncio voertuigid advertentieid annonsid annonseid bilid ilmoitusid idoferta idoglosheni
        ogloszenieid inspectionid uniqueid vehiclekey mobileadid contentid""",
    "registration": """registration registrationnumber registrationno regno regnr regnumber regnummer
        reg vrm vrn plate platenumber licenseplate licenceplate licenseplatenumber licenceplatenumber
        numberplate kennzeichen amtlicheskennzeichen immatriculation plaque plaqueimmatriculation immat
        targa numerotarga matricula kenteken registreringsnummer registreringsskylt nummerplade
        nummerplate nummerskilt rekisterinumero rekisteri numerrejestracyjny nrrejestracyjny rejestracja
        spz registracniznacka rz numberplate licplate""",
    "vdp_url": """url link vdpurl vdplink vdp listingurl vehicleurl vehiclelink detailurl detailpageurl
        detailspageurl detailslink detailspage producturl pageurl weburl websiteurl permalink
        deeplink listinglink adurl advertlink websitelink clickurl landingpage landingpageurl
        linkurl vehicledetailurl vehicledetailpage vehicledetailsurl vehiclepageurl inventoryurl
        inserturl urlannonce lienannonce lien urldetail enlace urlficha linkannuncio urlannuncio
        annonsurl annonslank lank webadresse adres linktemplate mobilelink canonicalurl ctaurl""",
    "title": """title headline name vehiclename vehicletitle adtitle listingtitle listingname carname heading
        titel ueberschrift uberschrift titre titreannonce intitule titolo titoloannuncio titulo
        tituloanuncio rubrik overskrift otsikko tytul nazev nadpis shortdescription
        fahrzeugbezeichnung bezeichnung inseratstitel annonsrubrik kurzbeschreibung
        vehicledescriptionshort stockdescription vehicle""",
    "make": """make makename makenm brand brandname manufacturer manufacturername mfr mfg vehiclemake carmake
        divisionname division marque fabricant constructeur marke hersteller herstellername
        fabrikat fahrzeugmarke marca fabbricante casa costruttore fabricante merk automerk marke
        bilmarke marque bilmarke maerke merke merkki marka producent znacka vyrobce makemake
        marketingmake marketname makedescription""",
    "model": """model modelname modelnm vehiclemodel carmodel modeldescription modell
        modellname modellbezeichnung baureihe fahrzeugmodell modele nommodele gamme modello nomemodello
        modelo nomemodelo modelserie malli modelauto mdl modelrange modellreihe modelfamily modellserie
        modelldesc""",
    "trim": """trim trimname trimlevel trimleveldescription trimline trimdescription vehicletrim series
        seriesname style stylename styledescription styledesc version versionname variant variante
        varianten edition grade package trimpackage subseries submodel submodell badge derivative
        derivativename typ ausstattung ausstattungslinie ausfuehrung ausfuhrung
        ausstattungsvariante modellvariante finition versione allestimento acabado versao
        uitvoering utforande udforelse utstyrsniva varustelu varustetaso wersja wersjawyposazenia
        verze vybava chromestylename vehicleconfiguration configuration modelversion modeltrim
        modelvariant modelldetails typebezeichnung typbezeichnung typeomschrijving variantname""",
    "year": """year yr anio modelyear my vehicleyear caryear vehiclemodeldate modeldate
        yearmodel yearmanufactured manufactureyear manufacturingyear manufacturedyear productionyear
        yearofmanufacture yearbuilt buildyear baujahr modelljahr bauj annee anneemodele millesime
        anneemodel anno annoproduzione annomodello ano anomodelo anofabricacion anofabricacao bouwjaar
        modeljaar arsmodell modellar aarsmodel modelaar argang aargang arsmodel vuosimalli vuosi rok
        rokprodukcji rokvyroby productiondateyear registrationyear regyear yearofregistration
        anomatriculacion annoimmatricolazione anneeimmatriculation""",
    "first_registration": """firstregistration firstregistrationdate firstregdate initialregistration
        initialregistrationdate registrationdate regdate dateofregistration dateoffirstregistration
        dateregistered firstregistered firstreg erstzulassung ez erstzulassungsdatum zulassung
        zulassungsdatum datumerstzulassung 1registration ersteinschreibung miseencirculation
        datemiseencirculation datedemiseencirculation dmec mec date1ermec datepremiereimmatriculation
        premieremiseencirculation premiereimmatriculation dateimmatriculation immatricolazione
        dataimmatricolazione primaimmatricolazione datadiimmatricolazione fechamatriculacion matriculacion
        fechadematriculacion primeramatriculacion datamatricula dataprimeiramatricula dataregisto
        datumeerstetoelating eerstetoelating eersteregistratie datumdeel1 datumeersteinschrijving
        forstaregistrering forstaregistreringsdatum datumitrafik itrafik ibruktagen forsteregistrering
        foersteregistrering forstegangsregistrert ensirekisterointi pierwszarejestracja
        datapierwszejrejestracji prvniregistrace datumprvniregistrace uvedenidoprovozu
        firstregistrationmonthyear inserviceddate""",
    "condition": """condition ownershipcondition newused newusedflag usednew neworused newusedcpo
        neworusedflag nu vehiclecondition itemcondition stateofvehicle stockcondition saleclass
        saleclassification inventorytype stocktype salestype vehiclestate carcondition listingtype
        newpreowned isneworused zustand fahrzeugzustand fahrzeugart artdesfahrzeugs neugebraucht neuwagen
        neufahrzeug etat etatvehicule neufoccasion vnvo condizione condizioni statoveicolo stato estado
        estadovehiculo condicion condicao conditie staat skick stand tilstand kunto stan stanpojazdu stav
        usagetype usage usageclassification typeofvehicle type adtype""",
    "certified": """certified certifiedpreowned cpo iscertified iscpo certifiedflag
        certifiedprogramflag certifiedused cpoflag certifiedpreownedflag factorycertified
        manufacturercertified certifiedprogram""",
    "status": """status availability vehiclestatus inventorystatus stockstatus salestatus salesstatus adstatus
        listingstatus carstatus dmsstatus lifecyclestate lifecyclestatus availabilitystatus
        reservationstatus verfuegbarkeit verfugbarkeit verkaufsstatus bestandsstatus disponibilite
        statut disponibilita disponibilidad disponibilidade estadoventa beschikbaarheid
        tillganglighet tilgaengelighed tilgjengelighet saatavuus dostepnosc dostupnost stockstate
        dispo""",
    "sold": """sold issold soldflag verkauft istverkauft vendu venduto vendido verkocht sald solgt myyty
        sprzedany solddate dateofsale saledate datesold datumverkauf verkaufsdatum
        deliverydatesold""",
    "reserved": """reserved isreserved reserviert reservefor reserve riservato reservado
        gereserveerd reserverad reserveret reservert varattu zarezerwowany salepending ispending
        dealpending deposittaken""",
    "in_transit": "intransit isintransit intransitflag",
    "category": """category vehiclecategory categoryname kategorie fahrzeugkategorie categorie categoria
        categoriaveicolo voertuigcategorie kategori luokka kategoria cartype autotyp
        vehicletypedescription producttype googleproductcategory segment vehiclesegment""",
    "vehicle_type": """vehicletype vehicletypename vehicleclass fahrzeugtyp fahrzeugklasse
        typevehicule tipoveicolo tipovehiculo tipoveiculo voertuigsoort fordonstyp fordonsslag
        kjoretoytype koeretoejstype ajoneuvotyyppi typpojazdu producttypename class""",
    "rooftop": """rooftop rooftopname dealershipname dealership dealername storename location locationname
        dealerlocation lotlocation sellername branchname branch filiale standort standortname
        filialname site sitename succursale etablissement nometablissement pointdevente sede
        nomesede sucursal concesion concesionario delegacion concessionaria vestiging filiaal
        anlaggning avdeling afdeling toimipiste oddzial salon pobocka store storenumber dealer
        autohaus showroom sellername lot""",
    "rooftop_code": """storecode dealerid dealercode dealernumber locationid storeid branchid
        accountid rooftopid customernumber kundennummer""",
    "country": """country countrycode land laendercode pays codepays paese nazione pais landcode kraj zeme maa
        addresscountry""",
    "currency": """currency currencycode pricecurrency listingcurrency waehrung wahrung devise
        valuta moneda moeda valuuttta waluta mena priceunit valuta pricecurrencycode currencyiso""",
    "sale_price": """saleprice specialprice promoprice promotionalprice promotionprice
        discountedprice discountprice offerprice reducedprice currentspecial aktionspreis sonderpreis
        angebotspreis prixpromo prixpromotion prixpromotionnel prixremise prixsolde prezzoscontato
        prezzoofferta prezzopromo precioferta preciooferta preciorebajado preciopromocion precooferta
        precopromocional actieprijs aanbiedingsprijs kampanjpris extrapris tilbudspris kampagnepris
        kampanjepris tarjoushinta cenapromocyjna akcnicena salesspecialprice dealerspecialprice""",
    "sale_price_until": """salepriceeffectivedate salepriceenddate salepriceenddt salepriceend
        salepriceexpires salepriceexpirationdate specialpriceenddate specialenddate saleenddate saleend
        promoenddate specialexpirationdate saleexpires saleexpirationdate offerenddate salepriceexpiration
        discountend salepricevaliduntil saleto saleuntil offervaliduntil pricevaliduntil""",
    "sale_price_from": """salepricestartdate salepricestartdt salepricestart specialstartdate
        salestartdate promostartdate""",
    "internet_price": """internetprice webprice onlineprice einternetprice einternetpricing eprice
        bestprice websiteprice advertisedprice adprice advertprice internetspecial internetsaleprice
        displayprice displayedprice nowprice yourprice ourprice finalprice totalprice allinprice
        onlinepreis internetpreis prixinternet prixweb prixaffiche precioweb prezzoweb precioonline
        internetpris""",
    "price": """price prices suppliedprice forecourtprice pricevalue priceamount sellingprice
        salesprice askingprice askprice listingprice vehicleprice retailpricecurrent currentprice
        cashprice consumerprice publicprice pricepublic pricegross grossprice pricebrutto bruttoprice
        priceinctax priceincvat priceinclvat consumerpriceamount consumerpricegross preis verkaufspreis
        endpreis bruttopreis barpreis hauspreis vkpreis vk vkbrutto preisbrutto prix prixdevente prixttc
        prixpublic prixvente prixventettc tarif prezzo prezzovendita prezzopubblico prezzodivendita
        prezzolordo precio preciodeventa preciocontado precioventa pvp precofinal preco precovenda
        precodevenda valor prijs verkoopprijs vraagprijs prijsbrutto pris forsaljningspris utpris
        kontantpris salgspris totalpris hinta myyntihinta cena cenabrutto cenasprzedazy cenasdph
        prodejnicena pricecurrent priceretail amount pricelisted pricing""",
    "former_price": """retailprice retail regularprice originalprice oldprice previousprice
        waspricebefore wasprice strikeprice strikethroughprice pricebefore pricebeforediscount
        compareatprice comparepirce crossedoutprice startingprice baseretail retailvalue alterpreis
        alteverkaufspreis streichpreis prixavant prixbarre ancienprix prixinitial prezzoprecedente
        prezzopieno precioanterior precioantes precoanterior vanprijs oudeprijs ordinariepris ordpris
        tidigarepris foerpris forpris normalpris normaalihinta cenaprzed staracena cenapredslevou
        puvodnicena otherprice marketprice""",
    "list_price": "listprice baseprice pricelist dealerlistprice catalogbaseprice vehiclelistprice",
    "msrp": """msrp vehiclemsrp manufacturerssuggestedretailprice
        manufacturersuggestedretailprice stickerprice sticker newprice pricenew newcarprice originalmsrp
        totalmsrp basemsrp neupreis listenpreis uvp uvppreis unverbindlichepreisempfehlung katalogpreis
        prixneuf prixcatalogue prezzonuovo prezzolistino prezzodilistino listino precionuevo
        preciocatalogo precionovo nieuwprijs catalogusprijs cataloguswaarde nypris nybilspris listepris
        uudenhinta cenanowego cenakatalogowa recommendedretailprice rrp factoryprice listpricenew
        originalnewprice""",
    "no_price": """callforprice priceonrequest poa hideprice pricehidden iscallforprice
        hideprices priceonapplication preisaufanfrage prixsurdemande""",
    "mileage": """mileage miles odometer odometerreading odometervalue odo mileagevalue currentmileage milage
        mileagereading vehiclemileage km kms kilometers kilometres kilometer mileagekm mileageinkm
        mileagefromodometer mileageodometer kilometerstand kmstand laufleistung fahrleistung
        tachostand kilometrage kilometrages kmcompteur chilometraggio chilometri percorrenza
        kilometraje kilometros quilometragem quilometros kilometrestand kmstand tellerstand
        afgelezenkilometerstand mileagekilometer miltal matarstallning matarstallningkm korstracka
        kilometertal kmtal kilometerantal kjorelengde kmstand ajokilometrit mittarilukema przebieg
        najeto stavtachometru tachometr odometermiles odometerkm distance distancetravelled
        antalmil mil milstal matarstallningmil koert kort""",
    "mileage_unit": """mileageunit mileageunits odometerunit odometerunits odometertype
        odometerunitofmeasure mileagetype distanceunit mileageunitcode mileageunittext odometerunitcode
        mileagefromodometerunitcode mileageuom kmmi odometerreadingunits odometeruom unitofdistance""",
    "body": """body bodystyle bodystylename bodytype bodytypename bodyclass vehiclebody bodydescription
        standardbody karosserie karosserieform aufbau aufbauart bauform carrosserie
        typecarrosserie carroceria tipocarroceria carrocaria tipocarrocaria carrozzeria
        tipocarrozzeria carrosserietype karosseri karosserityp karossityp kaross biltype korimalli
        korityyppi nadwozie typnadwozia karoserie karoserietyp vehiclestyle bodyconfig generalbody
        carrosserievorm inrichting kaross""",
    "transmission": """transmission transmissiontype transmissionname transmissiondescription
        transmissiondesc trans transtype transdescription gearbox gearboxtype geartype gear gears
        gearshift gearing vehicletransmission getriebe getriebeart schaltung schaltart boite boitevitesse
        boitedevitesse boitedevitesses typeboite cambio tipocambio caja cajadecambios caixa
        caixadevelocidades transmision transmissao versnellingsbak transmissie vaxellada vaxlada gearkasse
        girkasse vaihteisto vaihteet skrzyniabiegow skrzynia prevodovka tranmission transmition
        transmisson girtype geartypename transmissiongeneral""",
    "driveline": """driveline drivetrain drivetraintype drivetrainname drivetype drive drivenwheels wheeldrive
        drivingwheels drivewheels drivewheelconfiguration driveconfiguration drivesystem antrieb
        antriebsart allrad trazione tipotrazione traccion tipotraccion tracao tracaotipo
        aandrijving aangedrevenwielen drivhjul drivning hjuldrift hjultraek drift vetotapa
        vetavatpyorat naped pohon motricite rouesmotrices 4x4 traction""",
    "engine": """engine enginedescription enginedesc enginename engineinfo enginespec motor motorisierung
        motorbezeichnung motorisation moteur motorizzazione motore motorizacion motorizacao
        motoromschrijving motortyp moottori silnik engineconfiguration powertrain enginetype
        engineblocktype""",
    "displacement": """displacement enginedisplacement enginedisplacementcc displacementcc enginesize
        enginesizecc enginecc enginecapacity capacity disp enginedisp enginedispl cubiccapacity
        cubiccapacityccm cc ccm hubraum hubraumcm3 hubraumccm cylindree cilindrata cilindrada cilindree
        cilinderinhoud motorvolym cylindervolym slagvolym slagvolum motorstorlek motorvolumen motorvolum
        iskutilavuus pojemnosc pojemnoscsilnika pojemnoscskokowa obsah objem objemmotoru engineliters
        enginelitres enginedisplacementliters litres liters displ""",
    "displacement_ci": "enginedisplacementcubicinches cubicinches displacementci",
    "cylinders": """cylinders enginecylinders numcylinders numberofcylinders cyl cylinder cilindri
        cilindros zylinder cylindres cilinders""",
    "fuel": """fuel fueltype fuels fueltypes fueltypename enginefueltype enginefuel primaryfueltype
        fueldescription kraftstoff kraftstoffart treibstoff carburant energie typecarburant
        typeenergie carburante alimentazione tipocarburante combustible tipocombustible
        combustivel tipodecombustivel brandstof brandstoftype drivmedel bransle bransletyp
        braendstof drivstoff drivmiddel kayttovoima polttoaine paliwo rodzajpaliwa palivo
        druhpaliva propulsion vehicleenginefueltype fuelname""",
    "city_mpg": "citympg mpgcity epacity cityfueleconomy fueleconomycity citympgepa epacitympg",
    "highway_mpg": """highwaympg mpghighway mpghwy hwympg epahighway fueleconomyhighway
        fueleconomyhwy highwaympgepa epahighwaympg""",
    "electric_range": """electricrange electricrangemi evrange range rangemiles rangekm electricrangekm
        batteryrange reichweite elektrischereichweite autonomie autonomia actieradius rackvidd rekkevidde
        raekkevidde wltprange""",
    "battery_kwh": """batterykwh batterycapacity batterycapacitykwh batterysize batteriekapazitaet
        batteriekapazitat capacitebatterie akkukapasiteetti""",
    "motor_power": "motorpowerhp motorpower",
    "power": """power powerkw powerhp powerps horsepower hp kw ps enginepower enginepowerkw
        enginepowerhp kilowatt leistung leistungkw leistungps puissance puissancedin potenza potenzakw
        potencia vermogen vermogenkw effekt effekthk hastkrafter hk hestekrefter teho moc mockm vykon
        enginehorsepower bhp""",
    "dc_fast_charge": "dcfastcharge dcfastcharging fastcharge quickcharge",
    "charge_port": "chargeport chargeporttype chargingport connectortype plugtype chargingconnector",
    "doors": """doors door doorcount doorsnumber numberofdoors numdoors nodoors nrofdoors
        tueren turen tueranzahl anzahltueren portes nombreportes nbportes nbreportes porte numeroporte
        puertas numeropuertas portas aantaldeuren deuren dorrar antaldorrar doere ovet drzwi liczbadrzwi
        dvere numberpassengerdoors""",
    "exterior_color": """exteriorcolor exteriorcolour extcolor extcolour color colour colorname exterior
        exteriorcolordescription extcolordescription extcolorname exteriorcolorname vehiclecolor
        vehiclecolour bodycolor bodycolour paint paintcolor exteriorpaint manufacturercolor
        manufacturercolorname oemcolor farbe aussenfarbe farbbezeichnung lackfarbe
        herstellerfarbbezeichnung herstellerfarbe couleur couleurexterieure couleurexterieur
        teinte colore coloreesterno colorexterior coloresterno cor corexterior kleur buitenkleur
        farg fargnamn lackfarg farve farge vari kolor kolornadwozia barva lakk lack laquer""",
    "exterior_color_generic": """extcolorgeneric exteriorcolorgeneric genericcolor basecolor basecolour
        basiccolor colorgeneric genericexteriorcolor bodycolorgroup colorgroup simplecolor standardcolor
        grundfarbe farbgruppe exteriorbasecolor""",
    "interior_color": """interiorcolor interiorcolour intcolor intcolour interior
        interiorcolordescription intcolorname interiorcolorname intupholstery upholstery upholsterycolor
        vehicleinteriorcolor innenfarbe innenausstattung polsterfarbe couleurinterieur couleurinterieure
        sellerie coloreinterni coloreinterno colorinterior corinterior interieurkleur innredning inredning
        klaedsel inredningsfarg interiorfarge sisustanvari kolorwnetrza barvainterieru covering
        interiorcolourname trimcolor intcolorgeneric""",
    "features": """features feature options option equipment equipments equipmentlist standardequipment
        optionalequipment optionlist optiondescriptions installedoptions vehicleoptions
        vehiclefeatures featurelist highlights keyfeatures additionalfeatures accessories
        sonderausstattung serienausstattung ausstattungsmerkmale ausstattungen extras equipements
        equipement optionslist dotazione accessori equipaggiamento optional equipamiento
        equipamento extrasopciones opties uitrusting accessoires utrustning udstyr utstyr
        varusteet lisavarusteet wyposazenie vybavaseznam categorizedoptions factoryoptions
        specialequipment equipmenttext""",
    "photos": """photos photo photourl photourls photourllist photolist photolinks images image
        imageurl imageurls imageslist imagelist imagelinks imagelink pictures picture pictureurl
        pictureurls picturelist pictureslist imgurl imgurls img imgs imageuri mainimage primaryimage
        primaryphoto primaryphotourl mainphoto mainphotourl mainpicture heroimage coverimage featuredimage
        photo1 image1 picture1 imageurl1 photourl1 bilder bild bildurl bildurls bildlinks fotos foto
        fotourl fotourls fotolink images1 immagini immagine imagenes imagen fotografias fotografia imagens
        imagem afbeeldingen afbeelding bilderlista bilde billeder billede kuvat kuva zdjecia zdjecie
        obrazky fotky photogallery gallery galleryimages imagegallery mediaurls mediaimages imagesurl
        imageimagemd vehicleimages photosurl photolocation thumbs urlphotos urlphoto urlsphotos lienphotos
        urlimages urlimage""",
    "photos_more": """additionalimagelink additionalimagelinks additionalimages additionalimage
        additionalphotos additionalimageurl additionalimageurls otherimages otherphotos moreimages
        extraimages secondaryimages galleryurls""",
    "description": """description vehicledescription comments comment vehiclecomments dealercomments
        dealercomment sellerscomments sellercomments sellersnotes sellernotes adtext adcopy advertisement
        notes1 remarks remark longdescription fulldescription descriptiontext autowriterdescription
        websitedescription advertdescription advertisementtext marketingdescription htmldescription
        listingdescription listingcomment salescomments webdescription vehiclede vehicledes vehicledesc
        beschreibung fahrzeugbeschreibung bemerkung bemerkungen bemerkungtext inseratstext angebotstext
        descriptif descriptionannonce commentaire commentaires descrizione descrizioneannuncio note
        observaciones descripcion descricao observacoes omschrijving opmerkingen advertentietekst
        beskrivning annonstext beskrivelse annonsetekst kuvaus lisatiedot opis popis poznamka
        enrichedvehicledescription overview""",
    "notes": "notes dealernotes publicnotes",
    "inventory_date": """inventorydate dateinstock datein dateinventoried stockdate instockdate
        dateadded datefirstonlot firstonlot arrivaldate dateofentry receiveddate datereceived listeddate
        listingdate standdatum einstandsdatum dateentree dateentreestock datastock fechaentrada dateplaced
        stockindate created creationdate createddate createdat dateonlot lotdate""",
    "days_in_stock": """daysinstock daysonlot daysinventory dayslot dol age stockage ageindays
        standtage standzeit lagertage dager joursstock diasstock""",
    "updated_at": """updatedat lastupdated lastupdate lastmodified lastmodifieddate lastmoddate
        modified modifieddate modifiedat modificationdate updated updatedate updateddate dateupdated
        dateofchange changedate aenderungsdatum geaendertam datemodification dataaggiornamento
        fechaactualizacion fechamodificacion lastchange pricelastchanged""",
}  # fmt: skip
"""Words by the role that a column plays."""

IGNORED_WORDS: Final = listed(
    """invoice cost wholesale wholesales whole book bookvalue blackbook kbb nada mmr trade export
    exporting monthly weekly biweekly finance financing lease leasing payment payments installment
    instalment rate apr deposit downpayment rebate rebates incentive incentives military graduate
    loyalty conquest holdback floorplan flooring purchase purchased einkauf einkaufspreis ek
    haendlerpreis handlerpreis haendler handler dealerpriceamount tax taxes vat vatable mwst iva tva
    moms btw fee fees doc discount savings credit residual budget reserve reserveprice minimum
    minimo auction netto net nettopreis ht acquisition appraisal pack recon reconditioning
    commission margin thumbnail thumbnails thumb video videos youtube count logo score rating carfax
    carproof history warranty insurance accident owner owners phone fax email latitude longitude
    facebook customer buyer salesperson technician height width length weight wheelbase payload
    towing torque co2 emission emissions consumption acceleration price1 price2 price3"""
)
"""Words that make a column something else than what the rest of its name says: `invoice price`, `photo
count`.
"""
