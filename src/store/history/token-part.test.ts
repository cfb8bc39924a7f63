import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseHeld } from '../../../test/held-tree.ts';
import { Parser } from '../../parse/parser.ts';
import { RedesignCounter } from '../../study/redesign-sums.ts';
import { EarlierTokens, TokenPart } from './token-part.ts';

const root = mkdtempSync(join(tmpdir(), 'chaff-tokens-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const html = (text: string) =>
  new TextEncoder().encode(
    `<title>t</title><ul class=menu><li>Home<li>News</ul><div><p>${text} on a day in May<p>short</div>`,
  );
const everything = (bytes: number) => [
  { start: 0, end: bytes, label: 'template', score: 1, template: 'x', reason: '' } as const,
];

test('a capture compared with what was kept gives what comparing it with the capture gives', () => {
  const part = new TokenPart({ draft: root, firstPage: 7, endPage: 9 });
  const kept = new RedesignCounter();
  const fresh = new RedesignCounter();
  const older = parseHeld(html('The old words of a page'));
  part.add(7, kept.read(older));
  const source = html('The new words of a page');
  const tree = parseHeld(source);
  fresh.read(tree, fresh.readOlder(older));
  const expected = fresh.count(everything(source.length))!;
  expect(expected.newTemplateWords).toBeGreaterThan(0);
  expect(expected.newTemplateWords).toBeLessThan(expected.templateWords);

  kept.read(tree, part.find(7));
  expect(kept.count(everything(source.length))).toEqual(expected);
  part.close();
  const earlier = new EarlierTokens();
  kept.read(tree, earlier.find(root, 7));
  expect(kept.count(everything(source.length))).toEqual(expected);
  expect(earlier.find(root, 8)).toBeUndefined();
  expect(earlier.find(root, 9)).toBeUndefined();
  expect(earlier.find(join(root, 'not-committed'), 7)).toBeUndefined();
  earlier.close();
});

test('records are found again whether they were written to disk or wait', () => {
  const part = new TokenPart({ draft: root, firstPage: 1, endPage: 400 });
  const counter = new RedesignCounter();
  const parser = new Parser({});
  const textOf = (page: number) => Array.from({ length: 400 }, (_, k) => `w${page}x${k}`).join(' ');
  for (let page = 1; page < 400; page++) part.add(page, counter.read(parser.parse(html(textOf(page)))));
  for (const page of [1, 200, 399]) {
    const { tokens, signature } = counter.read(parser.parse(html(textOf(page))));
    const found = part.find(page)!;
    expect(found.tokens.tokens).toEqual(tokens.tokens);
    expect(found.signature).toEqual(signature);
  }
  part.close();
});

test('a capture in which nothing changed counts as one that was compared word by word', () => {
  const counter = new RedesignCounter();
  const source = html('The same words of a page');
  const ranges = everything(source.length);
  const part = new TokenPart({ draft: root, firstPage: 1, endPage: 2 });
  part.add(1, counter.read(parseHeld(source)));
  const older = part.find(1)!;
  const tree = parseHeld(source);
  const { signature } = counter.read(tree, older);
  expect(signature).toEqual(older.signature);
  const counted = counter.count(ranges)!;
  expect(counted).toMatchObject({ newTemplateWords: 0, newContentWords: 0, layoutPlaces: signature.length });
  expect(counted.templateWords).toBeGreaterThan(10);
  // another hash of the whole, and the words are looked at
  const doubted = { ...older, wholeLow: older.wholeLow + 1 };
  counter.read(tree, doubted);
  expect(counter.count(ranges)).toEqual(counted);
  part.close();
});
