/**
 * Names of months by language, full and short, also in the form after a number (`5 maja`, `5 мая`). Used only for
 * dates; no verdict on a text depends on them.
 */
const MONTHS: Record<string, string> = {
  en: 'january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|november nov|december dec',
  de: 'januar jan jänner jän|februar feb feber|märz mär mrz maerz|april apr|mai|juni jun|juli jul|august aug|september sep sept|oktober okt|november nov|dezember dez',
  fr: 'janvier janv|février févr fevrier fev|mars|avril avr|mai|juin|juillet juil|août aout|septembre sept|octobre oct|novembre nov|décembre déc decembre dec',
  es: 'enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre setiembre sep set|octubre oct|noviembre nov|diciembre dic',
  it: 'gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|settembre set sett|ottobre ott|novembre nov|dicembre dic',
  pt: 'janeiro jan|fevereiro fev|março mar marco|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set|outubro out|novembro nov|dezembro dez',
  nl: 'januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep|oktober okt|november nov|december dec',
  pl: 'stycznia styczeń sty|lutego luty lut|marca marzec mar|kwietnia kwiecień kwi|maja maj|czerwca czerwiec cze|lipca lipiec lip|sierpnia sierpień sie|września wrzesień wrz|października październik paź|listopada listopad lis|grudnia grudzień gru',
  cs: 'ledna leden|února únor|března březen|dubna duben|května květen|června červen|července červenec|srpna srpen|září|října říjen|listopadu|prosince prosinec',
  sv: 'januari jan|februari feb|mars mar|april apr|maj|juni jun|juli jul|augusti aug|september sep|oktober okt|november nov|december dec',
  da: 'januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|september sep|oktober okt|november nov|december dec',
  fi: 'tammikuuta tammikuu|helmikuuta helmikuu|maaliskuuta maaliskuu|huhtikuuta huhtikuu|toukokuuta toukokuu|kesäkuuta kesäkuu|heinäkuuta heinäkuu|elokuuta elokuu|syyskuuta syyskuu|lokakuuta lokakuu|marraskuuta marraskuu|joulukuuta joulukuu',
  hu: 'január jan|február febr|március márc|április ápr|május máj|június jún|július júl|augusztus aug|szeptember szept|október okt|november nov|december dec',
  ro: 'ianuarie ian|februarie feb|martie mar|aprilie apr|mai|iunie iun|iulie iul|august aug|septembrie sep|octombrie oct|noiembrie noi|decembrie dec',
  tr: 'ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık',
  id: 'januari jan|februari feb|maret mar|april apr|mei|juni jun|juli jul|agustus agt|september sep|oktober okt|november nov|desember des',
  ru: 'января январь янв|февраля февраль фев|марта март мар|апреля апрель апр|мая май|июня июнь июн|июля июль июл|августа август авг|сентября сентябрь сен сент|октября октябрь окт|ноября ноябрь ноя нояб|декабря декабрь дек',
  uk: 'січня січень|лютого лютий|березня березень|квітня квітень|травня травень|червня червень|липня липень|серпня серпень|вересня вересень|жовтня жовтень|листопада листопад|грудня грудень',
  el: 'ιανουαρίου ιανουάριος ιαν|φεβρουαρίου φεβρουάριος φεβ|μαρτίου μάρτιος μαρ|απριλίου απρίλιος απρ|μαΐου μάιος μαϊ μαΐ μαϊου|ιουνίου ιούνιος ιουν|ιουλίου ιούλιος ιουλ|αυγούστου αύγουστος αυγ|σεπτεμβρίου σεπτέμβριος σεπ σεπτ|οκτωβρίου οκτώβριος οκτ|νοεμβρίου νοέμβριος νοε|δεκεμβρίου δεκέμβριος δεκ',
  ar: 'يناير كانون|فبراير شباط|مارس آذار|أبريل نيسان إبريل|مايو أيار|يونيو حزيران|يوليو تموز|أغسطس آب|سبتمبر أيلول|أكتوبر|نوفمبر|ديسمبر',
  hr: 'siječnja|veljače|ožujka|travnja|svibnja|lipnja|srpnja|kolovoza|rujna|studenoga studenog|prosinca',
};

const NUMBERS = new Map<string, number>();
for (const months of Object.values(MONTHS)) {
  for (const [index, names] of months.split('|').entries()) {
    for (const name of names.split(' ')) {
      NUMBERS.set(name, index + 1);
      NUMBERS.set(foldName(name), index + 1);
    }
  }
}
// ambiguous names have one entry: `listopad` is November in Polish; October in Croatian is not listed

/** The number of a month, from 1, by its name in any case; undefined for other words. */
export function monthNumber(name: string): number | undefined {
  const lower = name.toLowerCase();
  return NUMBERS.get(lower) ?? NUMBERS.get(foldName(lower));
}

/** Removes accents, which texts in capitals often lack. */
function foldName(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '');
}
