import { expect, test } from 'vitest';
import { markedPage } from '../../../test/marked-page.ts';
import { keepHeadline } from './keep-headline.ts';

function labelsOf(marked: string): string[] {
  const { tree, ranges, source } = markedPage(marked);
  return keepHeadline(tree, ranges).map(
    ({ start, end, label }) => `${label} ${Buffer.from(source.subarray(start, end)).toString()}`,
  );
}

test('a headline inside a template is content', () => {
  expect(labelsOf('{{<nav>x</nav><h1>Flood</h1>}}<p>text')).toEqual([
    'template <nav>x</nav>',
    'content <h1>Flood</h1><p>text',
  ]);
});

test('a headline outside of templates has the label that it had', () => {
  expect(labelsOf('{{<nav>x</nav>}}{?<h1>Flood</h1><p>text?}')).toEqual([
    'template <nav>x</nav>',
    'unsure <h1>Flood</h1><p>text',
  ]);
});

test('a headline above templates alone is not kept', () => {
  expect(labelsOf('{{<h1>Flood</h1><nav>x</nav>}}')).toEqual(['template <h1>Flood</h1><nav>x</nav>']);
});
