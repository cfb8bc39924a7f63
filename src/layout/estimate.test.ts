import { expect, test } from 'vitest';
import { seededNumbers } from '../../test/seeded-random.ts';
import { Parser } from '../parse/parser.ts';
import { tagName } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import type { Boxes } from './boxes.ts';
import { LayoutEstimator } from './estimate.ts';

const parser = new Parser();
const estimator = new LayoutEstimator();
const encoder = new TextEncoder();
const words = (count: number): string => 'word '.repeat(count);

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
}

/** Returns the boxes of a page's elements by tag name, in document order. */
function layout(html: string): { of: (name: string, nth?: number) => Box; boxes: Boxes; tree: Tree } {
  const tree = parser.parse(encoder.encode(html));
  const boxes = estimator.estimate(tree);
  const of = (name: string, nth = 0): Box => {
    const nodes = Array.from({ length: tree.nodeCount }, (_, node) => node);
    const node = nodes.filter((id) => tagName(tree, id) === name)[nth];
    const [left, top] = [boxes.left[node], boxes.top[node]];
    const [width, height] = [boxes.width[node], boxes.height[node]];
    return { left, top, width, height, right: left + width, bottom: top + height };
  };
  return { of, boxes, tree };
}

test('blocks are placed below each other, as wide as the window', () => {
  const { of } = layout('<!doctype html><body><div>one</div><div>two</div>');
  expect(of('div').width).toBe(1264);
  expect(of('div', 1).top).toBeCloseTo(of('div').bottom);
});

test('a longer text takes more lines', () => {
  const { of } = layout(`<p>${words(10)}</p><p>${words(1000)}</p>`);
  expect(of('p').height).toBeLessThan(25);
  expect(of('p', 1).height).toBeGreaterThan(10 * of('p').height);
});

test('East Asian text is twice as wide', () => {
  const { of } = layout(`<span>${'x'.repeat(20)}</span><br><span>${'語'.repeat(20)}</span>`);
  expect(of('span', 1).width).toBeCloseTo(2 * of('span').width);
});

test('cells of a row are placed side by side, as high as the row', () => {
  const { of } = layout(`<table width=900><tr><td width=200>menu<td>${words(500)}</table>`);
  expect(of('td', 1).left).toBeGreaterThan(of('td').right);
  expect(of('td', 1).width).toBeGreaterThan(600);
  expect(of('td').height).toBe(of('td', 1).height);
});

test('a cell that spans two columns is as wide as both', () => {
  const { of } = layout('<table width=600><tr><td colspan=2>a<tr><td width=200>b<td>c</table>');
  expect(of('td').width).toBeCloseTo(of('td', 1).width + of('td', 2).width + 2);
});

test('scripts, hidden inputs and closed details have no area', () => {
  const { of } = layout('<script>1</script><input type=hidden><details><summary>s</summary><p>p</details>');
  for (const name of ['script', 'input', 'p', 'head']) expect(of(name).width * of(name).height).toBe(0);
  expect(of('summary').height).toBeGreaterThan(0);
});

test('pictures are as large as their attributes say', () => {
  const { of } = layout('<img width=300 height=200>');
  expect([of('img').width, of('img').height]).toEqual([300, 200]);
});

test('headings are larger than text', () => {
  const { of } = layout('<h1>x</h1><p>x</p>');
  expect(of('h1').height).toBeCloseTo(2 * of('p').height);
});

test.each([
  ['an empty page', ''],
  ['one text', 'text'],
  ['no body', '<head><title>x</title></head>'],
  ['a frameset', '<frameset cols="20%,80%"><frame src=a><frame src=b><noframes>x</noframes></frameset>'],
  ['rows without a table', '<div style="display:table-row"><td>x</td></div>'],
])('%s has finite boxes', (_, html) => {
  const { boxes } = layout(html);
  for (let node = 0; node < boxes.nodeCount; node++) {
    for (const column of [boxes.left, boxes.top, boxes.width, boxes.height]) {
      expect(Number.isFinite(column[node])).toBe(true);
    }
    expect(boxes.width[node] * boxes.height[node]).toBeGreaterThanOrEqual(0);
  }
  expect(Number.isFinite(boxes.pageHeight)).toBe(true);
});

test('a page of 100,000 nodes is laid out', () => {
  const { boxes } = layout('<div><p>a<table><tr><td>b</table></div>'.repeat(15_000));
  expect(boxes.nodeCount).toBeGreaterThan(100_000);
  expect(boxes.pageHeight).toBeGreaterThan(100_000);
});

test('the same page gives the same boxes, whatever page was laid out before', () => {
  const html = `<table><tr><td>a<td>${words(40)}</table><p align=right>x`;
  const first = [...layout(html).boxes.left.subarray(0, 12)];
  layout(`<center><ul><li style="float:left">${words(100)}</ul></center>`);
  expect([...layout(html).boxes.left.subarray(0, 12)]).toEqual(first);
});

test('a style attribute sets the width; auto margins centre', () => {
  const { of } = layout('<body style="margin:0"><div style="width:800px;margin:0 auto">x</div>');
  expect([of('div').left, of('div').width]).toEqual([240, 800]);
});

test('floating columns are placed side by side, and an element that clears them below', () => {
  const { of } =
    layout(`<style>.left{float:left;width:25%} main{float:right;width:70%} footer{clear:both}</style>
    <nav class="left">${words(60)}</nav><main>${words(900)}</main><footer>x</footer>`);
  expect(of('main').left).toBeGreaterThan(of('nav').right);
  expect(of('main').top).toBe(of('nav').top);
  expect(of('footer').top).toBeGreaterThanOrEqual(of('main').bottom);
});

test('text flows beside a float, and below it over the whole width', () => {
  const alone = layout(`<p>${words(40)}</p>`).of('p').height;
  const { of } = layout(`<img align=left width=600 height=100><p>${words(40)}</p><p>${words(400)}</p>`);
  expect(of('p').height).toBeGreaterThan(alone);
  expect(of('p', 1).height).toBeLessThan(8 * alone);
});

test('an element that clears after its content contains its floats', () => {
  const css = '.row:after{content:"";clear:both} nav{float:left}';
  const { of } = layout(`<style>${css}</style><div class=row><nav>x</nav></div>`);
  expect(of('div').height).toBe(of('nav').height);
});

test('boxes of a flex row are placed side by side, as high as the row', () => {
  const { of } = layout(
    `<style>section{display:flex} p{width:600px;margin:0} aside{width:200px}</style>
    <section><p>${words(200)}</p><aside>b</aside></section>`,
  );
  expect([of('p').width, of('aside').width]).toEqual([600, 200]);
  expect(of('aside').left).toBeCloseTo(of('p').right);
  expect(of('aside').height).toBe(of('section').height);
});

test('margins in a flex row are before and after each box', () => {
  const { of } = layout(
    '<div style="display:flex"><i style="width:100px;margin:0 30px 0 10px">a</i><b style="width:50px">b</b></div>',
  );
  expect(of('i').left - of('div').left).toBeCloseTo(10);
  expect(of('b').left - of('i').right).toBeCloseTo(30);
});

test('boxes of a flex row that are too wide together shrink in proportion', () => {
  const { of } = layout(
    '<body style="margin:0"><div style="display:flex;width:900px"><i style="width:400px">a</i><b style="width:800px">b</b></div>',
  );
  expect([of('i').width, of('b').width]).toEqual([300, 600]);
});

test('cells without a row are placed side by side', () => {
  const { of } = layout(
    '<div><p style="display:table-cell;width:100px">a</p><p style="display:table-cell;width:90px">b</p></div>',
  );
  expect(of('p', 1).left).toBeGreaterThanOrEqual(of('p').right);
});

test('an absolute box takes no room', () => {
  const { of } = layout(
    '<body style="margin:0"><div style="position:absolute;width:80px">x</div><p style="margin:0">y</p>',
  );
  expect([of('div').left, of('div').top, of('div').width]).toEqual([0, 0, 80]);
  expect(of('p').top).toBe(0);
});

test('hidden and invisible elements, and elements left of the page, have no area', () => {
  const { of } =
    layout(`<style>.x{display:none} i{visibility:hidden} b{position:absolute;margin-left:-9999px}</style>
    <p class=x>x</p><i>y</i><b>z</b><s>shown</s>`);
  for (const name of ['p', 'i', 'b']) expect(of(name).width * of(name).height).toBe(0);
  expect(of('s').width).toBeGreaterThan(0);
});

test.each(['body{display:none}', 'html{visibility:hidden}', '*{display:none!important}'])(
  'a page that hides everything (%s) is laid out as if nothing were hidden',
  (css) => {
    const { of } = layout(`<style>${css}</style><body><p>${words(20)}</p>`);
    expect(of('p').width * of('p').height).toBeGreaterThan(0);
  },
);

test('the more specific selector wins in any order; important declarations and style attributes win over it', () => {
  const css = '#a{width:100px} p{width:200px} .b{width:300px!important}';
  const { of } = layout(
    `<style>${css}</style><p id=a>x</p><p class=b style="width:1px">y</p><p style="width:9px">z</p>`,
  );
  expect([of('p').width, of('p', 1).width, of('p', 2).width]).toEqual([100, 300, 9]);
});

test('a selector matches an element that has its tag and all its classes', () => {
  const css = 'p.a.b{width:50px} my-box{display:block;width:70px}';
  const { of } = layout(`<style>${css}</style><p class="b x a">x</p><p class=a>y</p><my-box>z</my-box>`);
  expect([of('p').width, of('p', 1).width, of('my-box').width]).toEqual([50, 1264, 70]);
});

test('thousands of rules for thousands of elements are matched in bounded time', () => {
  const rules = Array.from({ length: 12_000 }, (_, k) => `div{width:${k}px}`).join('');
  const { boxes } = layout(`<style>${rules}</style><p>${'<div>x</div>'.repeat(30_000)}`);
  expect(boxes.nodeCount).toBeGreaterThan(60_000);
});

test('margins of blocks that touch collapse, also through a parent', () => {
  const { of } = layout(
    '<div style="margin:10px 0">a</div><div style="margin:30px 0"><p style="margin:20px 0">b</div>',
  );
  expect(of('div', 1).top - of('div').bottom).toBeCloseTo(30);
  expect(of('p').top).toBe(of('div', 1).top);
});

test('a box that contains its floats is placed beside other floats if it fits, else below', () => {
  const page = (width: number) =>
    layout(`<style>nav{float:left;width:300px} main{overflow:hidden;width:${width}px}</style>
    <nav>${words(200)}</nav><main>x</main>`);
  const beside = page(500);
  expect(beside.of('main').left).toBeCloseTo(beside.of('nav').right);
  const below = page(1200);
  expect(below.of('main').top).toBeGreaterThanOrEqual(below.of('nav').bottom);
});

test('a float that does not fit beside the previous one is placed below it', () => {
  const { of } = layout('<style>p{float:left;width:700px;margin:0}</style><p>a</p><p>b</p>');
  expect(of('p', 1).top).toBeGreaterThanOrEqual(of('p').bottom);
});

test('a list has margins, and a list inside a list has none', () => {
  const { of } = layout(
    '<body style="margin:0"><p style="margin:0">a</p><ul><li>b<ul><li>c</ul></ul><div>d</div>',
  );
  expect(of('ul').top - of('p').bottom).toBeCloseTo(16);
  expect(of('div').top - of('ul').bottom).toBeCloseTo(16);
  expect(of('ul', 1).bottom).toBeCloseTo(of('ul').bottom);
  expect(of('ul', 1).height).toBeCloseTo(of('ul').height / 2);
});

test('lines and blocks are aligned as their container says', () => {
  const { of } = layout(
    '<body style="margin:0"><center><b>x</b><table width=280><tr><td>y</table></center><p align=right><i>z</i>',
  );
  expect(of('b').left + of('b').width / 2).toBeCloseTo(640);
  expect(of('table').left).toBeCloseTo(500);
  expect(of('i').right).toBeCloseTo(1280);
});

test('set column widths hold, percentages are of the table, and other columns follow their content', () => {
  const { of } = layout(
    `<table width=1000><tr><td width=100>a<td width="50%">b<td>${words(30)}<td>${words(90)}</table>`,
  );
  expect(of('td').width).toBeCloseTo(100);
  expect(of('td', 1).width).toBeGreaterThan(450);
  expect(of('td', 3).width).toBeGreaterThan(of('td', 2).width);
  expect(of('td', 3).right).toBeLessThanOrEqual(of('table').right);
});

test('a cell spans at most 64 columns', () => {
  const { of } = layout(`<table><tr><td colspan=1000>a<tr>${'<td>b'.repeat(66)}</table>`);
  expect(of('td').right).toBeCloseTo(of('td', 64).right);
});

test('a cell that spans two rows moves the cells of the second row aside', () => {
  const { of } = layout('<table><tr><td rowspan=2 width=200>a<td width=100>b<tr><td>c</table>');
  expect(of('td', 2).left).toBe(of('td', 1).left);
  expect(of('td', 2).top).toBeGreaterThanOrEqual(of('td', 1).bottom);
});

test('a table in a cell is as wide as its own cells need', () => {
  const { of } = layout('<table><tr><td><table><tr><td width=70>a<td width=50>b</table></table>');
  expect(of('table', 1).width).toBeGreaterThanOrEqual(120);
  expect(of('table').width).toBeGreaterThan(of('table', 1).width);
});

test('a font that grows with every element stays below a maximum size', () => {
  const { of } = layout(`${'<big>'.repeat(1600)}</em><p>x --><b>y</i></big>z<u>w</em><span>v</span><p>last`);
  expect(of('p').height).toBeLessThan(1e9);
  expect(of('p', 1).height).toBeLessThan(1e9);
});

/** Markup in which boxes of all kinds follow and hold each other; never mind what makes sense. */
function randomMarkup(random: (bound: number) => number): string {
  const tags = 'div p span b hr img br input textarea table tr td ul li h2 center details nav a button'.split(
    ' ',
  );
  const styles = [
    '',
    '',
    'float:left',
    'float:right;clear:both',
    'position:absolute',
    'display:flex',
    'display:none',
  ];
  styles.push(
    'display:block;margin:9px',
    'display:inline-block',
    'display:table',
    'width:50%',
    'height:70px',
  );
  const pick = (among: readonly string[]) => among[random(among.length)];
  const sheets = ['', `<style>.c{${pick(styles)}} p{${pick(styles)}}</style>`];
  const elements = Array.from({ length: 5 + random(60) }, () => {
    if (random(4) === 0) return words(random(30));
    const tag = pick(tags);
    return random(3) === 0 ? `</${tag}>` : `<${tag} class=c style="${pick(styles)}" width=${random(300)}>`;
  });
  return pick(sheets) + elements.join('');
}

test('the boxes of a page do not depend on the pages before it', () => {
  const random = seededNumbers(31);
  for (let page = 0; page < 2000; page++) {
    const html = randomMarkup(random);
    const tree = parser.parse(encoder.encode(html));
    const fresh = new LayoutEstimator().estimate(tree);
    const used = estimator.estimate(tree);
    for (const column of ['left', 'top', 'width', 'height'] as const) {
      expect(used[column].slice(0, tree.nodeCount), html).toEqual(fresh[column].slice(0, tree.nodeCount));
    }
    expect(used.pageHeight, html).toBe(fresh.pageHeight);
  }
});
