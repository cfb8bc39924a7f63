/** Reads the true labels that `writeSampleArchive` writes beside an archive. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TruthLabel, TruthRange } from '../src/research/generated-sites/label-writer.ts';
import type { PageKind } from '../src/research/generated-sites/site-plan.ts';

/** A row of the truth file beside a generated archive. */
export interface TruthRow {
  url: string;
  time: string;
  kind: PageKind;
  /** Host of the site. */
  site: string;
  generation: number;
  charset: string;
  /** Bytes of the UTF-8 source. */
  sizeBytes: number;
  truth: TruthRange[];
}

export async function* readTruth(path: string): AsyncGenerator<TruthRow> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (line === '') continue;
    const { ranges, ...row } = JSON.parse(line) as Omit<TruthRow, 'truth'> & {
      ranges: [number, number, TruthLabel][];
    };
    yield { ...row, truth: ranges.map(([start, end, label]) => ({ start, end, label })) };
  }
}
