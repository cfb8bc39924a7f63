/** Says what is run on what: two runs with the same fingerprint give the same folder. */
import { createHash } from 'node:crypto';
import { version } from '../model/version.ts';
import type { Input } from '../read/input.ts';
import { peekInput } from '../store/input-digest.ts';
import type { Job } from './job.ts';

/** Digest of version, options and the names, sizes and ends of the inputs. Reads 128 KiB of each. */
export function fingerprintOf(job: Job, inputs: Input[]): string {
  const facts = inputs.map(({ name, format, sizeBytes, path }) => [name, format, sizeBytes, peekInput(path)]);
  return createHash('sha256')
    .update(stableJson([version, job, facts]))
    .digest('hex');
}

/** JSON with the keys of objects in one order. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
