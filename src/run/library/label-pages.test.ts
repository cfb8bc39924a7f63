import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplePages } from '../../../test/detector-contract.ts';
import type { Problem } from '../../model/problem.ts';
import { writeSampleArchive } from '../../research/generated-sites/write-archive.ts';
import { type LabelledPage, label, strip } from './label-pages.ts';
import { learn, SiteModels } from './learn-pages.ts';
import { openArchive } from './open-archive.ts';

const pages = samplePages(24);

async function collect(rows: AsyncIterable<object>): Promise<object[]> {
  const all: object[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test('label and strip leave out pages beyond the limits, and say why', async () => {
  const models = await learn(pages);
  for (const run of [label, strip]) {
    const problems: Problem[] = [];
    const onProblem = (problem: Problem) => problems.push(problem);
    expect(await collect(run(pages, models, { limits: { nodes: 8 }, onProblem }))).toEqual([]);
    expect(problems.map(({ code, url }) => [code, url])).toEqual(
      pages.map(({ url }) => ['too-many-nodes', url]),
    );
  }
});

test('label says when a page is nested deeper than the limit', async () => {
  const [page] = pages;
  const deep = { ...page, source: Buffer.from(`${'<div>'.repeat(20)}deep${'</div>'.repeat(20)}`) };
  const codes: string[] = [];
  const options = { limits: { depth: 8 }, onProblem: ({ code }: Problem) => codes.push(code) };
  expect(await collect(label([deep], await learn(pages), options))).toHaveLength(1);
  expect(codes).toContain('depth-capped');
});

test('learn does not learn from pages beyond the limits', async () => {
  const [model] = await learn(pages, { limits: { nodes: 8 } });
  expect(model.pagesLearnt).toBe(0);
});

test('an unknown limit is refused by its name', async () => {
  const limits = { pages: 3 } as object;
  await expect(learn(pages, { limits })).rejects.toThrow('unknown option "pages"');
  const models = await learn(pages);
  expect(() => label(pages, models, { limits })).toThrow('unknown option "pages"');
});

test('models know what makes their sites, and are not used on an archive of other sites', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-label-'));
  const { warc } = await writeSampleArchive(folder, { sites: 1, pagesPerSite: 12 });
  const archive = openArchive(warc, { site: 'path:1' });
  const models = SiteModels.decode((await learn(archive)).encode());
  expect(models.siteRule).toBe('path:1');
  expect(await collect(label(archive, models))).not.toEqual([]);
  expect(() => label(openArchive(warc), models)).toThrow('sites by path:1');
  await expect(learn(archive, { site: 'domain' })).rejects.toThrow('sites by path:1, not by domain');
  rmSync(folder, { recursive: true });
});

test('a page of a site that no model knows is judged by itself, as a site of one page', async () => {
  const codes: string[] = [];
  const onProblem = ({ code }: Problem) => codes.push(code);
  const [page] = pages;
  const alone = await collect(label([page], await learn([page]), { onProblem }));
  const unknown = { ...page, site: 'other.example' };
  for (const models of [await learn(pages), new SiteModels([])]) {
    const [labelled] = (await collect(label([unknown], models, { onProblem }))) as LabelledPage[];
    expect(labelled.detector).toBe('joint');
    expect(labelled.ranges).toEqual((alone[0] as LabelledPage).ranges);
  }
  expect(codes).toEqual([]);
});

test('models of dom leave a page of an unknown site to the floors, and say so', async () => {
  const codes: string[] = [];
  const models = await learn(pages, { detector: 'dom' });
  const unknown = { ...pages[0], site: 'other.example' };
  const options = { onProblem: ({ code }: Problem) => codes.push(code) };
  const [labelled] = (await collect(label([unknown], models, options))) as LabelledPage[];
  expect(labelled.detector).toBe('none');
  expect(codes).toEqual(['too-few-pages']);
});

test('label and strip without models say what they expect', () => {
  for (const run of [label, strip]) {
    expect(() => run(pages, undefined as never)).toThrow(TypeError);
    expect(() => run(pages, learn(pages) as never)).toThrow(
      /must be the SiteModels that learn gives.*Promise/,
    );
  }
});
