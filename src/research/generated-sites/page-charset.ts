/** From UTF-8 to the charset a page is stored in. Characters outside it are a fault of the language table. */
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import { utf8toString } from '@exodus/bytes/utf8.js';

const MULTIBYTE = new Set(['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'shift_jis']);

export function encoderFor(charset: string): (source: Uint8Array) => Uint8Array {
  if (charset === 'utf-8') return (source) => source;
  const encode = MULTIBYTE.has(charset) ? createMultibyteEncoder(charset) : createSinglebyteEncoder(charset);
  return (source) => encode(utf8toString(source));
}
