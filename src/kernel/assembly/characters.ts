/** Characters of UTF-8 text, given by address. A byte that starts no character counts as one character. */

/** Returns the number of bytes of the character that starts with this byte. */
export function characterBytes(first: u32): u32 {
  return 1 + u32(first >= 0xc0) + u32(first >= 0xe0) + u32(first >= 0xf0);
}

/** Returns the code point at an address; the text ends at `end`. */
export function characterAt(at: u32, end: u32): u32 {
  const first: u32 = load<u8>(at);
  if (first < 0xc0) return first;
  const last = min(end, at + characterBytes(first));
  let character = first & (first < 0xe0 ? 0x1f : first < 0xf0 ? 0x0f : 0x07);
  for (let next = at + 1; next < last; next++) character = (character << 6) | (load<u8>(next) & 0x3f);
  return character;
}

/** Whether the byte at an address continues a character. */
export function isInsideCharacter(at: u32): bool {
  return (load<u8>(at) & 0xc0) === 0x80;
}

/** Returns the address `count` characters further, in valid UTF-8. */
export function skipCharacters(at: u32, count: u32): u32 {
  for (; count > 0; count--) at += characterBytes(load<u8>(at));
  return at;
}

/** Returns the address `count` characters before the start of a character, in valid UTF-8. */
export function skipBack(at: u32, count: u32): u32 {
  for (; count > 0; count--) {
    do at--;
    while (isInsideCharacter(at));
  }
  return at;
}
