/**
 * Texts of a page's own captures, the nearest before it and the nearest after it: what stays with a page over time and is
 * on no other page is its content (Leśniak 2017, the patterns of previous and next). The opposite does not hold: of 56
 * texts that we read, drawn from eight sites with years between snapshots, nearly all that were in neither capture, while
 * the rest of the page was, were edits of the text.
 */
import * as layout from '../../kernel/block-layout.ts';
import type { LabelContext, ParsedPage } from '../detector.ts';
import type { BlockReader } from './block-reader.ts';

/** Texts of one capture. */
type Texts = ReadonlySet<string>;

/** Reads the captures of a page; moves memory of the kernel, so that views taken before no longer hold. */
export function readCaptures({ earlier, later }: LabelContext, reader: BlockReader): Texts[] {
  return [earlier, later].flatMap((side) => {
    const nearest = firstOf(side);
    return nearest ? [textsOf(nearest, reader)] : [];
  });
}

/** The text of a block as the captures' texts have it. */
export function textId(records: Int32Array, block: number): string {
  const at = block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_TEXT;
  return `${records[at]} ${records[at + 1]}`;
}

function firstOf(captures: Iterable<ParsedPage> | undefined): ParsedPage | undefined {
  for (const capture of captures ?? []) return capture;
  return undefined;
}

function textsOf({ page, tree }: ParsedPage, reader: BlockReader): Texts {
  const { count, records } = reader.find(tree, page.url);
  return new Set(Array.from({ length: count }, (_, block) => textId(records, block)));
}
