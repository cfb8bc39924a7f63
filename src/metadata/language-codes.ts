/** Codes of languages: two letters of ISO 639-1 if one exists, else three letters of ISO 639-3. */

/** Pairs of ISO 639-1 and 639-3 codes (of the macrolanguage if there is one). */
const CODES =
  'af afr am amh ar ara az aze be bel bg bul bn ben bo bod bs bos ca cat cs ces cy cym da dan de deu el ell en eng eo epo es spa et est eu eus fa fas fi fin fo fao fr fra fy fry ga gle gd gla gl glg gu guj ha hau he heb hi hin hr hrv ht hat hu hun hy hye id ind ig ibo is isl it ita ja jpn jv jav ka kat kk kaz km khm kn kan ko kor ku kur ky kir la lat lb ltz lo lao lt lit lv lav mg mlg mk mkd ml mal mn mon mr mar ms msa mt mlt my mya ne nep nl nld nn nno no nor ny nya or ori pa pan pl pol ps pus pt por qu que ro ron ru rus rw kin sd snd si sin sk slk sl slv so som sq sqi sr srp st sot su sun sv swe sw swa ta tam te tel tg tgk th tha tk tuk tl tgl tr tur tt tat ug uig uk ukr ur urd uz uzb vi vie xh xho yi yid yo yor zh zho zu zul';

const LONG = new Map<string, string>();
const SHORT = new Map<string, string>();
const parts = CODES.split(' ');
for (let k = 0; k < parts.length; k += 2) {
  LONG.set(parts[k], parts[k + 1]);
  SHORT.set(parts[k + 1], parts[k]);
}
/** Maps single languages to the code of their group, and old codes to new ones. */
for (const [code, short] of Object.entries({
  ...{
    cmn: 'zh',
    yue: 'zh',
    arb: 'ar',
    pes: 'fa',
    prs: 'fa',
    nob: 'no',
    nb: 'no',
    in: 'id',
    iw: 'he',
    ji: 'yi',
  },
  ...{
    swh: 'sw',
    zlm: 'ms',
    azj: 'az',
    uzn: 'uz',
    khk: 'mn',
    ydd: 'yi',
    als: 'sq',
    lvs: 'lv',
    ekk: 'et',
    npi: 'ne',
  },
  ...{
    kmr: 'ku',
    ckb: 'ku',
    plt: 'mg',
    ory: 'or',
    pbu: 'ps',
    fil: 'tl',
    gsw: 'de',
    jpn: 'ja',
    mo: 'ro',
    sh: 'sr',
  },
  ...{
    ger: 'de',
    fre: 'fr',
    dut: 'nl',
    chi: 'zh',
    cze: 'cs',
    gre: 'el',
    per: 'fa',
    rum: 'ro',
    slo: 'sk',
    cn: 'zh',
  },
  ...{ jp: 'ja', cz: 'cs', gr: 'el', ua: 'uk', kr: 'ko', dk: 'da', se: 'sv' },
})) {
  SHORT.set(code, short);
}

/**
 * The language that a page declares (`de-AT`, `en_US`, `zho`) as its short code; empty if it is not a language. Pages
 * also declare country codes such as `se` in place of a language.
 */
export function languageCode(declared: string): string {
  const [, first] = /^\s{0,9}([A-Za-z]{2,3})(?:[-_,;. ]|$)/.exec(declared.slice(0, 40)) ?? [];
  if (first === undefined) return '';
  const code = first.toLowerCase();
  return LONG.has(code) ? code : (SHORT.get(code) ?? '');
}

/** The three-letter code of WARC-Identified-Content-Language, such as `deu`. */
export function threeLetterCode(language: string): string {
  return LONG.get(language) ?? language;
}
