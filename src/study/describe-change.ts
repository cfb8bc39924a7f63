/** One change of a page as a person is told it: what it was and became, where, and whose it is. */
import { hashId } from '../analysis/byte-hash.ts';
import type { PageBlocks } from '../analysis/page-blocks.ts';
import type { PlacedTokens } from '../analysis/page-tokens.ts';
import type { BlockPair } from '../analysis/pair-blocks.ts';
import type { Label } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';
import { lineOfText, placeOf } from '../view/node-place.ts';

/** Characters of a text. */
const TEXT_CHARACTERS = 160;

export type ChangeKind = 'added' | 'removed' | 'changed' | 'more';

export interface PageChange {
  kind: ChangeKind;
  /** Of the new words; of the words around it for a removed block. */
  label: Label;
  /** `html > body > div#footer > p`, in the newer capture; in the older one for a removed block. */
  place: string;
  /** Beginnings of the blocks, on one line; empty when there is none. */
  oldText: string;
  newText: string;
  /** Ids of the whole texts of the blocks; empty when there is none. */
  oldKey: string;
  newKey: string;
  /** Words of the newer block; of the older one when it was removed. */
  words: number;
  /** Words that the other capture does not have. */
  newWords: number;
  lostWords: number;
}

/** One capture while it is compared. */
export interface Side {
  tree: Tree;
  placed: PlacedTokens;
  blocks: PageBlocks;
  /** By token: 1 when the other capture has it. */
  occurs: Uint8Array;
}

export class ChangeDescriber {
  readonly #older: Side;
  readonly #newer: Side;
  readonly #inTemplate: Uint8Array;
  readonly #places: Places;

  constructor(older: Side, newer: Side, inTemplate: Uint8Array, places: Places) {
    this.#older = older;
    this.#newer = newer;
    this.#inTemplate = inTemplate;
    this.#places = places;
  }

  describe({ old, new: block, before, behind }: BlockPair, newWords: number, lostWords: number): PageChange {
    const older = this.#older;
    const newer = this.#newer;
    return {
      kind: old < 0 ? 'added' : block < 0 ? 'removed' : 'changed',
      label: block < 0 ? this.#labelAround(before, behind) : this.#labelOf(block),
      place: block < 0 ? this.#places.old(nodeOf(older, old)) : this.#places.new(nodeOf(newer, block)),
      oldText: textOfBlock(older, old),
      newText: textOfBlock(newer, block),
      oldKey: old < 0 ? '' : hashId(older.blocks.low[old], older.blocks.high[old]),
      newKey: block < 0 ? '' : hashId(newer.blocks.low[block], newer.blocks.high[block]),
      words: block < 0 ? older.blocks.words[old] : newer.blocks.words[block],
      newWords,
      lostWords,
    };
  }

  /** Of most of the words that are new, or of all when words were only lost. */
  #labelOf(block: number): Label {
    const { placed, blocks, occurs } = this.#newer;
    let unseen = 0;
    let unseenTemplate = 0;
    let words = 0;
    let template = 0;
    for (let token = blocks.firstToken[block]; token <= blocks.lastToken[block]; token++) {
      if (placed.textEnd[token] === placed.textStart[token]) continue;
      words++;
      template += this.#inTemplate[token];
      if (occurs[token] === 1) continue;
      unseen++;
      unseenTemplate += this.#inTemplate[token];
    }
    const isTemplate = unseen > 0 ? 2 * unseenTemplate > unseen : 2 * template > words;
    return isTemplate ? 'template' : 'content';
  }

  #labelAround(before: number, behind: number): Label {
    const around = [before, behind].filter((block) => block >= 0);
    const isTemplate = around.length > 0 && around.every((block) => this.#labelOf(block) === 'template');
    return isTemplate ? 'template' : 'content';
  }
}

function textOfBlock({ tree, placed, blocks }: Side, block: number): string {
  if (block < 0) return '';
  const start = placed.textStart[blocks.firstToken[block]];
  return lineOfText(tree, start, placed.textEnd[blocks.lastToken[block]], TEXT_CHARACTERS);
}

/** Places of elements, told once each. */
export class Places {
  readonly #older: Tree;
  readonly #newer: Tree;
  readonly #oldPlaces = new Map<number, string>();
  readonly #newPlaces = new Map<number, string>();

  constructor(older: Tree, newer: Tree) {
    this.#older = older;
    this.#newer = newer;
  }

  old(node: number): string {
    return tell(this.#older, node, this.#oldPlaces);
  }

  new(node: number): string {
    return tell(this.#newer, node, this.#newPlaces);
  }
}

function tell(tree: Tree, node: number, told: Map<number, string>): string {
  let place = told.get(node);
  if (place === undefined) {
    place = placeOf(tree, node);
    told.set(node, place);
  }
  return place;
}

/** The text or element that the first word of a block stands in. */
export function nodeOf({ placed, blocks }: Side, block: number): number {
  return placed.tokenNode[blocks.firstToken[block]];
}
