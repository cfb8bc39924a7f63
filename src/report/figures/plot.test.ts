import { expect, test } from 'vitest';
import { type Axis, endOfShares, placeAxis } from './axis.ts';
import { byNumber, type Figure, figureCsv, figureFile, renderFigure } from './figure.ts';
import { renderPlot, type Series } from './plot.ts';

test('a linear axis places values in proportion, with round ticks between its ends', () => {
  const { place, ticks } = placeAxis({ label: '', scale: 'linear', from: 0 }, [0, 50], 100, 200);
  expect([place(0), place(25), place(50)]).toEqual([100, 150, 200]);
  expect(ticks.map(({ text }) => text)).toEqual(['0', '10', '20', '30', '40', '50']);
});

test('on a log axis each decade is as wide', () => {
  const { place, ticks } = placeAxis({ label: '', scale: 'log' }, [1, 1000], 0, 300);
  expect([1, 10, 100, 1000].map(place).map(Math.round)).toEqual([0, 100, 200, 300]);
  expect(ticks.map(({ text }) => text)).toContain('100');
});

test('a log axis over many decades has few ticks', () => {
  expect(placeAxis({ label: '', scale: 'log' }, [1, 1e12], 0, 300).ticks.length).toBeLessThanOrEqual(8);
});

test('a time axis shows years when it covers several, and months within one', () => {
  const years = placeAxis({ label: '', scale: 'time' }, [Date.UTC(1996, 5), Date.UTC(2026, 0)], 0, 300).ticks;
  expect(years.every(({ text }) => /^\d{4}$/.test(text))).toBe(true);
  expect(years.length).toBeLessThanOrEqual(8);
  const months = placeAxis(
    { label: '', scale: 'time' },
    [Date.UTC(2020, 1, 5), Date.UTC(2020, 4, 5)],
    0,
    300,
  ).ticks;
  expect(months.map(({ text }) => text)).toEqual(['2020-03', '2020-04', '2020-05']);
});

test('an axis from 0 goes to a tick, so that its largest value can be read off', () => {
  const { place, ticks } = placeAxis({ label: '', scale: 'linear', from: 0 }, [27], 0, 300);
  expect(ticks.at(-1)).toEqual({ at: 300, text: '30' });
  expect(place(27)).toBeCloseTo(270);
});

test.each(['linear', 'log', 'time', 'share'] as const)(
  'one value, or none, still makes a %s axis',
  (scale) => {
    for (const values of [[], [7]]) {
      const { place, ticks } = placeAxis({ label: '', scale }, values, 0, 100);
      expect(Number.isFinite(place(7))).toBe(true);
      expect(ticks.length).toBeGreaterThan(0);
    }
  },
);

test('an axis of small shares starts at 0 and ends at a round share above them', () => {
  expect([[0.001, 0.0147], [0.31], [0.5], [0.93], [0], []].map(endOfShares)).toEqual([
    0.015, 0.4, 1, 1, 1, 1,
  ]);
  const { place, ticks } = placeAxis({ label: '', scale: 'share', to: 0.015 }, [0.0147], 0, 150);
  expect([place(0), place(0.01)].map(Math.round)).toEqual([0, 100]);
  expect(ticks.map(({ text }) => text.replace('\u00a0', ' '))).toEqual(['0 %', '0.5 %', '1 %', '1.5 %']);
});

test('a hundred thousand marks are one element, those on the same pixel once', () => {
  const points = Array.from({ length: 100_000 }, (_, k): [number, number] => [k + 1, 1 + (k % 50)]);
  const svg = renderPlot(
    {
      x: { label: 'x', scale: 'log' },
      y: { label: 'y', scale: 'linear' },
      series: [{ name: 'all', kind: 'points', points }],
    },
    { description: 'marks' },
  );
  expect(svg.match(/class="series/g)).toHaveLength(1);
  expect(svg.length).toBeLessThan(400_000);
});

test('bars are side by side on the axis, and a bar of nothing is not drawn', () => {
  const svg = renderPlot(
    {
      x: { label: 'x', scale: 'linear', from: 0, to: 4 },
      y: { label: 'y', scale: 'linear', from: 0 },
      series: [
        {
          name: 'a',
          kind: 'bars',
          points: [
            [1, 2],
            [2, 0],
            [3, 4],
          ],
        },
        {
          name: 'b',
          kind: 'bars',
          points: [
            [1, 1],
            [2, 1],
            [3, 1],
          ],
        },
      ],
    },
    { description: 'bars' },
  );
  const [first, second] = [...svg.matchAll(/class="series s\d bars" d="([^"]*)"\/><(?!\/svg><\/li)/g)].map(
    ([, d]) => d,
  );
  expect(first.match(/Z/g)).toHaveLength(2);
  expect(second.match(/Z/g)).toHaveLength(3);
});

test('a bar is drawn in its bin whatever bins are empty, as wide in every series', () => {
  const svg = renderPlot(
    {
      x: { label: 'x', scale: 'linear', from: 0 },
      y: { label: 'y', scale: 'linear', from: 0 },
      binWidth: 50,
      series: [
        {
          name: 'a',
          kind: 'bars',
          points: [
            [25, 1],
            [575, 2],
          ],
        },
        { name: 'b', kind: 'bars', points: [[575, 1]] },
      ],
    },
    { description: 'bars' },
  );
  // 600 days from 58 to 504
  const daysOf = (at: string): number => ((Number(at) - 58) * 600) / (504 - 58);
  const bars = [...svg.split('</svg>')[0].matchAll(/M([\d.]+) [\d.]+V[\d.]+H([\d.]+)V[\d.]+Z/g)].map(
    ([, from, to]) => [Math.round(daysOf(from)), Math.round(daysOf(to))],
  );
  expect(bars).toEqual([
    [5, 25],
    [555, 575],
    [575, 595],
  ]);
});

const figure: Figure = {
  id: 'figure-03',
  slug: 'rank-frequency',
  title: 'A title with <b>',
  sentence: 'What it shows & for whom.',
  columns: ['name', 'share'],
  rows: [
    ['=cmd()', 0.5],
    ['a "quoted", cell', 0.25],
  ],
  shares: ['share'],
  query: 'SELECT 1 < 2',
};

test('the data is CSV that no spreadsheet runs', () => {
  expect(figureFile(figure)).toBe('figures/figure-03-rank-frequency.csv');
  expect(figureCsv(figure)).toBe('name,share\n\'=cmd(),0.5\n"a ""quoted"", cell",0.25\n');
});

test('a figure without a plot is a table; what pages say is text', () => {
  const html = renderFigure(figure);
  expect(html).toContain('Figure 3</span> A title with &lt;b&gt;');
  expect(html).toContain('50\u00a0%');
  expect(html).toContain('What it shows &amp; for whom.');
  expect(html).toContain('SELECT 1 &lt; 2');
});

test('numbers of a column have the same decimals', () => {
  const rows = [
    ['a', 0.5, 1200],
    ['b', 0.49, 7],
  ];
  const html = renderFigure({ ...figure, columns: ['name', 'confidence', 'pages'], rows });
  for (const text of ['0.50', '0.49', '1,200', '7']) expect(html).toContain(`>${text}</td>`);
});

test('a table has the width of the page, and short names stay on their line', () => {
  const name = 'front-pages.example/a-newspaper.example';
  expect(renderFigure({ ...figure, rows: [[name, 1]] })).toMatch(/^<figure id="[^"]*" class="full">/);
  expect(renderFigure({ ...figure, rows: [[name, 1]] })).toContain(`<td class="word">${name}</td>`);
});

test('figures and tables come in the order of their numbers', () => {
  const ids = ['figure-10', 'table-05', 'figure-02', 'table-01', 'figure-01'];
  const sorted = ids.map((id): Figure => ({ ...figure, id })).sort(byNumber);
  expect(sorted.map(({ id }) => id)).toEqual(['figure-01', 'figure-02', 'figure-10', 'table-01', 'table-05']);
});

test('a figure that cannot be drawn says why', () => {
  const html = renderFigure({ ...figure, absent: 'One capture per URL.' });
  expect(html).toContain('One capture per URL.');
  expect(html).not.toContain('<table');
});

test('names of points do not overlap, and are left out where there is no room', () => {
  const points = Array.from({ length: 12 }, (): [number, number] => [5, 0.5]);
  const svg = renderPlot(
    {
      x: { label: 'x', scale: 'linear', from: 0 },
      y: { label: 'y', scale: 'share' },
      series: [{ name: 'all', kind: 'points', points, names: points.map((_, k) => `<${k}>`) }],
    },
    { description: 'names' },
  );
  const heights = [...svg.matchAll(/y="([\d.]+)"[^>]*>&lt;\d+&gt;</g)].map(([, y]) => Number(y));
  expect(heights.length).toBeGreaterThan(1);
  expect(heights.length).toBeLessThan(12);
  const sorted = [...heights].sort((a, b) => a - b);
  for (let k = 1; k < sorted.length; k++) expect(sorted[k] - sorted[k - 1]).toBeGreaterThanOrEqual(10);
});

test('lines are named in the legend, which lies beside the data', () => {
  const series = ['a', 'b'].map(
    (name): Series => ({
      name,
      kind: 'line',
      points: [
        [0, 0],
        [1, 1],
      ],
    }),
  );
  const axis: Axis = { label: '', scale: 'linear', from: 0, to: 1 };
  const html = renderPlot({ x: axis, y: axis, series }, { description: '' });
  expect(html.slice(0, html.indexOf('</svg>'))).not.toMatch(/>[ab]</);
  expect(html.match(/<li>.*?<\/li>/g)?.map((item) => item.replace(/<[^>]*>/g, ''))).toEqual(['a', 'b']);
});

test('small plots have flags, and rows without empty places where two or four columns leave fewer', () => {
  const axis: Axis = { label: '', scale: 'linear', from: 0, to: 1 };
  const facet = {
    name: 'x',
    series: [
      {
        name: 'y',
        kind: 'points',
        points: [
          [0, 0],
          [1, 1],
        ],
      },
    ] as Series[],
    flags: [0.5],
  };
  const columnsOf = (count: number) =>
    renderPlot({ x: axis, y: axis, series: [], facets: Array(count).fill(facet) }, { description: '' }).match(
      /--columns:(\d)/,
    )?.[1];
  expect([1, 2, 3, 4, 6, 8, 5].map(columnsOf)).toEqual(['1', '2', '3', '4', '3', '4', '3']);
  const html = renderPlot({ x: axis, y: axis, series: [], facets: [facet] }, { description: '' });
  expect(html.match(/class="flag"/g)).toHaveLength(1);
});
