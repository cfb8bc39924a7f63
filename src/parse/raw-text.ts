/**
 * Where content that is not markup ends: that of script, style, title and their like, and that of comments.
 * The native search finds candidates; after a miss the next bytes are looked at one by one, so that a flood
 * of candidates does not pay for a native call each.
 */
import { TAG, tagsOf } from './tag-names.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const DASH = 0x2d;
const BANG = 0x21;

/** Bytes looked at one by one before the native search. */
const NEAR = 32;

const nameBytes = new Map<number, Uint8Array>();
for (const name of ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes']) {
  nameBytes.set(tagsOf(name)[0], new TextEncoder().encode(name));
}

/**
 * Offset of the end tag that ends a raw element of this tag, from `start`; the size when there is none.
 * `bytes` is `buffer` followed by zeros.
 */
export function findRawEnd(bytes: Uint8Array, buffer: Buffer, start: number, tag: number): number {
  const name = nameBytes.get(tag);
  if (name === undefined) throw new RangeError(`tag ${tag} has no raw content`);
  if (tag === TAG.script) return findScriptEnd(bytes, buffer, start, name);
  for (let p = start; ; p++) {
    p = findByte(bytes, buffer, LESS, p);
    if (p >= buffer.length) return buffer.length;
    if (bytes[p + 1] === SLASH && isName(bytes, p + 2, name)) return p;
  }
}

/** Offset past a comment whose content starts at `start`. */
export function findCommentEnd(bytes: Uint8Array, buffer: Buffer, start: number): number {
  if (bytes[start] === GREATER) return start + 1;
  if (bytes[start] === DASH && bytes[start + 1] === GREATER) return start + 2;
  for (let p = start; ; p++) {
    p = findByte(bytes, buffer, GREATER, p);
    if (p >= buffer.length) return buffer.length;
    const dash = bytes[p - 1] === BANG ? p - 2 : p - 1;
    if (dash > start && bytes[dash] === DASH && bytes[dash - 1] === DASH) return p + 1;
  }
}

/**
 * Scripts hide in comments: after `<!--`, a `<script` makes the next `</script` one of the comment's own,
 * until `-->`.
 */
function findScriptEnd(bytes: Uint8Array, buffer: Buffer, start: number, name: Uint8Array): number {
  const size = buffer.length;
  let commentEnd = -1; // where the comment ends that we are in, or -1
  let nested = false;
  for (let p = start; ; p++) {
    p = findByte(bytes, buffer, LESS, p);
    if (p >= size) return size;
    if (commentEnd >= 0 && p > commentEnd) {
      commentEnd = -1;
      nested = false;
    }
    if (bytes[p + 1] === SLASH) {
      if (!isName(bytes, p + 2, name)) continue;
      if (!nested) return p;
      nested = false;
    } else if (commentEnd < 0) {
      if (bytes[p + 1] !== BANG || bytes[p + 2] !== DASH || bytes[p + 3] !== DASH) continue;
      const found = buffer.indexOf('-->', p + 2, 'latin1');
      commentEnd = found < 0 ? size : found;
    } else if (!nested && isName(bytes, p + 1, name)) nested = true;
  }
}

function findByte(bytes: Uint8Array, buffer: Buffer, byte: number, from: number): number {
  const near = Math.min(from + NEAR, buffer.length);
  for (let p = from; p < near; p++) if (bytes[p] === byte) return p;
  if (near === buffer.length) return near;
  const found = buffer.indexOf(byte, near);
  return found < 0 ? buffer.length : found;
}

/** Whether a tag's name stands at `start`, in any case, and ends there. */
function isName(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if ((bytes[start + i] | 0x20) !== name[i]) return false;
  const after = bytes[start + name.length];
  return (
    after === GREATER ||
    after === SLASH ||
    after === 0x20 ||
    (after >= 0x09 && after <= 0x0d && after !== 0x0b)
  );
}
