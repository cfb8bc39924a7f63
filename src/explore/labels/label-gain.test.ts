import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directorySites } from '../../../scripts/directory-sites.ts';
import { chaff } from '../../../test/command-line.ts';
import { exploreFolder } from '../../../test/explore-folder.ts';
import { gzipEach, httpResponse, warcRecord } from '../../../test/sample-archives.ts';
import type { JudgedBlock } from '../../detect/joint/judged-blocks.ts';
import type { LabelAnswer, Mark, QueueAnswer } from '../page-answers.ts';

test('labels of a few pages correct the verdict on other pages of an archive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-label-gain-'));
  const pages = [...directorySites({ sites: 4, pages: 14, seed: 5 })];
  const warc = join(folder, 'crawl.warc.gz');
  writeFileSync(
    warc,
    gzipEach(pages.map(({ url, time, html }) => warcRecord({ url, time, block: httpResponse(html) }))),
  );
  await chaff(['report', warc, '-o', join(folder, 'crawl.chaff'), '--workers', '0', '-q']);
  const explored = await exploreFolder(join(folder, 'crawl.chaff'));
  const json = async <T>(path: string, options?: RequestInit) =>
    (await (await explored.ask(path, options)).json()) as T;
  const label = async (page: number, name: string) => {
    const path = `/api/labels/page?page=${page}&annotator=${name}`;
    const answer = await json<LabelAnswer>(path);
    const { truth } = pages.find(({ url }) => url === answer.row.url)!;
    const marks = (answer.blocks as unknown as JudgedBlock[]).map(({ start }): Mark => {
      const { label: truly } = truth.find((range) => range.start <= start && start < range.end)!;
      return truly === 'content' ? 'content' : 'template';
    });
    await explored.ask(path, { method: 'PUT', body: JSON.stringify({ marks, version: answer.version }) });
  };
  try {
    // the three least sure pages of each site are labelled, four others are the test
    for (let site = 0; site < 4; site++) {
      const queue = await json<QueueAnswer>(`/api/labels/queue?site=directory${site}.example&annotator=ana`);
      for (const { page } of queue.pages.slice(0, 3)) await label(page, 'ana');
      for (const { page } of queue.pages.slice(3, 7)) await label(page, 'test');
    }
    const labels = join(folder, 'crawl.labels');
    const model = join(folder, 'own.json');
    await chaff([
      ...['train', warc, '--detector', 'joint', '--site-weight', '0', '-o', model, '-q'],
      ...['--gold', `${join(labels, 'ana.jsonl')}:100`],
    ]);
    const score = async (...use: string[]) => {
      const gold = ['--gold', join(labels, 'test.jsonl'), '--detectors', 'joint'];
      const { stdout } = await chaff(['eval', warc, ...gold, ...use, '--json', '-q']);
      type Scored = {
        detectors: { name: string; summary: { all: { pages: number; words: { f1: number } } } }[];
      };
      return (JSON.parse(stdout) as Scored).detectors.find(({ name }) => name === 'joint')!.summary.all;
    };
    const before = await score();
    const after = await score('--joint-model', model);
    expect(before.pages).toBe(16);
    expect(before.words.f1).toBeLessThan(0.8);
    expect(after.words.f1).toBeGreaterThan(before.words.f1 + 0.15);
  } finally {
    await explored.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
