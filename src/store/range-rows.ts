/**
 * The rows of the ranges on their way to Parquet. What a range says (label, template, reason, role) is nearly always what
 * the range of the same template said on the page before, so the codes of all four are found by one search for its
 * template; a range without one is looked up only when it says something else than the last.
 */
import { joinSlots, type Range } from '../model/range.ts';
import { FoundTemplates } from '../study/site-templates.ts';
import { TableRows } from './table-rows.ts';
import { RANGES } from './tables.ts';

/** What the last range of a template said, with its codes in the columns. */
interface Said {
  label: string;
  reason: string;
  role: string;
  labelCode: number;
  templateCode: number;
  reasonCode: number;
  roleCode: number;
  /** Codes hold for one file. */
  file: number;
  /** Its number among those that were met as templates, from 0 in that order; -1 when it was not. */
  number: number;
}

/** What a detector found on the pages of a site. */
interface KnownTemplates {
  said: Map<string, Said>;
  /** Those of them that were met as templates. */
  metCount: number;
}

/** Rows whose columns are kept for the next task, at most: 8 MB. */
const KEPT_ROWS = 1 << 18;
/** Empty columns that a task of this thread was done with; whoever takes them has them alone. */
let spareRows: RangeTable | undefined;
type RangeTable = TableRows<typeof RANGES.columns>;

export class RangeRows {
  readonly #rows = takeSpareRows();
  /** Of the site whose pages are being added, by detector. */
  #known = new Map<string, KnownTemplates>();
  #site = '';
  readonly #withoutTemplate = nothingSaid();
  #files = 0;
  /** The templates on the page that was added last, as its detector numbers them on this site. */
  readonly found = new FoundTemplates();

  get rowCount(): number {
    return this.#rows.rowCount;
  }

  /** Adds the ranges of a page; gives those whose template the detector has not met on this site, each once. */
  add(page: number, site: string, detector: string, ranges: readonly Range[]): Range[] {
    const rows = this.#rows;
    const first = rows.rowCount;
    const end = first + ranges.length;
    for (const column of rows.list) if (end > column.numbers.length) column.grow(end);
    const {
      page: pages,
      detector: detectors,
      label: labels,
      template: templates,
      reason: reasons,
      role: roles,
    } = rows.columns;
    pages.numbers.fill(page as never, first, end);
    detectors.numbers.fill(detectors.code(detector) as never, first, end);
    const startOf = rows.columns.start.numbers;
    const endOf = rows.columns.end.numbers;
    const labelOf = labels.numbers;
    const scoreOf = rows.columns.score.numbers;
    const templateOf = templates.numbers;
    const reasonOf = reasons.numbers;
    const roleOf = roles.numbers;
    const file = this.#files;
    const known = this.#knownTo(site, detector);
    const { said: saidOf } = known;
    const { found } = this;
    found.clear();
    const fresh: Range[] = [];

    for (let row = first; row < end; row++) {
      const range = ranges[row - first];
      const { template, label, reason, role = '' } = range;
      startOf[row] = range.start;
      endOf[row] = range.end;
      scoreOf[row] = range.score;
      let said = template === '' ? this.#withoutTemplate : saidOf.get(template);
      if (said === undefined) saidOf.set(template, (said = nothingSaid()));
      if (said.file !== file || said.label !== label || said.reason !== reason || said.role !== role) {
        said.file = file;
        said.label = label;
        said.reason = reason;
        said.role = role;
        said.labelCode = labels.code(label);
        said.templateCode = templates.code(template);
        said.reasonCode = reasons.code(reason);
        said.roleCode = roles.code(role);
      }
      labelOf[row] = said.labelCode;
      templateOf[row] = said.templateCode;
      reasonOf[row] = said.reasonCode;
      roleOf[row] = said.roleCode;
    }
    rows.rowCount = end;

    // occurrences of templates, each with its slots
    for (const range of joinSlots(ranges)) {
      if (range.label !== 'template' || range.template === '') continue;
      const said = saidOf.get(range.template)!;
      if (said.number < 0) {
        said.number = known.metCount++;
        fresh.push(range);
      }
      found.add(said.number, range.start, range.end);
    }
    return fresh;
  }

  /** Writes the rows so far to a file, and begins the next one. */
  toParquet(path: string): void {
    this.#rows.toParquet(path);
    this.#rows.clear();
    this.#files++;
  }

  /** Leaves the columns to who comes next; nothing can be added any more. */
  close(): void {
    const rows = this.#rows;
    rows.clear();
    if (rows.columns.page.numbers.length <= KEPT_ROWS) spareRows = rows;
  }

  /** The pages of a site follow each other. */
  #knownTo(site: string, detector: string): KnownTemplates {
    if (site !== this.#site) this.#known = new Map();
    this.#site = site;
    let known = this.#known.get(detector);
    if (!known) this.#known.set(detector, (known = { said: new Map(), metCount: 0 }));
    return known;
  }
}

function takeSpareRows(): RangeTable {
  const rows = spareRows ?? new TableRows(RANGES.columns);
  spareRows = undefined;
  return rows;
}

function nothingSaid(): Said {
  return {
    label: '',
    reason: '',
    role: '',
    labelCode: 0,
    templateCode: 0,
    reasonCode: 0,
    roleCode: 0,
    file: -1,
    number: -1,
  };
}
