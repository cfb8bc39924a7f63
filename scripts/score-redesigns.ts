/**
 * Scores the redesigns found by `chaff changes` against a list made by people.
 *
 * The list is CSV with the columns `site`, `date`, `kind` and any others. `site` is the site's name in the rows or
 * an ending of it; `date` is a year, month or day, a prefix of the first day of the new design; `kind` is `yes` for
 * a redesign, and `small` or `no` for other changes. Dates that are not listed count as `no`.
 */
/** Kinds of listed changes. */
const TRUTH_KINDS = ['yes', 'small', 'no'] as const;

/** One line of the list. */
export interface RedesignTruth {
  site: string;
  date: string;
  kind: (typeof TRUTH_KINDS)[number];
}

/** Fields of a row of `chaff changes --format jsonl` that are used. */
export interface FoundRedesign {
  class: string;
  site: string;
  first: string;
}

/** Counts of one site. */
export interface RedesignScore {
  site: string;
  /** Listed redesigns, those of them that were found, and found redesigns that are not listed. */
  listed: number;
  right: number;
  wrong: string[];
  missed: string[];
}

/** Reads a list; throws at the first invalid line. */
export function readRedesignTruth(csv: string): RedesignTruth[] {
  const [header, ...lines] = csv.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const names = (header ?? '').split(',').map((name) => name.trim());
  const [site, date, kind] = ['site', 'date', 'kind'].map((name) => names.indexOf(name));
  if (Math.min(site, date, kind) < 0)
    throw new Error(`a list of redesigns has the columns site, date and kind, not ${header ?? 'nothing'}`);
  return lines.map((line, at) => {
    const cells = line.split(',').map((cell) => cell.trim());
    const row = { site: cells[site], date: cells[date], kind: cells[kind] as RedesignTruth['kind'] };
    if (!row.site || !/^\d{4}(-\d\d){0,2}$/.test(row.date ?? '') || !TRUTH_KINDS.includes(row.kind))
      throw new Error(`row ${at + 1} is not site,date,yes|small|no: ${line.slice(0, 100)}`);
    return row;
  });
}

/** Returns the scores by site, in the order of the list; rows of other sites are ignored. */
export function scoreRedesigns(
  truth: readonly RedesignTruth[],
  rows: readonly FoundRedesign[],
): RedesignScore[] {
  const found = rows.filter((row) => row.class === 'redesign');
  return [...new Set(truth.map(({ site }) => site))].map((site) => {
    const own = found.filter((row) => row.site === site || row.site.endsWith(`/${site}`));
    const listed = truth.filter((row) => row.site === site && row.kind === 'yes');
    const missed = listed.filter(({ date }) => !own.some(({ first }) => first.startsWith(date)));
    const wrong = own.filter(({ first }) => !listed.some(({ date }) => first.startsWith(date)));
    return {
      site,
      listed: listed.length,
      right: listed.length - missed.length,
      wrong: wrong.map(({ first }) => first),
      missed: missed.map(({ date }) => date),
    };
  });
}

/** Returns precision (1 when nothing was found) and recall (1 when nothing is listed). */
export function precisionAndRecall(scores: readonly RedesignScore[]): { precision: number; recall: number } {
  const sum = (of: (score: RedesignScore) => number) => scores.reduce((total, score) => total + of(score), 0);
  const right = sum((score) => score.right);
  const found = right + sum((score) => score.wrong.length);
  const listed = sum((score) => score.listed);
  return { precision: found === 0 ? 1 : right / found, recall: listed === 0 ? 1 : right / listed };
}
