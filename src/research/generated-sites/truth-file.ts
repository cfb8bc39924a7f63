/** The truth beside a generated archive: JSON lines, a row per page, ranges as `[start, end, label]`. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TruthLabel, TruthRange } from './label-writer.ts';
import type { GeneratedCapture } from './site-generator.ts';
import type { PageKind } from './site-plan.ts';

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

export function truthLine(capture: GeneratedCapture, site: string): string {
  const { url, time, kind, generation, charset, source, truth } = capture;
  const ranges = truth.map(({ start, end, label }) => [start, end, label]);
  return `${JSON.stringify({ url, time, kind, site, generation, charset, sizeBytes: source.length, ranges })}\n`;
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
