import { expect, test } from 'vitest';
import { readStretches } from '../../../test/stretches.ts';
import type { Label } from '../../model/range.ts';
import { tagName } from '../../parse/tag-names.ts';
import { ELEMENT } from '../../parse/tree.ts';
import {
  CONTENT_CLASS,
  MIXED_CLASS,
  NO_CLASS,
  propagateClasses,
  TEMPLATE_CLASS,
  UNSURE_CLASS,
} from './cross-ranges.ts';

const LABELS: Label[] = ['content', 'template', 'unsure'];

/** Returns the classes of elements by name; a word gives its label: c, t or u. */
function classesOf(html: string): Record<string, number> {
  const { tree, stretches } = readStretches(html, (word) => 'ctu'.indexOf(word[0]));
  for (const stretch of stretches) stretch.label = LABELS[stretch.bits];
  const classes = propagateClasses(tree, stretches);
  const named: Record<string, number> = {};
  for (let node = 1; node < tree.nodeCount; node++) {
    if (tree.kind[node] === ELEMENT) named[tagName(tree, node)] = classes[node];
  }
  return named;
}

test('an element whose texts all have one class gets that class', () => {
  expect(classesOf('<div><p><b>t</b> <i>t</i></p></div><section>c</section>')).toMatchObject({
    b: TEMPLATE_CLASS,
    p: TEMPLATE_CLASS,
    div: TEMPLATE_CLASS,
    section: CONTENT_CLASS,
    body: MIXED_CLASS,
  });
});

test('an element gets the class of its only child; unsure is a class like the others', () => {
  expect(classesOf('<div><p>u</p></div>')).toMatchObject({ p: UNSURE_CLASS, div: UNSURE_CLASS });
  expect(classesOf('<div><p>u</p><b>t</b></div>')).toMatchObject({ div: MIXED_CLASS });
});

test('nodes without text have no class and are ignored', () => {
  const classes = classesOf('<div><img><p></p><b>t</b></div>');
  expect(classes).toMatchObject({ img: NO_CLASS, p: NO_CLASS, div: TEMPLATE_CLASS });
});

test('a text with two classes makes all its ancestors mixed', () => {
  expect(classesOf('<div><p>t c</p></div>')).toMatchObject({ p: MIXED_CLASS, div: MIXED_CLASS });
});
