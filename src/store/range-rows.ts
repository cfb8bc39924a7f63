/**
 * Gathers rows of ranges for Parquet. A range nearly always has the same label, template, reason and role as the
 * range of the same template on the page before, so one lookup of the template finds the codes of all four. For
 * ranges without template, codes are looked up only when one of the values differs from the previous range.
 */
import { joinSlots, type Range } from '../model/range.ts';
import { FoundTemplates } from '../study/site-templates.ts';
import { TableRows } from './table-rows.ts';
import { RANGES } from './tables.ts';

/** Values of the last range of a template, and their codes in the columns. */
interface Said {
  label: string;
  reason: string;
  role: string;
  labelCode: number;
  templateCode: number;
  reasonCode: number;
  roleCode: number;
  /** File that the codes belong to. */
  file: number;
  /** Number of the template in order of first occurrence, from 0; -1 before it occurs as a template. */
  number: number;
}

/** Templates that a detector has found on a site. */
interface KnownTemplates {
  said: Map<string, Said>;
  /** Number of entries with a template number. */
  metCount: number;
}

/** Maximum number of rows whose columns are kept for the next task: 8 MB. */
const KEPT_ROWS = 1 << 18;
/** Empty columns from a finished task of this thread; the next `RangeRows` takes them over. */
let spareRows: RangeTable | undefined;
type RangeTable = TableRows<typeof RANGES.columns>;

/** Columns of the ranges of a task, until they are written. */
export class RangeRows {
  readonly #rows = takeSpareRows();
  /** Templates of the current site, by detector. */
  #known = new Map<string, KnownTemplates>();
  #site = '';
  readonly #withoutTemplate = nothingSaid();
  #files = 0;
  /** Templates of the page that was added last, by their numbers on the site. */
  readonly found = new FoundTemplates();

  get rowCount(): number {
    return this.#rows.rowCount;
  }

  /** Adds the ranges of a page. Returns one range for each template that is new for the detector on this site. */
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

    // add each occurrence of a template, joined with its slots
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

  /** Writes the rows to a file and clears them. */
  toParquet(path: string): void {
    this.#rows.toParquet(path);
    this.#rows.clear();
    this.#files++;
  }

  /** Hands the columns over to the next `RangeRows`; no rows can be added after this. */
  close(): void {
    const rows = this.#rows;
    rows.clear();
    if (rows.columns.page.numbers.length <= KEPT_ROWS) spareRows = rows;
  }

  /** Templates of a detector on a site; forgets those of the previous site. */
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
