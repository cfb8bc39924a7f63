import { expect, test } from 'vitest';
import { checkRanges, makePage, parsePage } from '../../../test/detector-contract.ts';
import { linkModel } from '../../../test/link-model.ts';
import { PageJudge, type PageOptions } from './judge-page.ts';
import type { PageModel } from './page-model.ts';

const MENU = `<ul>${'<li><a href="/a">one of the links here</a></li>'.repeat(8)}</ul>`;
const STORY = `<div>${'<p>A story that goes on for a while, with commas, and <a href=/x>one link</a> in it.</p>'.repeat(6)}</div>`;

function judge(html: string, options?: PageOptions, model: Partial<PageModel> = {}) {
  const page = makePage(html, 1);
  const verdict = new PageJudge({ ...linkModel(), ...model }, options).judge(parsePage(page));
  checkRanges(page.source, verdict.ranges);
  return { ...verdict, kept: verdict.ranges.filter(({ label }) => label !== 'template') };
}

test('a menu is cut and the story kept whole', () => {
  const html = `${MENU}${STORY}${MENU}`;
  const { ranges } = judge(html);
  expect(ranges.map(({ label }) => label)).toEqual(['template', 'content', 'template']);
  expect(html.slice(ranges[1].start, ranges[1].end)).toBe(STORY);
});

test('a template range has a reason', () => {
  const [{ reason, score }] = judge(`${MENU}${STORY}`).ranges;
  expect(reason).toMatch(/^page-level score 0\.9\d: mostly links$/);
  expect(score).toBeGreaterThan(0.9);
});

test('a link in a sentence is never cut out of it', () => {
  for (const smoothing of ['isotonic', 'merge', 'none'] as const) {
    const { ranges } = judge(STORY, { smoothing });
    expect(ranges.every(({ label }) => label === 'content')).toBe(true);
  }
});

test('smoothed scores never fall from parent to child, and sections begin where they rise', () => {
  const { table, smoothed, sections } = judge(`${MENU}${STORY}`);
  for (let row = 1; row < table.rowCount; row++) {
    expect(smoothed[row]).toBeGreaterThanOrEqual(smoothed[table.parent[row]]);
  }
  expect(sections[0].node).toBe(0);
  expect(sections.some(({ label }) => label === 'template')).toBe(true);
});

test('a large penalty leaves one section', () => {
  expect(judge(`${MENU}${STORY}`, { penalty: 1e6 }).sections).toHaveLength(1);
});

test('without smoothing every leaf is a section, merged ones are fewer', () => {
  const html = `${MENU}${STORY}`;
  const leaves = judge(html, { smoothing: 'none' }).sections.length;
  expect(judge(html, { smoothing: 'merge' }).sections.length).toBeLessThan(leaves);
});

test('from the highest to the lowest threshold, all is kept and then all is cut', () => {
  const html = `${MENU}${STORY}`;
  expect(judge(html, { threshold: 1 }).kept.at(-1)!.end).toBe(html.length);
  expect(judge(html, { threshold: 0 }).kept).toEqual([]);
});

test('the headline is kept, a heading that is the name of the site is not', () => {
  const title = 'A walk along the old canal - The Daily Lantern';
  const page = (heading: string) =>
    `<title>${title}</title><div>${MENU}<h1><a href="/">${heading}</a></h1>${MENU}</div>${STORY}`;
  const textOf = (html: string, options?: PageOptions) =>
    judge(html, options)
      .kept.map(({ start, end }) => html.slice(start, end))
      .join('');
  expect(textOf(page('A walk along the old &quot;canal&quot;'))).toContain('<h1>');
  expect(textOf(page('The Daily Lantern'))).not.toContain('<h1>');
  expect(textOf(page('A walk along the old canal'), { levelling: false })).not.toContain('<h1>');
  const untitled = page('The Daily Lantern').replace(/<title>.*<\/title>/, '');
  expect(textOf(untitled)).toContain('<h1>');
  expect(textOf(`<h1>Lantern</h1>${untitled}`)).not.toContain('The Daily Lantern');
});

test('scores close to the threshold are unsure', () => {
  const { ranges } = judge(MENU, { threshold: 1, unsureBand: 1 });
  expect(ranges.map(({ label }) => label)).toEqual(['unsure']);
});

test('without levelling the smoothed scores are the verdict, whatever levels the model has', () => {
  const html = `${MENU}${STORY}`;
  const level = { share: 0.1, margin: 1, least: 0.9, most: 0.99 };
  const levelled = judge(html, {}, { level });
  const plain = judge(html, { levelling: false }, { level });
  // the level of at least 0.9 keeps text that the model scores 0.98
  expect(levelled.smoothed[0]).toBeLessThan(plain.smoothed[0]);
  expect(plain.ranges).toEqual(judge(html).ranges);
  expect(plain.sections).toEqual(judge(html).sections);
});

test('a model of all nodes judges links in sentences and boxes without words, too', () => {
  const box = '<div style="width:300px;height:100px"><img width=300 height=100></div>';
  const html = `<p>Some words around <a href=/x style="display:inline-block;width:200px;height:20px">one link</a> here.</p>${box}`;
  const scoreOf = (nodes: 'blocks' | 'all', start: string) => {
    const { table, scores } = judge(html, { smoothing: 'none' }, { nodes });
    const tree = parsePage(makePage(html, 1)).tree;
    for (let row = table.rowCount - 1; row > 0; row--) {
      if (tree.start[table.node[row]] === html.indexOf(start)) return scores[row];
    }
    return undefined;
  };
  // anchorShare 1 and 0 in 1 / (1 + e^-(8 · share - 4))
  expect(scoreOf('blocks', '<a')).toBeUndefined();
  expect(scoreOf('all', '<a')).toBeCloseTo(1 / (1 + Math.exp(-4)), 6);
  expect(scoreOf('all', '<div')).toBeCloseTo(1 / (1 + Math.exp(4)), 6);
});

test('the kind of penalty decides which nodes can be sections', () => {
  // the menu covers a tenth of the page, so its penalty by page area is ten times its penalty by parent area
  const html = `<div>${MENU}</div>${STORY}`;
  const sections = (penaltyKind: PageOptions['penaltyKind'], penalty: number) =>
    judge(html, { penaltyKind, penalty }).sections.length;
  const most = 1e4;
  expect(sections('area', most)).toBe(1);
  expect(sections('parent', 1)).toBeGreaterThan(1);
  expect(sections('area+nodes+parent', 1)).toBeLessThanOrEqual(sections('nodes', 1));
});

test('empty pages, single texts, framesets and pages without text are judged', () => {
  for (const html of [
    '',
    'one text',
    '<frameset><frame src=a></frameset>',
    '<br><img src=x>',
    '<title>t</title>',
  ]) {
    judge(html);
  }
});

test('100,000 nodes are judged in bounded time', () => {
  judge('<div><p>some words <a href=x>here</a></p></div>'.repeat(20_000));
});

test('unknown options and wrong values are refused by name', () => {
  expect(() => judge('', { treshold: 1 } as never)).toThrow('unknown option "treshold"');
  expect(() => judge('', { smoothing: 'some' as never })).toThrow('smoothing must be');
  expect(() => judge('', { penalty: -1 })).toThrow('penalty must be');
  expect(() => judge('', { penaltyKind: 'none' as never })).toThrow('penaltyKind must be one of area, nodes');
});
