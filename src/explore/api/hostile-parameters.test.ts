import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExploredSample, exploreSample } from '../../../test/explore-folder.ts';
import { Explored } from '../explored.ts';
import { PageDesk } from '../page-desk.ts';
import { apiRoutes } from './index.ts';

let sample: ExploredSample;
let site: string;

beforeAll(async () => {
  sample = await exploreSample();
  site = ((await (await sample.ask('/api/sites')).json()) as { site: string }[])[0].site;
});
afterAll(() => sample?.close());

/** Valid parameters of each route; one of them at a time becomes hostile. */
const ROUTES: Record<string, Record<string, string>> = {
  '/folder': {},
  '/sites': {},
  '/page': { page: '1' },
  '/page/text': { page: '1', detector: 'joint' },
  '/page/changes': { older: '1', newer: '1' },
  '/page/frames': {},
  '/labels': {},
  '/labels/queue': { site: 'SITE', annotator: 'ana' },
  '/labels/page': { page: '1', annotator: 'ana' },
  '/labels/agreement': { first: 'ana', second: 'ben' },
  '/map': { site: 'SITE', detector: 'joint' },
  '/map/bars': { site: 'SITE', detector: 'joint', order: 'url' },
  '/map/tile': { site: 'SITE', detector: 'joint', order: 'url', first: '0', count: '4', stride: '1' },
  '/pages': {
    ...{ site: 'SITE', find: 'a', template: 'x', schema: '1', group: '1', fragment: '1' },
    ...{ detector: 'joint', limit: '10', offset: '0', from: '0', to: '4', order: 'url' },
  },
  '/pages/facts': { page: '1', detector: 'joint' },
  '/templates': { site: 'SITE', detector: 'dom' },
  '/templates/one': { site: 'SITE', detector: 'dom', id: 'x' },
  '/schemas': { site: 'SITE', detector: 'dom' },
  '/groups': { site: 'SITE' },
  '/fragments': { relation: 'complete', site: 'SITE', find: 'a' },
  '/history': { site: 'SITE' },
  '/changes': { class: '', site: 'SITE', find: 'a' },
  '/ask': {},
  '/ask/export': { query: 'SELECT 1', format: 'csv' },
};
/** Its wait for a click is 20 seconds. */
const WAITING = '/page/picks';

/** Values as they are in the query of a URL. */
const HOSTILE = {
  NUL: 'a%00b',
  'NUL alone': '%00',
  'lone surrogate': '%ED%A0%80',
  'no UTF-8': '%ff%fe',
  'half an escape': '%',
  '2^70': '1180591620717411303424',
  negative: '-1',
  fraction: '1.5',
  exponent: '1e3',
  NaN: 'NaN',
  empty: '',
  'very long': 'x'.repeat(12_000),
  quotes: `'%22%60%3B--%20%2F*`,
  pattern: '*%3F%5B',
  dollar: '$1',
  path: '..%2F..%2Fetc%2Fpasswd',
  prototype: '__proto__',
  'right to left': '%E2%80%AE',
  array: 'a,b',
};

test('each route is tried', () => {
  const explored = new Explored(() => new Promise(() => {}));
  const routes = apiRoutes(explored, new PageDesk(explored)).routes.filter(({ path }) => !path.includes('*'));
  const paths = new Set(routes.map(({ path }) => path.replace(/(?<=.)\/$/, '')));
  expect([...paths].sort()).toEqual([...Object.keys(ROUTES), WAITING].sort());
});

test.each(Object.entries(ROUTES))('no parameter makes %s fail', async (path, given) => {
  const valid = Object.entries(given).map(([name, value]): [string, string] => [
    name,
    value === 'SITE' ? encodeURIComponent(site) : encodeURIComponent(value),
  ]);
  const answers: Record<string, number> = {};
  const ask = async (name: string, query: [string, string][]) => {
    const text = query.map((pair) => pair.join('=')).join('&');
    const answer = await sample.ask(`/api${path}?${text}`);
    const body = await answer.text();
    answers[name] = answer.status;
    // a refusal is one sentence; that of a user's own query is the database's
    if (answer.status >= 400 && path !== '/ask/export')
      expect([name, body]).toEqual([name, expect.stringMatching(/^\{"error":"[^\n]{5,300}"\}$/)]);
    if (path !== '/ask/export') expect([name, body.includes('Parser Error')]).toEqual([name, false]);
  };
  await ask('valid', valid);
  for (const [name] of valid) {
    for (const [kind, value] of Object.entries(HOSTILE)) {
      await ask(
        `${name}: ${kind}`,
        valid.map(([other, old]) => [other, other === name ? value : old]),
      );
    }
    await ask(`${name} twice`, [...valid, [name, 'other']]);
    await ask(
      `${name}[]`,
      valid.map(([other, old]) => [other === name ? `${other}[]` : other, old]),
    );
  }
  const failed = Object.entries(answers).filter(([name, status]) => {
    if (name.includes('NUL') || name.endsWith('twice')) return status !== 400;
    return ![200, 400, 404].includes(status);
  });
  expect(failed).toEqual([]);
});

test('hostile bodies are refused', async () => {
  const bodies = [
    '',
    'null',
    '[]',
    '"x"',
    '{"query":1}',
    '{"query":"\\u0000"}',
    '{"query":"\\ud800"}',
    '{',
    '\0',
  ];
  for (const body of [...bodies, JSON.stringify({ query: `SELECT '${'x'.repeat(200_000)}'` })]) {
    const asked = await sample.ask('/api/ask', { method: 'POST', body });
    expect([body.slice(0, 40), asked.status]).toEqual([body.slice(0, 40), 400]);
    const saved = await sample.ask('/api/labels/page?page=1&annotator=ana', { method: 'PUT', body });
    expect([body.slice(0, 40), saved.status]).toEqual([body.slice(0, 40), 400]);
  }
});

test('hostile parts of the path of a frame are refused', async () => {
  const { base } = (await (await sample.ask('/api/page/frames')).json()) as { base: string };
  const parts = Object.values(HOSTILE).filter((value) => value !== '' && value.length < 9000);
  for (const value of parts) {
    for (const path of [
      `page/${value}/joint/aaaaaaaa`,
      `page/1/${value}/aaaaaaaa`,
      `page/1/joint/${value}`,
      `label/${value}/ana/aaaaaaaa`,
      `label/1/${value}/aaaaaaaa`,
      `resource/${value}/style/aaaa`,
      `resource/1/${value}/aaaa`,
      `resource/1/style/${value}`,
      `pick/${value}/1`,
      `pick/aaaaaaaa/${value}`,
    ]) {
      const { status } = await sample.ask(`${base}/${path}`);
      expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code < 500)]);
    }
  }
});

test('questions about many unknown sites at once are all answered', async () => {
  const ask = (n: number) => sample.ask(`/api/labels/queue?site=unknown${n}&annotator=ana`);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(400));
  expect((await ask(0)).status).toBe(400);
});
