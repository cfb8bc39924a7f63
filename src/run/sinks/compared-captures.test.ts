import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseHeld } from '../../../test/held-tree.ts';
import type { Page } from '../../model/page.ts';
import type { LabelTask } from '../tasks/task.ts';
import { Clock } from '../tasks/task-record.ts';
import { ComparedCaptures } from './compared-captures.ts';
import type { SinkPage } from './label-sink.ts';

const draft = mkdtempSync(join(tmpdir(), 'chaff-compared-'));
afterAll(() => rmSync(draft, { recursive: true, force: true }));

/** A page of a URL that was captured once a year, and a look at how often the capture before is opened. */
function captureOf(number: number, text: string, previous: SinkPage['previous']): SinkPage {
  const tree = parseHeld(`<ul><li>Home<li>News</ul><p>${text}</p>`);
  const page = { site: 'a.example', url: 'http://a.example/', time: `${2000 + number}-01-01T00:00:00Z` };
  const range = { start: 0, end: tree.source.length, label: 'content', score: 1, template: '', reason: '' };
  const planned = { page: number, group: number } as SinkPage['planned'];
  const verdicts = [{ ranges: [range] }] as unknown as SinkPage['verdicts'];
  const rest = { snapshot: String(number), title: '', problems: [] };
  return { planned, page: page as Page, tree, verdicts, previous, ...rest };
}

const TASK = {
  pages: [{ page: 1 }, { page: 2 }, { page: 3 }],
  otherCaptures: {
    1: { nextGroup: 2, nextYear: 2002 },
    2: { previous: { page: 1, group: 1, time: '2001-01-01T00:00:00Z' }, nextGroup: 3, nextYear: 2003 },
    3: { previous: { page: 2, group: 2, time: '2002-01-01T00:00:00Z' } },
  },
} as unknown as LabelTask;

test('a capture that this task has labelled is not read and parsed again', () => {
  const compared = new ComparedCaptures({ draft, task: TASK, lists: true });
  let opened = 0;
  const previous = () => {
    opened++;
    return undefined;
  };
  for (const [k, text] of ['One text', 'One text', 'Another one'].entries()) {
    compared.add(captureOf(k + 1, text, previous), new Clock());
  }
  compared.close();
  expect(opened).toBe(0);
});

test('a capture that was not stored is read again', () => {
  const compared = new ComparedCaptures({ draft, task: TASK, lists: false });
  let opened = 0;
  const previous = () => {
    opened++;
    return captureOf(2, 'One text', undefined);
  };
  compared.add(captureOf(3, 'Another one', previous), new Clock());
  compared.close();
  expect(opened).toBe(1);
});
