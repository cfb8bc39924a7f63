/** Attributes of one start tag, read from its bytes as a browser reads them. */
import { decodeReferences } from '../parse/text.ts';
import type { Tree } from '../parse/tree.ts';
import { sliceText } from './walk.ts';

export interface Attribute {
  /** In lower case. */
  name: string;
  /** Decoded; empty for an attribute without a value. */
  value: string;
}

/** name, then perhaps = and a value in double quotes, single quotes or none */
const ATTRIBUTE = /([^\s"'<>/=][^\s>/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y;
const NEXT = /[^\s/>]/g;

/** All attributes of an element, the first of each name; none for implied elements. */
export function readAttributes(tree: Tree, node: number): Attribute[] {
  const tag = sliceText(tree.source, tree.start[node], tree.openEnd[node]);
  const attributes: Attribute[] = [];
  const seen = new Set<string>();
  let at = /^<[^\s/>]*/.exec(tag)?.[0].length ?? tag.length;
  for (;;) {
    NEXT.lastIndex = at;
    if (!NEXT.test(tag)) return attributes;
    ATTRIBUTE.lastIndex = NEXT.lastIndex - 1;
    const found = ATTRIBUTE.exec(tag);
    if (found === null) {
      at = NEXT.lastIndex; // a stray quote, = or <
      continue;
    }
    at = ATTRIBUTE.lastIndex;
    const name = found[1].toLowerCase();
    if (seen.has(name)) continue;
    seen.add(name);
    attributes.push({ name, value: decodeReferences(found[2] ?? found[3] ?? found[4] ?? '') });
  }
}

/** One attribute's value; undefined when the element has none of that name. */
export function readAttribute(tree: Tree, node: number, name: string): string | undefined {
  return readAttributes(tree, node).find((attribute) => attribute.name === name)?.value;
}
