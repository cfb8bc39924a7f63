/** The hash of bytes that `hash` of src/parse/scan-code.ts gives, four at a time, the last ones filled up with zeros. */
export function hashTwin(bytes: Uint8Array): [low: number, high: number] {
  let low = 0x2545f491;
  let high = 0x51ed270b;
  for (let at = 0; at <= bytes.length - (bytes.length % 4); at += 4) {
    let word = 0;
    for (let i = at; i < Math.min(at + 4, bytes.length); i++) word |= bytes[i] << (8 * (i - at));
    low = rotate(Math.imul(low ^ word, 0x85ebca6b), 13);
    high = rotate(Math.imul(high + word, 0xc2b2ae35), 17);
  }
  return [low, high ^ bytes.length];
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
