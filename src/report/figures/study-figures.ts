/** Makes figures 1 to 4 of Gibson, Punera and Tomkins and related figures from the templates of an archive. */
import { DOM_TRIAL } from '../../detect/settings-trial.ts';
import { countOf } from '../../model/count-of.ts';
import type { Study } from '../../store/study/read-study.ts';
import { SHARE_COLUMNS, STUDY_QUERIES } from '../../store/study/study-queries.ts';
import { formatCount, formatPercent } from '../format-numbers.ts';
import { cellOf, type Figure, tableOf } from './figure.ts';

/** Returns the figures about templates of all sites. */
export function studyFigures(study: Study): Figure[] {
  return [
    settingsFigure(study),
    categoryFigure(study),
    siteTable(study),
    rankFigure(study),
    aggregationFigure(study),
    cacheFigure(study),
    sharedFigure(study),
  ];
}

function settingsFigure({ settings }: Study): Figure {
  const figure: Figure = {
    id: 'figure-01',
    slug: 'text-settings',
    title: 'Cost and share by settings W.F.D.P of the text detector',
    sentence: '',
    ...tableOf(settings, ['settings', 'windows', 'text_share', 'sites']),
    shares: ['text_share'],
    query: STUDY_QUERIES.settings.sql(),
  };
  if (settings.length === 0) {
    return {
      ...figure,
      absent:
        'A run has one setting W.F.D.P of the text detector; chaff report --compare-settings compares several.',
    };
  }
  const dom = settings.find((row) => row.settings === DOM_TRIAL);
  const compared = settings.filter((row) => row !== dom);
  const [most] = [...compared].sort((a, b) => b.text_share - a.text_share);
  const cheapest = compared[compared.length - 1];
  const roundedCount = (windows: number) => formatCount(Math.round(windows));
  const found = `${most.settings} finds most: ${formatPercent(most.text_share)} of the text of an average page lies in templates, for ${roundedCount(most.windows)} windows to count on a site`;
  const cheap =
    most === cheapest
      ? ''
      : `; ${cheapest.settings} finds ${formatPercent(cheapest.text_share)} with ${roundedCount(cheapest.windows)}`;
  const byDom =
    dom === undefined
      ? ''
      : ` The dom detector finds ${formatPercent(dom.text_share)} by ${roundedCount(dom.windows)} nodes.`;
  figure.sentence = `${found}${cheap}.${byDom} Seconds are in run.json.`;
  figure.plot = {
    x: { label: 'windows (dom: nodes) to count on a site (log scale)', scale: 'log' },
    y: { label: 'text found in templates', scale: 'share' },
    series: [
      {
        name: 'settings',
        kind: 'points',
        points: compared.map((row) => [Math.max(1, row.windows), row.text_share]),
        names: compared.map((row) => row.settings),
      },
      ...(dom === undefined
        ? []
        : [
            {
              name: 'dom detector',
              kind: 'points' as const,
              points: [[Math.max(1, dom.windows), dom.text_share] as [number, number]],
              names: [DOM_TRIAL],
            },
          ]),
    ],
  };
  return figure;
}

/** Minimum number of points for a fitted line. */
const MIN_RANKS = 5;

const SHARES = SHARE_COLUMNS;
const SHARES_BY_SIZE = SHARE_COLUMNS.map((name) => `${name}_by_size` as const);

function sharesOf<Name extends string>(
  row: Record<Name, number | null>,
  names: readonly Name[],
): (number | string)[] {
  return names.map((name) => cellOf(row[name]));
}

function categoryFigure({ categoryShares, unknownSites, hasBoth }: Study): Figure {
  const overall = categoryShares.find(({ category }) => category === 'OVERALL');
  const groups = categoryShares.filter((row) => row !== overall);
  const by = [...groups].sort((a, b) => (b.dom_text ?? 0) - (a.dom_text ?? 0));
  const figure: Figure = {
    id: 'figure-02',
    slug: 'category-shares',
    title: 'Shares inside templates by category, means over sites and by size',
    sentence: '',
    columns: ['category', 'sites', 'pages', ...SHARES, ...SHARES_BY_SIZE],
    shares: [...SHARES, ...SHARES_BY_SIZE],
    rows: categoryShares.map((row) => [
      row.category ?? '',
      row.sites ?? 0,
      row.pages ?? 0,
      ...sharesOf(row, SHARES),
      ...sharesOf(row, SHARES_BY_SIZE),
    ]),
    query: STUDY_QUERIES.categoryShares.sql(),
  };
  if (!hasBoth)
    return {
      ...figure,
      absent: 'It compares the detectors dom and text; chaff report --detector dom runs both.',
    };
  if (!overall) {
    return {
      ...figure,
      absent:
        'Categories of sites were not given: chaff report --categories sites.csv, with columns site and category.',
    };
  }
  const unknown = unknownText(unknownSites);
  if (by.length === 0)
    return { ...figure, absent: `No site of the file of categories is in the archive.${unknown}` };
  const most = by[0];
  const least = by[by.length - 1];
  const between =
    most === least
      ? ''
      : `; most on ${most.category} (${formatPercent(most.dom_text)}), least on ${least.category} (${formatPercent(least.dom_text)})`;
  figure.sentence = `On the ${countOf(overall.sites ?? 0, 'site')} with a category ${formatPercent(overall.dom_text)} of the text lies in templates by dom and ${formatPercent(overall.text_based)} by text, the means over sites${between}; by size, where a site weighs as much as it has pages, ${formatPercent(overall.dom_text_by_size)} and ${formatPercent(overall.text_based_by_size)}.${unknown}`;
  return figure;
}

/** Returns a note on sites without pages, so that a mistyped name is noticed. */
function unknownText(unknown: Study['unknownSites']): string {
  if (unknown.length === 0) return '';
  const [{ sites }] = unknown;
  const more = sites - unknown.length;
  return ` ${formatCount(sites)} of the file’s sites ${sites === 1 ? 'has' : 'have'} no page here: ${unknown.map(({ site }) => site).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`;
}

function siteTable({ siteShares, siteMeans, hasBoth }: Study): Figure {
  const hasCategories = siteShares.some(({ categories }) => categories !== undefined);
  const named = (site: string, categories: string | undefined, pages: number | string) =>
    hasCategories ? [site, categories ?? '', pages] : [site, pages];
  const figure: Figure = {
    id: 'table-03',
    slug: 'site-shares',
    title: 'Shares inside templates by site (the paper’s appendix)',
    sentence: '',
    columns: ['site', ...(hasCategories ? ['categories'] : []), 'pages', ...SHARES],
    shares: SHARES,
    rows: [
      ...siteShares.map((row) => [
        ...named(row.site ?? '', row.categories, row.pages ?? 0),
        ...sharesOf(row, SHARES),
      ]),
      ...(siteMeans === undefined
        ? []
        : [
            [...named('mean over sites', '', ''), ...sharesOf(siteMeans, SHARES)],
            [...named('mean by size', '', ''), ...sharesOf(siteMeans, SHARES_BY_SIZE)],
          ]),
    ],
    query: (hasCategories ? STUDY_QUERIES.siteSharesWithCategories : STUDY_QUERIES.siteShares).sql(),
  };
  if (!hasBoth)
    return {
      ...figure,
      absent: 'It compares the detectors dom and text; chaff report --detector dom runs both.',
    };
  if (siteMeans === undefined || siteMeans.apart === null) return { ...figure, absent: 'No page has text.' };
  const apart = (text: number | null, dom: number | null): string =>
    (100 * Math.abs((text ?? 0) - (dom ?? 0))).toFixed(1);
  figure.sentence = `The two detectors’ means of text are ${apart(siteMeans.text_based, siteMeans.dom_text)} points apart over sites and ${apart(siteMeans.text_based_by_size, siteMeans.dom_text_by_size)} by size (the paper: 7 and 8); on a single site they differ by ${(100 * siteMeans.apart).toFixed(1)} points on average (the paper’s appendix: 10.8). Here a site’s share is the mean of its pages, each once; the table of all sites adds up the bytes of its pages, so that long pages weigh more there.`;
  return figure;
}

function rankFigure({ detector, templateCounts, rankFrequency, powerLaw }: Study): Figure {
  const { exponent, first, r2 } = powerLaw ?? {};
  const count = templateCounts.templates;
  const figure: Figure = {
    id: 'figure-03',
    slug: 'rank-frequency',
    title: 'How often templates occur',
    sentence: '',
    ...tableOf(rankFrequency, ['rank', 'occurrences', 'share_so_far']),
    allRows: count,
    query: STUDY_QUERIES.rankFrequency.sql(detector),
  };
  if (count < 2)
    return {
      ...figure,
      absent: `${count === 1 ? 'There is 1 template' : 'There are no templates'}: too few to rank.`,
    };
  const half = rankFrequency.find(({ share_so_far }) => share_so_far >= 0.5);
  const most = half?.rank ?? count;
  const share = formatPercent(half?.share_so_far ?? 1);
  const fit = count >= MIN_RANKS && typeof exponent === 'number' && typeof first === 'number' && exponent > 0;
  const law = fit
    ? ` Least squares in log–log, over ranks a tenth of a decade apart, give a power law with exponent ${exponent.toFixed(2)} (R² ${(r2 ?? 0).toFixed(2)}; the paper draws 0.8 for comparison).`
    : '';
  figure.sentence = `${formatCount(count)} templates by ${detector} occur ${formatCount(templateCounts.occurrences)} times; ${most === 1 ? 'the first one makes' : `the first ${formatCount(most)} make`} ${share} of the occurrences.${law}`;
  figure.plot = {
    x: { label: 'rank of the template (log scale)', scale: 'log' },
    y: { label: 'occurrences (log scale)', scale: 'log', from: 1 },
    series: [
      {
        name: 'templates',
        kind: 'points',
        points: rankFrequency.map(({ rank, occurrences }) => [rank, occurrences]),
      },
      ...(fit
        ? [
            {
              name: `rank to the power of −${exponent.toFixed(2)}`,
              kind: 'line' as const,
              faint: true,
              points: lawPoints(first, exponent, count),
            },
          ]
        : []),
    ],
  };
  return figure;
}

/** Returns the power law from the first rank to the last, or to the rank where it falls below one occurrence. */
function lawPoints(first: number, exponent: number, count: number): [number, number][] {
  const end = Math.min(count, first ** (1 / exponent));
  return [
    [1, first],
    [Math.max(1.01, end), first * Math.max(1.01, end) ** -exponent],
  ];
}

function aggregationFigure({ detector, aggregation }: Study): Figure {
  const figure: Figure = {
    id: 'figure-04',
    slug: 'aggregation',
    title: 'Whole templates and what they cover',
    sentence: '',
    ...tableOf(aggregation, ['aggregated', 'covered_share', 'hashes', 'sites']),
    query: STUDY_QUERIES.aggregation.sql(detector),
  };
  if (aggregation.length === 0) return { ...figure, absent: 'There are no templates to put together.' };
  const [first] = aggregation;
  const enough = aggregation.find(({ covered_share }) => covered_share >= 0.9);
  const last = aggregation[aggregation.length - 1];
  const hashes = (row: typeof first) =>
    countOf(Number(row.hashes.toFixed(1)), 'template hash', 'template hashes');
  const covers = `covers ${formatPercent(first.covered_share)} of its template bytes on average`;
  if (enough === first || last === first)
    figure.sentence = `The first whole template of a site, made of ${hashes(first)}, ${covers}.`;
  else if (enough)
    figure.sentence = `The first whole template of a site ${covers}; the first ${formatCount(enough.aggregated)}, made of ${hashes(enough)}, cover ${formatPercent(enough.covered_share)}.`;
  else
    figure.sentence = `The first whole template of a site ${covers}; the first ${formatCount(last.aggregated)} cover ${formatPercent(last.covered_share)}.`;
  figure.plot = {
    x: { label: 'whole templates per site', scale: 'linear', from: 0 },
    y: { label: 'template bytes covered', scale: 'share' },
    right: { label: 'template hashes', scale: 'linear', from: 0 },
    series: [
      {
        name: 'bytes covered (left)',
        kind: 'line',
        points: aggregation.map((row) => [row.aggregated, row.covered_share]),
      },
      {
        name: 'template hashes needed (right)',
        kind: 'line',
        right: true,
        points: aggregation.map((row) => [row.aggregated, row.hashes]),
      },
    ],
  };
  return figure;
}

function cacheFigure({ detector, cache }: Study): Figure {
  const figure: Figure = {
    id: 'table-04',
    slug: 'cache',
    title: 'What a cache of templates would save',
    sentence: '',
    ...tableOf(cache, ['entries', 'occurrences', 'bytes_saved']),
    shares: ['occurrences', 'bytes_saved'],
    query: STUDY_QUERIES.cache.sql(detector),
  };
  if (cache.length === 0) return { ...figure, absent: 'There are no templates to cache.' };
  const half = cache.find(({ bytes_saved }) => bytes_saved >= 0.5);
  const all = cache[cache.length - 1];
  const saved = ({ bytes_saved }: typeof all) => `saves ${formatPercent(bytes_saved)} of all template bytes`;
  if (all.entries === 1) figure.sentence = `A cache of the only template ${saved(all)}.`;
  else if (half && half !== all)
    figure.sentence = `A cache of ${countOf(half.entries, 'template')} ${saved(half)}; all ${formatCount(all.entries)} would save ${formatPercent(all.bytes_saved)}.`;
  else figure.sentence = `A cache of all ${formatCount(all.entries)} templates ${saved(all)}.`;
  return figure;
}

function sharedFigure({ detector, sharedBySites, templateCounts }: Study): Figure {
  const figure: Figure = {
    id: 'table-05',
    slug: 'shared-by-sites',
    title: 'Templates that occur on more than one site',
    sentence: `Of ${countOf(templateCounts.templates, 'template')} by ${detector} ${formatCount(templateCounts.on_several_sites)} of 32 bytes and more ${templateCounts.on_several_sites === 1 ? 'occurs' : 'occur'} on more than one site (the paper: 3 of 3,000); shorter ones are not counted. Likely causes: ${causesOf(sharedBySites)}.`,
    ...tableOf(
      sharedBySites.map((row) => ({ ...row, text: row.text.slice(0, 120) })),
      ['template', 'sites', 'occurrences', 'size_bytes', 'on_sites', 'likely_cause', 'text'],
    ),
    allRows: templateCounts.on_several_sites,
    query: STUDY_QUERIES.sharedBySites.sql(detector),
  };
  return sharedBySites.length > 0
    ? figure
    : { ...figure, absent: 'No template of 32 bytes and more occurs on more than one site.' };
}

/** Returns counts such as `5 shared software, 2 decoration`, most first. */
function causesOf(shared: Study['sharedBySites']): string {
  const counts = new Map<string, number>();
  for (const { likely_cause: cause } of shared) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([cause, count]) => `${formatCount(count)} ${cause}`)
    .join(', ');
}
