/** Characters of UTF-8 text at addresses. A byte that starts no character counts as one by itself. */

/** Bytes of the character that starts with this byte. */
export function characterBytes(first: u32): u32 {
  return 1 + u32(first >= 0xc0) + u32(first >= 0xe0) + u32(first >= 0xf0);
}

/** The code point at an address; the text ends at `end`. */
export function characterAt(at: u32, end: u32): u32 {
  const first: u32 = load<u8>(at);
  if (first < 0xc0) return first;
  const last = min(end, at + characterBytes(first));
  let character = first & (first < 0xe0 ? 0x1f : first < 0xf0 ? 0x0f : 0x07);
  for (let next = at + 1; next < last; next++) character = (character << 6) | (load<u8>(next) & 0x3f);
  return character;
}

export function isInsideCharacter(at: u32): bool {
  return (load<u8>(at) & 0xc0) === 0x80;
}

/** So many characters on, in valid UTF-8. */
export function skipCharacters(at: u32, count: u32): u32 {
  for (; count > 0; count--) at += characterBytes(load<u8>(at));
  return at;
}

/** So many characters back from the start of one, in valid UTF-8. */
export function skipBack(at: u32, count: u32): u32 {
  for (; count > 0; count--) {
    do at--;
    while (isInsideCharacter(at));
  }
  return at;
}
