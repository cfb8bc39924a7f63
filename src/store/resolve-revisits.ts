/**
 * Finds for every revisit the capture that holds its body: of those with the payload digest it states the one of its own
 * URL, else the first; else the one of the URL and time that it names. A filter goes by the URL of a capture: an original
 * that one left out still holds the body of a revisit that was not.
 */
import type { SkipCode } from '../model/problem.ts';
import { type BodyLocation, type CaptureColumns, fromLanes } from './capture-columns.ts';
import { readSurvey, type SurveyBlock } from './survey-part.ts';

interface Original extends BodyLocation {
  skip: SkipCode | '';
}

/** A revisit that gives no page, and why: its original has none, or is in none of the inputs. */
export interface LostRow {
  row: number;
  skip: SkipCode;
}

/** Sets the rows of revisits to where their bodies lie; returns those that have none. Reads the surveys a second time. */
export function resolveRevisits(surveys: readonly string[], captures: CaptureColumns): LostRow[] {
  const { revisits } = captures;
  if (revisits.length === 0) return [];
  const originals = findOriginals(surveys, {
    digests: new Set(revisits.map(({ digest }) => digest)),
    urls: new Set(revisits.map(({ originalUrl }) => originalUrl)),
  });
  const lost: LostRow[] = [];
  for (const { row, url, digest, originalUrl, originalTime } of revisits) {
    const original =
      originals.get(digestAndUrl(digest, url)) ??
      originals.get(digestOnly(digest)) ??
      originals.get(urlAndTime(originalUrl, originalTime));
    if (!original) lost.push({ row, skip: 'revisit-unresolved' });
    else if (original.skip === '' || original.skip === 'filtered') captures.moveTo(row, original);
    else lost.push({ row, skip: original.skip });
  }
  return lost;
}

/** The first capture of each key that some revisit may ask for. */
function findOriginals(
  surveys: readonly string[],
  wanted: { digests: Set<string>; urls: Set<string> },
): Map<string, Original> {
  const originals = new Map<string, Original>();
  for (const path of surveys) {
    for (const block of readSurvey(path)) {
      const isRevisit = block.numbers('revisit');
      const digests = block.texts('payload_digest');
      const urls = block.texts('url');
      for (let k = 0; k < block.rowCount; k++) {
        if (isRevisit[k]) continue;
        const digest = digests.at(k);
        const url = urls.at(k);
        const keys: string[] = [];
        if (digest !== '' && wanted.digests.has(digest))
          keys.push(digestAndUrl(digest, url), digestOnly(digest));
        if (wanted.urls.has(url)) keys.push(urlAndTime(url, block.texts('time').at(k)));
        const missing = keys.filter((key) => !originals.has(key));
        if (missing.length === 0) continue;
        const original = originalAt(block, k);
        for (const key of missing) originals.set(key, original);
      }
    }
  }
  return originals;
}

function originalAt(block: SurveyBlock, k: number): Original {
  const wordOf = (name: 'file' | 'entry' | 'skip') => block.words(name)[Number(block.numbers(name)[k])];
  return {
    input: Number(block.numbers('input')[k]),
    file: wordOf('file'),
    entry: wordOf('entry'),
    offset: fromLanes(block.lanes('offset'), k),
    length: fromLanes(block.lanes('length'), k),
    skip: wordOf('skip') as SkipCode | '',
  };
}

const digestAndUrl = (digest: string, url: string) => `both\n${digest}\n${url}`;
const digestOnly = (digest: string) => `digest\n${digest}`;
const urlAndTime = (url: string, time: string) => `url\n${time}\n${url}`;
