/** Single attributes of the current start tag, for the few rules that depend on one. */
import { b } from './builder.ts';
import { endsTagName, GREATER, isSpace, SLASH, startsWith } from './scan-bytes.ts';

const EQUALS: u32 = 0x3d;

/**
 * Whether the current start tag has an attribute with this lower-case name; fills `valueStart` and
 * `valueEnd`.
 */
export function hasAttribute(name: string): bool {
  const limit = b.tokenEnd;
  let at = b.tokenStart + 1;
  while (at < limit && !endsTagName(load<u8>(at))) at++;
  while (true) {
    while (at < limit && (isSpace(load<u8>(at)) || load<u8>(at) === SLASH)) at++;
    if (at >= limit || load<u8>(at) === GREATER) return false;

    // the name; an equals sign is part of it if it comes first
    const nameStart = at++;
    while (at < limit && !endsTagName(load<u8>(at)) && load<u8>(at) !== EQUALS) at++;
    const nameEnd = at;
    while (at < limit && isSpace(load<u8>(at))) at++;
    b.valueStart = b.valueEnd = nameEnd;
    if (at < limit && load<u8>(at) === EQUALS) {
      for (at++; at < limit && isSpace(load<u8>(at)); ) at++;
      const quote: u32 = load<u8>(at);
      const isQuoted = u32(quote === 0x22 || quote === 0x27);
      at += isQuoted;
      b.valueStart = at;
      if (isQuoted) while (at < limit && load<u8>(at) !== quote) at++;
      else while (at < limit && !isSpace(load<u8>(at)) && load<u8>(at) !== GREATER) at++;
      b.valueEnd = at;
      at += isQuoted;
    } else at = nameEnd;
    if (nameEnd - nameStart === name.length && startsWith(nameStart, name)) return true;
  }
}

/** Whether the current start tag has an attribute with this lower-case value, in any case. */
export function attributeEquals(name: string, value: string): bool {
  return hasAttribute(name) && b.valueEnd - b.valueStart === value.length && startsWith(b.valueStart, value);
}

/** Whether the current tag is an input that is not displayed. */
export function isHiddenInput(): bool {
  return attributeEquals('type', 'hidden');
}
