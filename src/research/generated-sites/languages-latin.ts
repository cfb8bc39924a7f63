/** English: everyday words in simple clauses; and German below. */
import { combine, type LanguageTable, list } from './language.ts';

const MONTHS = list('January February March April May June July August September October November December');

export const english: LanguageTable = {
  code: 'en',
  joint: ' ',
  stop: '. ',
  links: [', and ', ', but ', ' because ', ', while ', '; ', ' until ', ', so ', ' although ', ' before '],
  clauses: [
    'D A N V D N P D N',
    'D N P D N V D A N',
    'X V D A N P X',
    'R D N V # N P D A N',
    'K of D N V D N P the A N',
    'D N that V D N can B D A N',
    'X said that D N will B D N R',
    'at least # N V P D A N and D N',
    'it is A to B D N P D A N',
    'they B D N R and B D A N',
    'nobody in X V D N P D A N any more',
    'P D A N the N V D N',
    'D N and D N V R P D N',
    'in X D N was A and D N was A',
  ],
  titles: [
    'How D N V D A N',
    'X V D A N P D N',
    'Why D A N will B D N',
    'A N P X: D N and D N',
    '# ways to B D A N',
    'D N that V D A N',
    'X and the A N of D N',
    'D A N V # N P X',
  ],
  words: {
    D: list('the the the a this every another one our their his her each some no such that its'),
    K: list('most many several half part none all both few plenty'),
    N: list(`harbour engine market bridge garden teacher river window village number season letter kitchen
      mountain council doctor forest island journey lantern machine notebook orchard painter quarter railway
      shelter station thunder valley weather workshop captain balcony blanket carriage cellar chapter circle
      cottage courtyard curtain dairy desert drawer evening factory farmer feather ferry fountain furnace
      gallery glacier granite grocer hammer harvest hedge hillside hospital instrument jacket kettle ladder
      landlord lecture library lighthouse magazine meadow measure merchant mirror monument morning museum
      needle neighbour nursery office opinion orchestra oven packet parcel passenger pattern pavement pebble
      pencil pigeon pillar pocket postcard powder printer puzzle quarry question radio recipe reservoir ribbon
      rooftop sailor sandwich saucer scaffold schedule shepherd signal sketch smith spring stable staircase
      storm street student suitcase surgeon tailor telescope theatre ticket timber tower tractor traveller
      treaty tunnel turbine uncle union vessel violin voyage wagon warehouse wheel winter yard budget concert
      election committee festival insurance laboratory mayor newspaper parliament pension premium protest
      referee satellite software stadium strike subsidy supplier survey tenant tournament translator vaccine`),
    V: list(`carries repairs follows crosses paints measures remembers leaves brings covers answers builds
      changes closes collects compares counts delivers describes divides draws enters explains fills finds
      forgets gathers guards helps hides improves invites joins keeps leads lifts loses marks meets moves
      needs notices offers opens orders passes plants prepares presents prints promises protects questions
      raises reaches records replaces rescues returns saves sells shows signs sorts supports surprises tests
      touches turns visits warms washes watches weighs welcomes wins`),
    B: list(`carry repair follow cross paint measure remember leave bring cover answer build change close
      collect compare count deliver describe divide draw enter explain fill find forget gather guard help hide
      improve invite join keep lead lift lose mark meet move need notice offer open order pass plant prepare
      present print promise protect question raise reach record replace rescue return save sell show sign sort
      support surprise test touch turn visit warm wash watch weigh welcome win`),
    A: list(`old quiet narrow wooden bright distant early gentle heavy hollow honest idle iron kind late little
      local lonely loud modern northern open ordinary pale patient plain polite private public quick rare
      remote round rural salty separate sharp shallow silent simple sleepy slow small smooth solid southern
      spare steady steep stiff strange strict sudden sunny tall tender thick thin tidy tiny useful usual vast
      warm weary western wide wild windy yellow younger expensive familiar hidden famous empty broken golden
      crowded careful curious damp eager electric foreign generous`),
    R: list(`slowly often rarely again today usually finally carefully together quietly nearly always seldom
      suddenly already perhaps meanwhile gladly barely twice overnight nevertheless eventually later`),
    P: list(`near behind beyond under across above beside through towards without against along around before
      after during inside outside from over with between`),
  },
  firstNames: list(`Alice Arthur Beatrice Bernard Cecily Clara Daniel Dorothy Edgar Edith Emma Felix Flora
    Frank George Grace Hannah Harold Henry Ida Iris Jack James Jane Josephine Julian Kate Laura Leonard Lucy
    Mabel Martin Mary Maurice Nell Nora Oliver Oscar Paul Phoebe Ralph Robert Rose Ruth Samuel Sarah Simon
    Stella Thomas Victor Violet Walter Wilfred Winifred`),
  lastNames: list(`Abbot Alder Ashdown Barlow Beckwith Birch Blackwood Bolton Bramley Brook Calder Carver Clay
    Cobb Colby Crane Dale Dawson Denby Drake Dunmore Ellery Everett Fairfax Fenwick Finch Garland Gould Hale
    Harding Hartley Hawkes Heron Holt Ingram Jarvis Keane Kirby Lacey Langley Lark Marlow Mercer Moss Nash
    Norbury Oakes Osborne Parrish Penrose Pike Quill Radley Reeve Rook Rowan Sedgwick Shaw Stroud Tanner
    Thorne Tilbury Underhill Vance Wade Whitlock Wren Yardley`),
  places: list(`Ashford Barrowmere Brackley Castlebury Dunhaven Eastmarsh Elmwick Fernley Glenmoor Greyport
    Hawksworth Ivybridge Kestrelton Larkhill Millbrook Norwell Oakhampton Port-Ellis Quarndon Redcliff
    Saltmere Thornbury Upton Wexcombe Whitesand Yarrow`),
  sections: [
    'Technology',
    'Travel',
    'Business',
    'Science',
    'Culture',
    'Sports',
    'Health',
    'Food',
    'Politics',
    'Gardening',
    'Music',
    'Motoring',
    'Education',
    'Property',
  ],
  phrases: {
    home: 'Home',
    search: 'Search',
    about: 'About us',
    contact: 'Contact',
    help: 'Help',
    shop: 'Shop',
    forum: 'Forum',
    login: 'Log in',
    register: 'Register',
    privacy: 'Privacy policy',
    terms: 'Terms of use',
    sitemap: 'Site map',
    newsletter: 'Newsletter',
    subscribe: 'Subscribe',
    accept: 'Accept all cookies',
    settings: 'Change settings',
    categories: 'Categories',
    tags: 'Tags',
    latest: 'Latest news',
    related: 'Related stories',
    archive: 'Archive',
    poll: 'Reader poll',
    comments: 'Comments',
    leaveComment: 'Leave a comment',
    name: 'Your name',
    email: 'E-mail address',
    message: 'Your message',
    send: 'Send',
    share: 'Share this page',
    print: 'Print version',
    readMore: 'Read more',
    by: 'By',
    price: 'Price',
    availability: 'Availability',
    inStock: 'In stock',
    addToCart: 'Add to basket',
    delivery: 'Delivery and returns',
    description: 'Description',
    details: 'Details',
    reply: 'Reply',
    quote: 'Quote',
    report: 'Report',
    joined: 'Joined',
    posts: 'Posts',
    sortBy: 'Sort by',
    newest: 'newest',
    popular: 'most read',
    cheapest: 'lowest price',
    page: 'Page',
    next: 'Next',
    previous: 'Previous',
    visitors: 'Visitors',
    updated: 'Last updated',
    followUs: 'Follow us',
    rights: 'All rights reserved.',
    advertisement: 'Advertisement',
    skip: 'Skip to content',
    wrote: 'wrote',
  },
  date: (year, month, day) => `${MONTHS[month]} ${day}, ${year}`,
  sentencesPerParagraph: [3, 7],
};

/** German: compounds of two roots, since German makes its own. Needs letters of windows-1252. */
const GERMAN_MONTHS = list(
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
);

const HEADS =
  list(`Brücken Markt Garten Fluss Hafen Fenster Winter Sommer Berg Wald Straßen Stadt Dorf Kirchen
  Schul Bahn Wasser Wetter Licht Küchen Haus Werk Bild Buch Zeit Kunst Land Arbeits Bücher Feuer Hand Herbst
  Himmels Holz Königs Kräuter Mühlen Nacht Obst Papier Post Rat Reise Schiffs Tages Ufer Verkehrs Volks Wein
  Ziegel Äpfel Öl Übungs`);
const TAILS = list(`markt plan weg turm bau platz raum kreis stoff gang dienst tisch lauf fall schein rand
  meister wagen bogen grund wert teil stand kasten schlüssel brief vertrag bericht garten führer verein betrieb
  kessel mantel beitrag anteil rahmen schuppen zettel wächter händler spiegel`);

export const german: LanguageTable = {
  code: 'de',
  joint: ' ',
  stop: '. ',
  links: [', und ', ', aber ', ', weil ', ', während ', '; ', ', denn ', ', obwohl ', ', sodass '],
  clauses: [
    'der A N V den A N P dem N',
    'ein N P dem A N V den N R',
    'X V den A N P X',
    'R V der N # N P dem A N',
    'kein N V den N so R wie der A N',
    'P dem A N V der N einen A N',
    'der N und der N V R P dem N',
    'in X V man den A N R',
    'wer den A N V , V auch den N',
    'mindestens # N V P dem A N',
    'nach # Jahren V der A N wieder den N',
    'der N aus X V seinen A N',
  ],
  titles: [
    'Wie der A N den N V',
    'X V den A N',
    'Warum der N P dem N R V',
    'Der A N: ein N P X',
    '# Fragen an den A N',
    'X und der A N',
    'A N V N P X',
  ],
  words: {
    N: combine(1800, HEADS, TAILS).concat(
      list('Nachbar Lehrer Bürgermeister Schreiner Gärtner Bäcker Richter'),
    ),
    V: list(`findet sucht trägt baut öffnet schließt malt misst prüft zeigt verkauft begleitet beschreibt erreicht
      erklärt verlässt erneuert gewinnt hört kennt lobt meidet nennt ordnet pflegt rettet sammelt schätzt teilt
      überquert unterstützt vergisst wählt zählt zerlegt bewacht entdeckt`),
    A: list(`alten neuen stillen schmalen hölzernen hellen fernen frühen schweren ehrlichen eisernen kleinen
      hiesigen lauten nördlichen offenen blassen geduldigen schlichten höflichen seltenen runden ländlichen
      scharfen flachen einfachen langsamen festen steilen strengen sonnigen großen dünnen nützlichen weiten
      wilden gelben jüngeren teuren berühmten leeren goldenen feuchten fremden großzügigen`),
    R: list(`langsam oft selten wieder heute meist endlich sorgfältig gemeinsam leise beinahe immer plötzlich
      bereits vielleicht gern kaum zweimal später dennoch überall`),
    P: list('neben hinter über unter vor zwischen bei mit nach seit von aus gegenüber samt nahe'),
  },
  firstNames:
    list(`Anna August Berta Carl Clara Dora Eduard Elise Emil Erna Felix Frieda Fritz Greta Hanna Hans
    Hedwig Heinrich Ida Jakob Johanna Jörg Käthe Konrad Lena Lotte Ludwig Margarete Marie Max Otto Paula Rosa
    Rudolf Sophie Theo Ursula Walter Wilhelm`),
  lastNames:
    list(`Achterberg Bachmann Brandt Dreher Eichhorn Falkner Gerber Grünwald Hagedorn Huber Imhof Jäger
    Kästner Keller Köhler Lindner Möller Nagel Ostermann Pfister Quandt Reuter Rösler Sattler Schäfer Schuster
    Steinbach Thalmann Ulmer Vogt Wagner Weidner Zeller Zöllner`),
  places: list(`Altenbrück Birkenfelde Dornheim Eschental Föhrwald Grünhausen Hohenau Kirchbach Lindenrode
    Mühlstadt Niederwerth Oberaich Quellenburg Rabenstein Steinfurt Tannheim Uhlenhorst Wiesenthal`),
  sections: list(
    'Technik Reisen Wirtschaft Wissen Kultur Sport Gesundheit Küche Politik Garten Musik Bildung',
  ),
  phrases: {
    home: 'Startseite',
    search: 'Suche',
    about: 'Über uns',
    contact: 'Kontakt',
    help: 'Hilfe',
    shop: 'Laden',
    forum: 'Forum',
    login: 'Anmelden',
    register: 'Registrieren',
    privacy: 'Datenschutz',
    terms: 'Impressum',
    sitemap: 'Übersicht',
    newsletter: 'Rundbrief',
    subscribe: 'Abonnieren',
    accept: 'Alle akzeptieren',
    settings: 'Einstellungen ändern',
    categories: 'Rubriken',
    tags: 'Schlagwörter',
    latest: 'Neueste Beiträge',
    related: 'Mehr zum Thema',
    archive: 'Archiv',
    poll: 'Umfrage',
    comments: 'Kommentare',
    leaveComment: 'Kommentar schreiben',
    name: 'Ihr Name',
    email: 'E-Mail-Adresse',
    message: 'Ihre Nachricht',
    send: 'Absenden',
    share: 'Seite empfehlen',
    print: 'Druckansicht',
    readMore: 'Weiterlesen',
    by: 'Von',
    price: 'Preis',
    availability: 'Verfügbarkeit',
    inStock: 'Auf Lager',
    addToCart: 'In den Warenkorb',
    delivery: 'Versand und Rückgabe',
    description: 'Beschreibung',
    details: 'Einzelheiten',
    reply: 'Antworten',
    quote: 'Zitieren',
    report: 'Melden',
    joined: 'Dabei seit',
    posts: 'Beiträge',
    sortBy: 'Sortieren nach',
    newest: 'neueste',
    popular: 'meistgelesen',
    cheapest: 'Preis',
    page: 'Seite',
    next: 'Weiter',
    previous: 'Zurück',
    visitors: 'Besucher',
    updated: 'Letzte Änderung',
    followUs: 'Folgen Sie uns',
    rights: 'Alle Rechte vorbehalten.',
    advertisement: 'Anzeige',
    skip: 'Zum Inhalt',
    wrote: 'schrieb',
  },
  date: (year, month, day) => `${day}. ${GERMAN_MONTHS[month]} ${year}`,
  sentencesPerParagraph: [3, 6],
};
