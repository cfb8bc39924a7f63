/**
 * Texts of the nearest earlier and the nearest later capture of a page's own URL. Text that stays with a page over time
 * and is on no other page is its content (Leśniak 2017, the patterns of previous and next). The converse does not hold.
 * We read 56 texts from eight sites with years between snapshots: nearly all texts that were in neither capture, on
 * otherwise unchanged pages, were edits of the content.
 */
import * as layout from '../../kernel/block-layout.ts';
import type { LabelContext, ParsedPage } from '../detector.ts';
import type { BlockReader } from './block-reader.ts';

/** Text ids of one capture. */
type Texts = ReadonlySet<string>;

/** Reads the captures of a page. Kernel memory may grow: views taken before are invalid afterwards. */
export function readCaptureTexts({ earlier, later }: LabelContext, reader: BlockReader): Texts[] {
  return [earlier, later].flatMap((side) => {
    const nearest = firstOf(side);
    return nearest ? [textsOf(nearest, reader)] : [];
  });
}

/** The text of a block as a key that is equal in every capture. */
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
