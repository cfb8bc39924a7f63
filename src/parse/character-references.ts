/** Decodes character references: `&amp;`, `&#8217;`, `&copy` without its semicolon. */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { LONGEST_REFERENCE } from '../kernel/text-layout.ts';

export { LONGEST_REFERENCE };

/** Decodes the references in a text. */
export function decodeReferences(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}

/** Decodes the references in an attribute's value, where `&copy=1` is part of a query and not a reference. */
export function decodeAttribute(value: string): string {
  return value.includes('&') ? decodeHTMLAttribute(value) : value;
}

/** Largest number of cached references; a page has some dozens of distinct ones. */
const MAX_REMEMBERED = 4096;

const remembered = new Map<string, Buffer>();

/**
 * Returns the offset after the last byte that can belong to the reference that starts with the `&` at
 * `start`.
 */
export function referenceEnd(source: Uint8Array, start: number, end: number): number {
  let at = start + 1;
  while (at < end && isReferenceByte(source[at])) at++;
  return at < end && source[at] === 0x3b /* ; */ ? at + 1 : at;
}

/**
 * Decodes a reference of a text, from its `&` to its `referenceEnd`, to UTF-8. Attribute values follow other
 * rules.
 */
export function decodeReference(reference: string): Buffer {
  let decoded = remembered.get(reference);
  if (decoded === undefined) {
    decoded = Buffer.from(decodeHTML(reference));
    if (reference.length <= LONGEST_REFERENCE && remembered.size < MAX_REMEMBERED) {
      remembered.set(reference, decoded);
    }
  }
  return decoded;
}

/** Whether a byte can occur in a reference between `&` and `;`: a letter, digit or `#`. */
export function isReferenceByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x23
  );
}
