/**
 * Decides data tables, definition lists and lists as wholes. A score by block tears them: a number that other pages happen to
 * have goes, and the columns shift. Constant cells, such as the names of columns, follow the others.
 */
import * as layout from '../../kernel/block-layout.ts';
import { TAG } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';
import { ROLE } from './block-roles.ts';
import {
  IN_DIALOG,
  IS_CONSTANT,
  IS_NEXT_ARTICLE,
  KEPT_WITH_CONTENT,
  type KeptBlocks,
  LEFT_OUT_WITH_UNIT,
} from './block-verdict.ts';
import { isConstant, isSlotKnown } from './slot-variation.ts';

/** Mean words of a cell, and share of prose, above which a table is there for its layout. */
const CELL_WORDS = 12;
const TABLE_PROSE = 0.5;
const MIN_CELLS = 4;
/** Mean blocks of a cell above which a table is there for its layout, such as that of a post and its writer. */
const CELL_BLOCKS = 1.3;
/** Kept share of the words that vary from which on a table, a row or a pair is kept. */
const UNIT_SHARE = 0.5;
/** The same for the words of a list, or for the blocks of a numbered list, whose missing numbers readers notice. */
const LIST_SHARE = 0.3;
/** Maximum share of the words of a list in links: others are menus. */
const LIST_LINKS = 0.15;

/** Reasons that a unit does not change; constant items of a list stay out. */
const DECIDED = [IN_DIALOG, IS_NEXT_ARTICLE];
const DECIDED_IN_LIST = [...DECIDED, IS_CONSTANT];

const ELEMENT = layout.ELEMENT_WORDS_SIZE;
const RECORD = layout.BLOCK_RECORD_WORDS;

/** Keeps or drops the units of a page as wholes, in place. Linear in the nodes. */
export function keepUnits(tree: Tree, verdict: KeptBlocks, roles: Uint8Array): void {
  const { name, last, parent, nodeCount } = tree;
  const page = new UnitPage(verdict);
  for (let node = 1; node < nodeCount; ) {
    const tag = name[node];
    const isTable = tag === TAG.table || tag === TAG.dl;
    if (isTable && page.isData(tree, node)) {
      const { first, end } = page.blocksOf(node);
      // the comments of a table's column are not those of readers
      for (let block = first; block < end; block++)
        if (roles[block] === ROLE.comments) roles[block] = ROLE.facts;
      if (!page.decide({ first, end }, UNIT_SHARE, false)) {
        for (const row of rowsOf(tree, node)) {
          page.decide(page.blocksBetween(row.start, row.end), UNIT_SHARE, tag === TAG.table);
        }
      }
      node = last[node];
    } else {
      const isList = tag === TAG.ol || tag === TAG.ul;
      if (isList && name[parent[node]] !== TAG.li) page.keepList(node, tag === TAG.ol);
      node++;
    }
  }
}

/** Rows of a table; terms of a list with their definitions. Nodes, the end is exclusive. */
function rowsOf({ name, last }: Tree, node: number): { start: number; end: number }[] {
  const rows: { start: number; end: number }[] = [];
  for (let inner = node + 1; inner < last[node]; ) {
    if (name[inner] === TAG.tr) {
      rows.push({ start: inner, end: last[inner] });
      inner = last[inner];
      continue;
    }
    const row = rows.at(-1);
    if (name[inner] === TAG.dt && (row === undefined || name[inner - 1] !== TAG.dt))
      rows.push({ start: inner, end: last[inner] });
    else if (name[inner] === TAG.dd && row) row.end = last[inner];
    inner++;
  }
  return rows;
}

class UnitPage {
  readonly #verdict: KeptBlocks;
  readonly #records: Int32Array;
  readonly #rows: Float32Array;
  readonly #elements: Int32Array;
  readonly #floats: Float32Array;

  constructor(verdict: KeptBlocks) {
    const { records, rows, elements } = verdict.blocks;
    this.#verdict = verdict;
    this.#records = records;
    this.#rows = rows;
    this.#elements = elements;
    this.#floats = new Float32Array(elements.buffer, elements.byteOffset, elements.length);
  }

  /** Whether a table has rows of several short cells, or a definition list has terms, and none is nested. */
  isData({ name, last }: Tree, node: number): boolean {
    const at = node * ELEMENT;
    const words = this.#floats[at + layout.ELEMENT_WORDS];
    const cells = this.#elements[at + layout.ELEMENT_BLOCKS];
    if (cells < MIN_CELLS) return false;
    if (words > CELL_WORDS * cells || this.#floats[at + layout.ELEMENT_PROSE] > TABLE_PROSE * words)
      return false;
    let rows = 0;
    let inRows = 0;
    for (let inner = node + 1; inner < last[node]; inner++) {
      const tag = name[inner];
      if (tag === TAG.table || tag === TAG.dl || tag === TAG.form) return false;
      if (tag === TAG.tr || tag === TAG.dt) rows++;
      else if (tag === TAG.td || tag === TAG.th || tag === TAG.dd) inRows++;
    }
    const isRegular = cells <= CELL_BLOCKS * (name[node] === TAG.dl ? rows + inRows : inRows);
    return rows >= 2 && isRegular && inRows >= (name[node] === TAG.dl ? rows : 1.5 * rows);
  }

  /** The blocks of an element. */
  blocksOf(node: number): { first: number; end: number } {
    const at = node * ELEMENT;
    return {
      first: this.#elements[at + layout.ELEMENT_FIRST],
      end: this.#elements[at + layout.ELEMENT_LAST] + 1,
    };
  }

  /** The blocks whose first text is between two nodes. */
  blocksBetween(start: number, end: number): { first: number; end: number } {
    const first = this.#firstFrom(start);
    return { first, end: this.#firstFrom(end) };
  }

  /**
   * Keeps all blocks if a share of the words that vary is kept, and returns whether; else drops all of them if `drops`.
   * Without words that vary, all words decide.
   */
  decide({ first, end }: { first: number; end: number }, share: number, drops: boolean): boolean {
    let varying = 0;
    let keptVarying = 0;
    let words = 0;
    let keptWords = 0;
    for (let block = first; block < end; block++) {
      const size = this.#records[block * RECORD + layout.BLOCK_WORD_COUNT];
      const kept = this.#verdict.kept[block] * size;
      words += size;
      keptWords += kept;
      if (this.#isConstant(block)) continue;
      varying += size;
      keptVarying += kept;
    }
    const keeps = varying > 0 ? keptVarying >= share * varying : words > 0 && keptWords >= share * words;
    if (keeps || drops) this.#set(first, end, keeps);
    return keeps;
  }

  /** Keeps the rest of a list if enough of it is kept and it is no menu. */
  keepList(node: number, isNumbered: boolean): void {
    const { first, end } = this.blocksOf(node);
    let words = 0;
    let links = 0;
    let keptWords = 0;
    let keptBlocks = 0;
    for (let block = first; block < end; block++) {
      const size = this.#records[block * RECORD + layout.BLOCK_WORD_COUNT];
      words += size;
      links += this.#records[block * RECORD + layout.BLOCK_LINK_WORDS];
      keptWords += this.#verdict.kept[block] * size;
      keptBlocks += this.#verdict.kept[block];
    }
    if (keptBlocks === 0 || links > LIST_LINKS * words) return;
    if (keptWords >= LIST_SHARE * words || (isNumbered && keptBlocks >= LIST_SHARE * (end - first)))
      this.#set(first, end, true, DECIDED_IN_LIST);
  }

  #set(first: number, end: number, isKept: boolean, except: readonly number[] = DECIDED): void {
    const { kept, reasons } = this.#verdict;
    for (let block = first; block < end; block++) {
      if (kept[block] === (isKept ? 1 : 0) || except.includes(reasons[block])) continue;
      kept[block] = isKept ? 1 : 0;
      reasons[block] = isKept ? KEPT_WITH_CONTENT : LEFT_OUT_WITH_UNIT;
    }
  }

  #isConstant(block: number): boolean {
    const row = block * layout.ROW_FLOATS;
    return isSlotKnown(this.#rows, row) && isConstant(this.#rows, row);
  }

  #firstFrom(node: number): number {
    let low = 0;
    for (let high = this.#verdict.blocks.count; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.#records[middle * RECORD + layout.BLOCK_FIRST_TEXT] < node) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
