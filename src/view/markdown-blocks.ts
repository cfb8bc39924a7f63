/**
 * Lines of Markdown inside quotes and lists. A container adds a prefix to every line of the blocks in it;
 * an item's first line gets its marker. Nesting deeper than `DEEPEST` is flattened, so that the prefixes
 * of a hostile page cannot outgrow its text.
 */
import { TAG, tagsOf } from '../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../parse/tree.ts';

export interface Container {
  kind: 'quote' | 'list' | 'item';
  /** Prefix of the first line and of all later ones. */
  marker: string;
  indent: string;
  /** Whether its first line was written. */
  begun: boolean;
}

const DEEPEST = 24;

export class BlockLines {
  readonly #lines: string[] = [];
  readonly #open: Container[] = [];
  /** The containers of the block written last. */
  #previous: Container[] = [];
  /** Containers of a rule that waits for a block after it. */
  #rule: Container[] | undefined;

  /** Opens a container; a list has no prefix of its own. */
  push(kind: Container['kind'], marker = ''): void {
    const flat = this.#open.length >= 2 * DEEPEST;
    const indent = kind === 'quote' ? marker : ' '.repeat(marker.length);
    this.#open.push({ kind, marker: flat ? '' : marker, indent: flat ? '' : indent, begun: false });
  }

  pop(): void {
    this.#open.pop();
  }

  /** Marker of the last item of a list that ended right here; empty when something else came last. */
  get markerBefore(): string {
    const depth = this.#open.length;
    const isHere =
      this.#previous[depth]?.kind === 'list' && this.#open.every((each, at) => each === this.#previous[at]);
    return isHere ? (this.#previous[depth + 1]?.marker ?? '') : '';
  }

  /** Parts the blocks on its sides; where the page has none on one of them, or they are dropped, there is no rule. */
  rule(): void {
    if (this.#lines.length > 0) this.#rule = [...this.#open];
  }

  /** Writes one block, a blank line before it where one is needed. */
  write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const rule = this.#rule;
    this.#rule = undefined;
    if (rule?.every((container, depth) => container === this.#open[depth])) {
      const inside = this.#open.splice(rule.length);
      this.#write(['***']);
      this.#open.push(...inside);
    }
    this.#write(lines);
  }

  #write(lines: readonly string[]): void {
    if (this.#lines.length > 0 && !this.#isTight()) this.#lines.push(this.#commonPrefix().trimEnd());
    for (const line of lines) {
      let prefix = '';
      for (const container of this.#open) {
        prefix += container.begun ? container.indent : container.marker;
        container.begun = true;
      }
      this.#lines.push((prefix + line).trimEnd());
    }
    this.#previous = [...this.#open];
  }

  finish(): string {
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }

  /** A new item needs no blank line after its neighbour or after the text of the item it is nested in. */
  #isTight(): boolean {
    const item = this.#open.findIndex((container) => container.kind === 'item' && !container.begun);
    if (item < 1) return false;
    const list = this.#open[item - 1];
    if (list.begun) return true;
    const nested = item >= 2 && this.#open[item - 2].kind === 'item';
    const marker = this.#open[item].marker;
    return (
      nested && this.#previous[item - 1]?.kind !== 'list' && (/^[-*]/.test(marker) || /^1\D/.test(marker))
    );
  }

  #commonPrefix(): string {
    let prefix = '';
    for (let at = 0; at < this.#open.length; at++) {
      if (this.#open[at] !== this.#previous[at]) break;
      prefix += this.#open[at].indent;
    }
    return prefix;
  }
}

/**
 * Which tables are tables: Markdown's cells hold one line of text each, so a table that lays out a page
 * (other tables, lists or headings in it), or that is ragged beyond reason, is written as its blocks.
 */

const BLOCKS_IN_CELL = new Set(
  tagsOf('table pre listing ul ol dl dir menu blockquote h1 h2 h3 h4 h5 h6 hr article section form fieldset'),
);

/** The table elements to write as Markdown tables. One pass over the nodes. */
export function findSimpleTables(tree: Tree): Set<number> {
  const simple = new Set<number>();
  const open: {
    node: number;
    rows: number;
    cells: number;
    widest: number;
    width: number;
    simple: boolean;
  }[] = [];
  const close = (): void => {
    const table = open.pop();
    if (table === undefined) return;
    const widest = Math.max(table.widest, table.width);
    const padding = table.rows * widest - table.cells;
    if (table.simple && table.rows > 1 && widest > 1 && padding <= 2 * table.cells + 16)
      simple.add(table.node);
  };
  for (let node = 1; node < tree.nodeCount; node++) {
    while (open.length > 0 && tree.last[open[open.length - 1].node] <= node) close();
    if (tree.kind[node] !== ELEMENT) continue;
    const tag = tree.name[node];
    const table = open.at(-1);
    if (table !== undefined) {
      if (BLOCKS_IN_CELL.has(tag)) table.simple = false;
      if (tag === TAG.tr) {
        table.rows++;
        table.widest = Math.max(table.widest, table.width);
        table.width = 0;
      } else if (tag === TAG.td || tag === TAG.th) {
        table.cells++;
        table.width++;
      }
    }
    if (tag === TAG.table) open.push({ node, rows: 0, cells: 0, widest: 0, width: 0, simple: true });
  }
  while (open.length > 0) close();
  return simple;
}

/** The rows of one simple table as they are read. */
export interface TableRows {
  rows: string[][];
  /** Whether the first row is a header. */
  header: boolean;
}

/** A table as lines of Markdown; undefined when what is left of it is no table any more. */
export function tableLines({ rows, header }: TableRows): string[] | undefined {
  const hasHeader = header && rows.length > 0 && rows[0].some((cell) => cell !== '');
  const inked = rows.filter((row) => row.some((cell) => cell !== ''));
  const width = inked.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2 || inked.length < 2) return undefined;
  const line = (cells: string[]): string =>
    `| ${Array.from({ length: width }, (_, column) => cells[column] ?? '').join(' | ')} |`;
  const rule = `|${' --- |'.repeat(width)}`;
  const [first, ...rest] = hasHeader ? inked : [[], ...inked];
  return [line(first), rule, ...rest.map(line)];
}
