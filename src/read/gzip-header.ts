/** The header of a gzip member: ten bytes, then optional fields of any length (RFC 1952). */

export const GZIP_MAGIC = Uint8Array.of(0x1f, 0x8b, 0x08);

/** Header bytes; 0 when `bytes` ends inside it, -1 when this is no gzip header. */
export function gzipHeaderBytes(bytes: Uint8Array): number {
  for (let i = 0; i < Math.min(3, bytes.length); i++) if (bytes[i] !== GZIP_MAGIC[i]) return -1;
  if (bytes.length < 10) return 0;
  const flags = bytes[3];
  if (flags & 0xe0) return -1;
  let at = 10;
  if (flags & 4) {
    if (bytes.length < at + 2) return 0;
    at += 2 + bytes[at] + (bytes[at + 1] << 8);
  }
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return 0;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at < bytes.length ? at : 0;
}
