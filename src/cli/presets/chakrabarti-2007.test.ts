import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../../test/command-line.ts';
import { linkModel } from '../../../test/link-model.ts';
import { gzipEach, warcRecord } from '../../../test/sample-archives.ts';
import { decodePageModel, encodePageModel, paperPageModel } from '../../detect/page/page-model.ts';

const PRESET = ['--preset', 'chakrabarti-2007'];
/** The position of each box is given, so that areas can be computed by hand: the window is 1280 pixels wide. */
const box = (height: number, html: string) => `<div style="height:${height}px">${html}</div>`;
const html = (...boxes: string[]) => `<body style="margin:0">${boxes.join('')}</body>`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-chakrabarti-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A model whose score is 1 / (1 + e^-(8 · share of words in links - 4)), with levels that the preset must not use. */
function modelFile(): string {
  const path = join(folder, 'links.json');
  writeFileSync(
    path,
    encodePageModel({ ...linkModel(), level: { share: 0.1, margin: 5, least: 0.99, most: 0.999 } }),
  );
  return path;
}

async function judge(page: string, ...args: string[]) {
  const result = await chaff(
    ['page', '-', '--url', 'https://a.example/', '--model', modelFile(), ...args],
    page,
  );
  const [row] = rowsOf(result);
  const sections = row.sections as { place: string; score: number; label: string }[];
  return {
    text: row.text,
    sections: sections.map(({ place, score, label }) => [place, score.toFixed(3), label]),
  };
}

const words = (count: number, name: string) =>
  Array.from({ length: count }, (_, k) => `${name}${k}`).join(' ');
// Three boxes of 1280 × 100 pixels. The first has 4 words, all in a link; the second 12, none in links; the third 25, 12 of
// them in a link: scores 1 / (1 + e^-4) = 0.982, 1 / (1 + e^4) = 0.018 and 1 / (1 + e^0.16) = 0.460. Document, html and
// body have 16 of 41 words in links: 1 / (1 + e^0.878) = 0.294.
const THREE = html(
  box(100, `<a href=/>${words(4, 'a')}</a>`),
  box(100, words(12, 'b')),
  box(100, `${words(13, 'c')} <a href=/>${words(12, 'd')}</a>`),
);

test('page: scores are smoothed, cut at 0.5 and not levelled, and nothing is unsure', async () => {
  // A node weighs one and one for each node hidden in it: html 2 (its head), the first box 3 (a link and its text), the
  // second 2 (a text), the third 4 (two texts and a link). A section costs 0.01 · A/Aᵢ: 0.03 for a box of a page of three.
  // The second box is below the nodes above it, which may not be: to lift it costs 2 · (0.294 - 0.018) = 0.551, to lower
  // document, html and body costs 4 · 0.276 = 1.102. So it is lifted. The others are above: a section of their own costs
  // 0.03, to lower them 3 · (0.982 - 0.294) and 4 · (0.460 - 0.294).
  const { sections, text } = await judge(THREE, ...PRESET);
  expect(sections).toEqual([
    ['', '0.294', 'content'],
    ['html > body > div', '0.982', 'template'],
    ['html > body > div', '0.460', 'content'],
  ]);
  expect(text).toBe(`${words(12, 'b')}\n${words(13, 'c')} ${words(12, 'd')}`);
});

test('page: Basic takes scores as they are, and options that are named win over the preset', async () => {
  const { sections } = await judge(THREE, ...PRESET, '--smoothing', 'none', '--unsure-band', '0.1');
  expect(sections).toEqual([
    ['html > body > div', '0.982', 'template'],
    ['html > body > div', '0.018', 'content'],
    ['html > body > div', '0.460', 'unsure'],
  ]);
});

test('page: without the preset the levels of the model hold', async () => {
  const { sections } = await judge(THREE);
  // the level is at least 0.99, so that nothing is template
  expect(sections.every(([, , label]) => label === 'content')).toBe(true);
});

test('label: the model of the paper judges, alone and without a fall-back', async () => {
  const path = join(folder, 'three.warc.gz');
  writeFileSync(path, gzipEach([warcRecord({ url: 'http://a.example/', html: THREE })]));
  const [row] = rowsOf(await chaff(['label', path, ...PRESET, '-q']));
  const labels = (row.ranges as { label: string }[]).map(({ label }) => label);
  expect(new Set(labels).size).toBeGreaterThan(0);
  expect(labels).not.toContain('unsure');
  const [byName] = rowsOf(
    await chaff(['label', path, '-q', '--detector', 'page', '--page-model', paperModelFile(), ...PLAIN]),
  );
  expect(row.ranges).toEqual(byName.ranges);
});

const PLAIN = ['--no-page-levelling', '--page-levels', 'exact', '--page-unsure-band', '0', '--min-left', '0'];

function paperModelFile(): string {
  const path = join(folder, 'paper.json');
  writeFileSync(path, encodePageModel(paperPageModel()));
  return path;
}

test('train: all nodes of all pages are examples, template by SITELEVEL', async () => {
  // Four sites of ten pages. Each page has a menu that all pages of its site have, a picture and a text of its own; the
  // last two pages of each site are the same but for their URL. Judged are the document, html, body, three boxes, the
  // link in the menu and the picture, which has no words: 4 · 10 · 8 = 320 examples. Template are the two nodes of the
  // menu on 40 pages. What else is on the last two pages is on 2 of 10, at least a tenth, and template too: html by
  // its hash, the document since over 85 % of its HTML is, and four more: 6 nodes of 8 pages. 80 + 48 = 128, or 40 %.
  const records = ['a', 'b', 'c', 'd'].flatMap((site, s) =>
    Array.from({ length: 10 }, (_, k) => {
      const own = Math.min(k, 8);
      const page = html(
        box(100, `<a href=/>${words(12, `menu${site}`)}</a>`),
        box(50, `<img alt="" src="${s}-${own}.png" width=200 height=40>`),
        box(100, words(80, `text${s}x${own}x`)),
      );
      return warcRecord({ url: `http://${site}.example/${k}`, html: page });
    }),
  );
  const archive = join(folder, 'train.warc.gz');
  writeFileSync(archive, gzipEach(records));
  const path = join(folder, 'trained.json');
  const { stderr } = await chaff([
    ...['train', archive, '-o', path, ...PRESET, '--min-pages', '10', '--workers', '0'],
  ]);
  expect(stderr).toContain('320 nodes of 40 pages of 4 sites');
  expect(stderr).toMatch(/^all +320 +40\.0 %/m);
  const model = decodePageModel(readFileSync(path, 'utf8'));
  expect(model).toMatchObject({ penalty: 0.01, threshold: 0.5, hideBelow: 2000, nodes: 'all' });
  expect(model.features).toHaveLength(15);
  expect(model.classes.map(({ classifier, calibration }) => [classifier.kind, calibration.method])).toEqual(
    Array(4).fill(['logistic', 'none']),
  );
  expect(model.card.settings).toMatchObject({ labels: 'sitelevel', sample: 200, pages: 200, minPages: 10 });
});

test('train: sites of fewer than 100 pages are left out', async () => {
  const { code, stderr } = await chaff([
    'train',
    join(folder, 'train.warc.gz'),
    '-o',
    join(folder, 'x'),
    ...PRESET,
  ]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/at least 100 pages.*none of 4 has/)]);
});
