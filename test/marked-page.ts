/** Pages for tests of views, written with their ranges: `{{…}}` is template, `{?…?}` is unsure. */

import type { Label, Range } from '../src/model/range.ts';
import type { Tree } from '../src/parse/tree.ts';
import { parseHeld } from './held-tree.ts';

export interface MarkedPage {
  tree: Tree;
  ranges: Range[];
  source: Uint8Array;
}

export function markedPage(marked: string): MarkedPage {
  const ranges: Range[] = [];
  let html = '';
  let label: Label = 'content';
  for (const piece of marked.split(/(\{\{|\}\}|\{\?|\?\})/)) {
    if (piece === '{{') label = 'template';
    else if (piece === '{?') label = 'unsure';
    else if (piece === '}}' || piece === '?}') label = 'content';
    else if (piece !== '') {
      const start = Buffer.byteLength(html);
      html += piece;
      ranges.push(markedRange(start, Buffer.byteLength(html), label));
    }
  }
  const source = new Uint8Array(Buffer.from(html));
  return { tree: parseHeld(source), ranges, source };
}

function markedRange(start: number, end: number, label: Label): Range {
  if (label === 'content') return { start, end, label, score: 1, template: '', reason: '' };
  if (label === 'unsure') return { start, end, label, score: 0.5, template: '', reason: 'too few pages' };
  return { start, end, label, score: 0.9, template: '00000000000000aa', reason: 'on 187 of 200 pages' };
}
