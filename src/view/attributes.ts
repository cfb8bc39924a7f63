/** All attributes of one element, decoded; see parse/attributes.ts for the reading of a single one. */
import { scanAttributes } from '../parse/attributes.ts';
import { decodeAttribute } from '../parse/character-references.ts';
import type { Tree } from '../parse/tree.ts';
import { sliceText } from './walk.ts';

export interface Attribute {
  /** In lower case. */
  name: string;
  /** Empty for an attribute without a value. */
  value: string;
}

/** The first attribute of each name, in order; none for implied elements. */
export function readAttributes({ source, start, openEnd }: Tree, node: number): Attribute[] {
  const values = new Map<string, string>();
  if (openEnd[node] <= start[node]) return [];
  for (const span of scanAttributes(source, start[node], openEnd[node])) {
    const name = sliceText(source, span.nameStart, span.nameEnd).toLowerCase();
    if (!values.has(name))
      values.set(name, decodeAttribute(sliceText(source, span.valueStart, span.valueEnd)));
  }
  return Array.from(values, ([name, value]) => ({ name, value }));
}
