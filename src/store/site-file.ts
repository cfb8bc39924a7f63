/** The sites of captures where they are not those that the survey names: what a plan by layout starts from. */
import { ColumnBuffer, type Schema } from './column-buffer.ts';

const SITE_SCHEMA = {
  /** Number of the capture, as in `Plan.identities`. */
  id: 'BIGINT',
  site: 'WORD',
} as const satisfies Schema;

export class SiteFile {
  readonly #rows = new ColumnBuffer(SITE_SCHEMA);

  add(id: number, site: string): void {
    this.#rows.add(id, site);
  }

  write(path: string): void {
    this.#rows.toParquet(path);
  }
}
