/** How much text lies in which ranges. */
import type { Label, Range } from '../model/range.ts';
import { TextCursor } from '../parse/source-map.ts';
import type { Tree } from '../parse/tree.ts';

/** Bytes of `tree.text` by the label of the range they lie in; ranges tile the source. The space before a text goes with it. */
export function textBytesByLabel(tree: Tree, ranges: readonly Range[]): Record<Label, number> {
  const bytes: Record<Label, number> = { template: 0, slot: 0, content: 0, unsure: 0 };
  const cursor = new TextCursor(tree);
  let position = 0;
  for (const { end, label } of ranges) {
    const next = cursor.positionOf(end);
    bytes[label] += next - position;
    position = next;
  }
  return bytes;
}
