import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseHeld } from '../../../test/held-tree.ts';
import { Parser } from '../../parse/parser.ts';
import { CaptureReader } from '../../study/capture.ts';
import { CaptureComparer } from '../../study/compare-captures.ts';
import { commitTask } from '../task-parts.ts';
import { CapturePart, EarlierCaptures } from './capture-part.ts';

const root = mkdtempSync(join(tmpdir(), 'chaff-captures-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const html = (text: string) =>
  new TextEncoder().encode(
    `<title>t</title><ul class=menu><li>Home<li>News</ul><div id=größe><p>${text} on a day in May<p>short</div>`,
  );
const everything = (bytes: number) => [
  { start: 0, end: bytes, label: 'template', score: 1, template: 'x', reason: '' } as const,
];

test.each([false, true])(
  'a capture compared with a stored one gives what comparing it with the page gives (blocks: %s)',
  async (blocks) => {
    const name = `label-${blocks}`;
    const comparer = new CaptureComparer();
    const olderReader = new CaptureReader();
    const older = parseHeld(html('The old words of a page &amp; more'));
    const source = html('The new words of a page &amp; more');
    const own = new CaptureReader().read(parseHeld(source), { blocks });
    const ranges = everything(source.length);
    const expected = comparer.compare(own, ranges, olderReader.read(older, { blocks }));
    expect(expected.newTemplateWords).toBeGreaterThan(0);
    expect(expected.newTemplateWords).toBeLessThan(expected.templateWords);
    expect(expected.changes).toHaveLength(blocks ? 1 : 0);

    const earlier = new EarlierCaptures(root);
    mkdirSync(join(root, 'done'), { recursive: true });
    await commitTask({ folder: root, name }, async (draft) => {
      const part = new CapturePart({ draft });
      part.add(7, olderReader.read(older, { blocks }));
      expect(comparer.compare(own, ranges, part.find(7)!)).toEqual(expected);
      part.close();
      expect(earlier.find(name, 7)).toBeUndefined();
    });
    expect(comparer.compare(own, ranges, earlier.find(name, 7)!)).toEqual(expected);
    expect(earlier.find(name, 8)).toBeUndefined();
    expect(earlier.find(name, 9)).toBeUndefined();
    earlier.close();
  },
);

test('a stored page without text has an empty list of blocks, and all text of the next capture is added', () => {
  const part = new CapturePart({ draft: root });
  const reader = new CaptureReader();
  part.add(1, reader.read(parseHeld(new Uint8Array(0)), { blocks: true }));
  const own = reader.read(parseHeld(html('Words')), { blocks: true });
  const { changes } = new CaptureComparer().compare(own, [], part.find(1)!);
  expect(changes.map(({ kind }) => kind)).toEqual(['added', 'added', 'added', 'added']);
  part.close();
});

test('each of many records is found', () => {
  const part = new CapturePart({ draft: root });
  const reader = new CaptureReader();
  const parser = new Parser({});
  const textOf = (page: number) => Array.from({ length: 400 }, (_, k) => `w${page}x${k}`).join(' ');
  for (let page = 1; page < 400; page++) part.add(page, reader.read(parser.parse(html(textOf(page)))));
  for (const page of [1, 200, 399]) {
    const { tokens, signature } = reader.read(parser.parse(html(textOf(page))));
    const found = part.find(page)!;
    expect(found.tokens).toEqual(tokens);
    expect(found.signature).toEqual(signature);
  }
  part.close();
});

test('an unchanged capture has the same counts as one that was compared word by word', () => {
  const reader = new CaptureReader();
  const comparer = new CaptureComparer();
  const source = html('The same words of a page');
  const ranges = everything(source.length);
  const part = new CapturePart({ draft: root });
  part.add(1, reader.read(parseHeld(source)));
  const older = part.find(1)!;
  const own = reader.read(parseHeld(source), { older });
  expect(own.signature).toEqual(older.signature);
  const counted = comparer.compare(own, ranges, older);
  expect(counted).toMatchObject({ newTemplateWords: 0, newContentWords: 0 });
  expect(counted.layoutComponents).toBe(own.signature.length);
  expect(counted.templateWords).toBeGreaterThan(10);
  // another hash of the whole, and the words are looked at
  expect(comparer.compare(own, ranges, { ...older, wholeLow: older.wholeLow + 1 })).toEqual(counted);
  part.close();
});
