import { expect, test } from 'vitest';
import { renderEvalTable } from './eval-table.ts';
import type { EvalResult } from './evaluate.ts';
import type { GoldRow } from './gold.ts';
import { scorePage } from './score-page.ts';
import { summarise } from './summarise.ts';

test('contenders are rows and measures columns, with the accounts below', () => {
  const lines = renderEvalTable(resultOf()).split('\n');
  expect(lines[0]).toMatch(/^all pages +P +R +F1 +4P +4R +4F1 +keep +floor$/);
  expect(lines[1]).toMatch(/^pages +2 +2 /);
  expect(lines[2]).toMatch(/^dom +100\.0 +100\.0 +100\.0 .* +100\.0 +50\.0$/);
  expect(lines[3]).toMatch(/^none +75\.0 +100\.0 /);
  const text = lines.join('\n');
  expect(text).toMatch(/^words F1 +all +hosts ≥ 10$/m);
  expect(text).toMatch(/^words F1, pages per host +2-4 +10-49$/m);
  expect(text).toMatch(/^words F1 \(95 % interval\) +all +dom ahead by /m);
  expect(text).toMatch(/^none +83\.3 \(66\.7 to 100\.0\) +\+16\.7 \(0\.0 to 33\.3\)/m);
  expect(text).toContain('3 gold pages, 2 scored, 1 missing; 12 pages of 2 sites learnt from');
  expect(lines.at(-1)).toBe('missing: http://c.example/ (not-html)');
});

test('details have a row per group and contender', () => {
  expect(renderEvalTable(resultOf())).not.toContain('type forum');
  const lines = renderEvalTable(resultOf(), { details: true }).split('\n');
  const head = lines.findIndex((line) => line.startsWith('group'));
  expect(lines[head]).toMatch(/^group +detector +pages +P +R +F1 +4P +4R +4F1 +keep +drop +cut +floor$/);
  expect(lines[head + 1]).toMatch(/^all pages +dom +2 +100\.0 +100\.0 +100\.0 .* +100\.0 +- +- +50\.0$/);
  expect(lines[head + 2]).toMatch(/^ +none +2 +75\.0 +100\.0 /);
  expect(lines[head + 3]).toMatch(/^sites ≥ 10 pages +dom +1 /);
  expect(lines.join('\n')).toContain('type forum');
  expect(lines.join('\n')).not.toContain('site a.example');
});

test('all rows of a table are as wide as its head', () => {
  const lines = renderEvalTable(resultOf()).split('\n');
  const table = lines.slice(0, 4);
  expect(new Set(table.map((line) => line.length)).size).toBe(1);
});

test('sites and blocks come on request', () => {
  expect(renderEvalTable(resultOf(), { sites: true })).toContain('site a.example');
  const blocks: [0 | 2, string][] = [
    [0, 'menu'],
    [2, 'story'],
  ];
  expect(renderEvalTable(resultOf(blocks))).not.toContain('boilerplate');
  expect(renderEvalTable(resultOf(blocks), { details: true })).toMatch(/all pages +none +boilerplate +0\.0/);
});

test('templates and sections come where they were scored', () => {
  expect(renderEvalTable(resultOf())).not.toContain('anchor');
  const result = resultOf();
  const part = { precision: 0.5, recall: 1, f1: 2 / 3 };
  result.detectors[0].summary.all.templates = { text: part, anchors: part, links: part };
  result.detectors[0].summary.all.randIndex = 0.25;
  const row = /all pages +dom +50\.0 +100\.0 +66\.7 +50\.0 +100\.0 +66\.7 +50\.0 +100\.0 +66\.7 +0\.250/;
  expect(renderEvalTable(result)).toMatch(row);
});

function resultOf(blocks?: [0 | 2, string][]): EvalResult {
  const row: GoldRow = {
    url: 'http://a.example/',
    site: '',
    set: 's',
    text: 'story',
    keep: ['story'],
    drop: [],
  };
  if (blocks) row.blocks = blocks.map(([label, text]) => ({ label, text }));
  const detectors = (['dom', 'none'] as const).map((name) => {
    const text = name === 'dom' ? 'story' : 'menu story';
    const pieces = [
      { text: 'menu', kept: name === 'none' },
      { text: 'story', kept: true },
    ];
    const pages = [
      scorePage({ url: row.url, site: 'a.example', sitePages: 10, text, pieces, fellBack: false }, row),
      scorePage(
        { url: 'http://b.example/', site: 'b.example', sitePages: 2, text: 'story', fellBack: true },
        { ...row, url: 'http://b.example/', type: 'forum' },
      ),
    ];
    return { label: name, name, options: {}, summary: summarise(pages), pages };
  });
  return {
    digest: 'sha256:0',
    goldPages: 3,
    missing: [{ url: 'http://c.example/', reason: 'not-html' }],
    sites: 2,
    learntPages: 12,
    problems: [],
    detectors,
  };
}
