/** German: compounds of two roots, since German makes its own. Needs letters of windows-1252. */
import { combine, type LanguageTable, list } from './language.ts';

const MONTHS = list('Januar Februar März April Mai Juni Juli August September Oktober November Dezember');

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
  date: (year, month, day) => `${day}. ${MONTHS[month]} ${year}`,
  sentencesPerParagraph: [3, 6],
};
