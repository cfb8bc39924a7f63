/**
 * The models a learn task leaves for the label tasks: a table of offsets and the detectors' own bytes, so
 * that a task that needs two of a thousand tiny sites reads two. (What users save is a model file of
 * detect/model-file.ts.)
 *
 *   uint32 count · uint32 end of each model, counted from the first · the models
 */
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { Detector, SiteModel } from '../../detect/detector.ts';

/** Group by group, in each the detectors in the order of the job. */
export const MODELS_FILE = 'models.bin';

export function writeModelPart(path: string, models: Uint8Array[]): void {
  const head = new Uint32Array(1 + models.length);
  head[0] = models.length;
  let end = 0;
  models.forEach((bytes, k) => {
    end += bytes.length;
    head[k + 1] = end;
  });
  writeFileSync(path, Buffer.concat([new Uint8Array(head.buffer), ...models]));
}

/** Reads the models of the `index`-th group of a part, one per detector. */
export function readModels(path: string, index: number, detectors: Detector[]): SiteModel[] {
  const file = openSync(path, 'r');
  try {
    const count = new Uint32Array(readAt(file, 0, 4))[0];
    const ends = new Uint32Array(readAt(file, 4, count * 4));
    const base = 4 + count * 4;
    return detectors.map((detector, k) => {
      const at = index * detectors.length + k;
      const start = at === 0 ? 0 : ends[at - 1];
      return detector.decode(new Uint8Array(readAt(file, base + start, ends[at] - start)));
    });
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, length: number): ArrayBuffer {
  const buffer = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const read = readSync(file, buffer, done, length - done, position + done);
    if (read === 0) throw new Error('a model part ends too early');
    done += read;
  }
  return buffer.buffer;
}
