import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExploredSample, exploreSample } from '../../../test/explore-folder.ts';
import type { TemplateFacts, TemplateList } from '../../store/explore/template-rows.ts';
import type { PageAnswer } from '../page-answers.ts';

const SITE = 'en1.example';
let sample: ExploredSample;

beforeAll(async () => {
  sample = await exploreSample({ pagesPerSite: 20 });
});
afterAll(() => sample?.close());

const json = async <T>(path: string): Promise<T> => (await (await sample.ask(path)).json()) as T;

test('templates are ordered by the bytes that their removal saves', async () => {
  const { total, rows } = await json<TemplateList>(`/api/templates?site=${SITE}&detector=dom`);
  expect(rows).toHaveLength(total);
  const saved = rows.map(({ totalBytes }) => totalBytes);
  expect(saved).toEqual([...saved].sort((a, b) => b - a));
});

test('a template has its pages, snapshots, place and variants', async () => {
  const { rows } = await json<TemplateList>(`/api/templates?site=${SITE}&detector=dom`);
  const row = rows.find(({ text, pages }) => text !== '' && pages > 3)!;
  const facts = await json<TemplateFacts>(`/api/templates/one?site=${SITE}&detector=dom&id=${row.id}`);
  expect(facts).toMatchObject({ id: row.id, pages: row.pages, totalBytes: row.totalBytes });
  expect(facts.siteUrls).toBeGreaterThanOrEqual(row.pages);
  expect(facts.snapshots.reduce((sum, { pages }) => sum + pages, 0)).toBeGreaterThanOrEqual(row.pages);
  expect(facts.startShare).toBeLessThan(facts.endShare);
  expect(facts.reason).not.toBe('');
  for (const { id, likeness } of facts.variants) {
    expect(id).not.toBe(row.id);
    expect(likeness).toBeGreaterThanOrEqual(0.5);
  }
});

test('the example of a template is a range of a page that holds it', async () => {
  for (const detector of ['joint', 'dom']) {
    const { rows } = await json<TemplateList>(`/api/templates?site=${SITE}&detector=${detector}`);
    for (const { id } of rows.slice(0, 6)) {
      const { example } = await json<TemplateFacts>(
        `/api/templates/one?site=${SITE}&detector=${detector}&id=${id}`,
      );
      const { detectors } = await json<PageAnswer>(`/api/page?page=${example!.page}`);
      const { ranges } = detectors.find((one) => one.detector === detector)!;
      expect(ranges[example!.range]).toMatchObject({ template: id, label: 'template' });
    }
  }
});

test('an unknown template is answered as missing', async () => {
  const answer = await sample.ask(`/api/templates/one?site=${SITE}&detector=dom&id=0000`);
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: `${SITE} has no template 0000 by dom` },
  ]);
});
