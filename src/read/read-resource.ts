/**
 * What a page is shown with: stylesheets, images and fonts, as they were served. Only the HTTP status and
 * headers say what they are; bodies are decoded from their transfer and content encodings and left as they are.
 */
import type { Place } from './container.ts';
import type { Input } from './input.ts';
import { decodeRecord } from './make-page.ts';
import { recordAt } from './read-captures.ts';
import { checkReadOptions, type ReadOptions } from './read-options.ts';

export interface Resource {
  status: number;
  /** As declared, parameters included; empty when undeclared. */
  contentType: string;
  /** Where a redirect leads, as written; empty when it does not. */
  location: string;
  body: Uint8Array;
}

/** The resource at a place that `surveyInput` gave; null when it cannot be had whole within the limits. */
export function readResourceAt(input: Input, place: Place, options: ReadOptions = {}): Resource | null {
  const checked = checkReadOptions(options);
  const record = recordAt(input, place, checked);
  if (record === null || record.kind === 'revisit' || record.exceeded) return null;
  const decoded = decodeRecord(input, record, checked);
  if (decoded === null || decoded.body.length > checked.limits.pageBytes) return null;
  return {
    ...decoded,
    location: decoded.status >= 300 && decoded.status < 400 ? locationOf(record.block) : '',
  };
}

/** Longest head in which a Location is looked for. */
const MAX_HEAD_BYTES = 64 * 1024;

function locationOf(block: Uint8Array): string {
  const bytes = Buffer.from(block.buffer, block.byteOffset, Math.min(block.length, MAX_HEAD_BYTES));
  const head = bytes.toString('latin1').split(/\r?\n\r?\n/, 1)[0];
  return /^location[ \t]*:[ \t]*(.*?)[ \t]*$/im.exec(head)?.[1] ?? '';
}
