/**
 * The odd archives that other tools keep as tests, when they are available: each is read or reported, and where
 * warcio reads it, both find the same captures with the same bytes. Set CHAFF_DATA to the folder of real data.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { WARCParser } from 'warcio';
import { DEFAULT_LIMITS } from '../src/model/limits.ts';
import type { Problem } from '../src/model/problem.ts';
import { walkFolder } from '../src/read/folder.ts';
import { closeInputs, openInputs } from '../src/read/open-inputs.ts';
import { readPageAt, readPages, surveyInput } from '../src/read/read-captures.ts';
import { archiveFile } from '../src/read/record-file.ts';

const folders = [process.env.CHAFF_DATA, '../shared/data', '../shared'].filter((path) => path !== undefined);
const folder = folders
  .flatMap((path) => [join(path, 'warc-edge-cases'), join(path, 'fixtures', 'warc-edge-cases')])
  .find((path) => existsSync(path));
const files =
  folder === undefined ? [] : [...walkFolder(folder, () => true)].map((path) => join(folder, path));

const ABSENT = 'the odd archives are not here; CHAFF_DATA names the folder of real data';

/** Where warcio is wrong, or stops. */
const WARCIO_DIFFERS: Record<string, string> = {
  'example-bad-length.warc': 'cuts the block at the wrong length',
  'example-trunc.warc': 'cuts the block at the wrong length',
  'clipped.warc.gz': 'loses what it has not yet handed out at the cut',
  'missing-status-text.warc': 'does not know lines that end in CR CR LF',
};

test('every odd archive is read or reported, with a code and a place', async ({ skip }) => {
  skip(folder === undefined, ABSENT);
  for (const file of files) {
    const { inputs, problems } = await openInputs([file]);
    let captures = 0;
    const found: Problem[] = [...problems];
    for (const input of inputs) {
      let surveyed = 0;
      for (const event of surveyInput(input)) if (event.kind !== 'problem') surveyed++;
      for (const event of readPages(input)) {
        found.push(...(event.kind === 'problem' ? [event.problem] : event.problems));
        if (event.kind === 'problem') continue;
        captures++;
        const capture = event.kind === 'page' ? event.page : event.capture;
        const again = readPageAt(input, capture);
        if (again.kind === 'skip' && again.code === 'revisit-unresolved') continue;
        if (event.kind === 'page' && again.kind === 'page') {
          expect(Buffer.compare(again.page.source, event.page.source), file).toBe(0);
          expect({ ...again.page, source: 0 }, file).toEqual({ ...event.page, source: 0 });
        } else expect(again.kind, `${file} at ${capture.offset}`).toBe(event.kind);
      }
      expect(surveyed, file).toBe(captures);
    }
    closeInputs(inputs);
    for (const { code, offset } of found) {
      expect(code).toBeTruthy();
      if (code !== 'missing-file') expect(offset, `${file}: ${code}`).toBeTypeOf('number');
    }
    const holdsNone = /c1_warcinfo|block-sized|\.wat|\.wet|gzip_extra_sl|example-digest/.test(file);
    if (!holdsNone) expect(captures + found.length, file).toBeGreaterThan(0);
  }
});

test('where warcio reads a file, both find the same captures and bytes', async ({ skip }) => {
  skip(folder === undefined, ABSENT);
  let compared = 0;
  for (const file of files.filter(
    (name) => /\.warc(\.gz)?$/.test(name) && !(basename(name) in WARCIO_DIFFERS),
  )) {
    const theirs: string[] = [];
    for await (const record of new WARCParser(createReadStream(file), { parseHttp: false })) {
      const block = await record.readFully(false);
      const { warcType: type, warcTargetURI: url } = record;
      if (type === 'response' || type === 'resource' || type === 'revisit')
        theirs.push(line(type, url, block));
    }
    const { inputs } = await openInputs([file]);
    const { path, spooled } = inputs[0];
    const container = archiveFile({ path, format: 'warc', name: spooled ? '' : file });
    const ours: string[] = [];
    for (const record of container.records({ file, limits: DEFAULT_LIMITS, survey: false })) {
      if (record.kind !== 'problem') ours.push(line(record.kind, record.url, record.block));
    }
    container.close();
    closeInputs(inputs);
    expect(ours, file).toEqual(theirs);
    compared += ours.length;
  }
  expect(compared).toBeGreaterThan(500);
});

function line(type: string, url: string | null | undefined, block: Uint8Array | null): string {
  return `${type} ${url} ${createHash('sha1')
    .update(block ?? new Uint8Array())
    .digest('hex')}`;
}
