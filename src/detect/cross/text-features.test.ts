import { expect, test } from 'vitest';
import { readStretches } from '../../../test/stretches.ts';
import { TAG } from '../../parse/tag-names.ts';
import { LineDensity } from '../../research/thesis/line-density.ts';
import { FEATURES_PER_LAYER, featureWriter, measureNodes } from './reclassify.ts';

function featuresOf(html: string, layers: number, bitsOf?: (word: string) => number): number[][] {
  const { tree, placed, stretches } = readStretches(html, bitsOf);
  const write = featureWriter(tree, stretches, measureNodes(tree, placed), { layers });
  return stretches.map((_, i) => {
    const row = new Float64Array(layers * FEATURES_PER_LAYER).fill(99);
    write(i, row, 0);
    return [...row];
  });
}

const TEXT_NAME = 1;

test('a layer has the 20 features of the table: names, densities, words, text and tags of three nodes, class, ratio', () => {
  const html = '<div><i>one two</i>three four five<b>six</b></div>';
  const [, middle] = featuresOf(html, 1);
  expect(middle).toEqual([
    ...[TAG.i, TEXT_NAME, TAG.b], // names
    ...[0, 0, 0], // link densities
    ...[2, 3, 1], // text densities: less than a line
    ...[2, 3, 1], // words
    ...[7, 15, 3], // text
    ...[1, 0, 1], // tags
    0, // class: a text has no class
    15, // text by tags
  ]);
});

test('more layers add the parent and its parent with their own neighbours', () => {
  const html = '<ul><li>first</li><li class="b a"><a href=/>linked here</a></li></ul>';
  const rows = featuresOf(html, 3);
  const linked = rows[1];
  const [names, linkDensities] = [linked.slice(20, 23), linked.slice(23, 26)];
  expect(names).toEqual([0, TAG.a, 0]);
  expect(linkDensities).toEqual([0, 1, 0]);
  expect(linked.slice(40, 43)).toEqual([TAG.li, TAG.li, 0]);
  expect(linked[40 + 16]).toBe(2);
});

test('the number of a class does not depend on the order of its names, and no class is 0', () => {
  const classOf = (attribute: string) => featuresOf(`<p ${attribute}>x</p>`, 2)[0][38];
  expect(classOf('class="menu top"')).toBe(classOf('class=" top  menu"'));
  expect(classOf('class="menu top"')).not.toBe(classOf('class=menutop'));
  expect(classOf('id=x')).toBe(0);
});

test('the neighbours of a stretch are other stretches of its text first', () => {
  const rows = featuresOf('<p>shared words mine shared</p>', 1, (word) => (word === 'mine' ? 0 : 1));
  expect(rows.map((row) => row.slice(9, 12))).toEqual([
    [0, 2, 1],
    [2, 1, 1],
    [1, 1, 0],
  ]);
});

test('in bytes, text density counts words by started lines of 80', () => {
  const [row] = featuresOf(`<p>${'word '.repeat(32)}</p>`, 1);
  expect(row[7]).toBe(16);
});

test('layers above the page are zeros', () => {
  const [row] = featuresOf('x', 3);
  expect(row.slice(40).every((value) => Number.isFinite(value))).toBe(true);
  expect(row.length).toBe(60);
});

test('in characters, text length and ratio count characters, and density is computed over full lines', () => {
  const { tree, placed, stretches } = readStretches('<p>слово слово</p>');
  const lines = new LineDensity(tree, placed);
  const row = new Float64Array(FEATURES_PER_LAYER);
  featureWriter(tree, stretches, measureNodes(tree, placed), { layers: 1, lines })(0, row, 0);
  // one line of two words, eleven characters
  expect([row[7], row[10], row[13], row[19]]).toEqual([2, 2, 11, 11]);
});
