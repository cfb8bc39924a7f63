/**
 * The charset a page declares. Labels are resolved as the Encoding standard says; those it does not know
 * are tried again without punctuation, since `iso-88591` and `windows1251` can only mean one thing. The meta
 * prescan of the HTML standard looks at the first 1,024 bytes; where it finds nothing, as behind a long
 * script, the next kilobytes are searched for a meta element with a charset.
 */
import { labelToName } from '@exodus/bytes/encoding.js';
import { prescanMeta } from './meta-prescan.ts';

/** WHATWG name for a label, misspelt ones included; null when it names no charset we can read. */
export function charsetNamed(label: string): string | null {
  if (label === '') return null;
  let name = knownLabels.get(label);
  if (name === undefined) {
    name = resolveLabel(label);
    if (knownLabels.size < MAX_KNOWN_LABELS) knownLabels.set(label, name);
  }
  return name;
}

/** The charset of a page's meta element; null when it has none that can be read. */
export function metaCharset(body: Uint8Array): string | null {
  const first = charsetNamed(prescanMeta(body) ?? '');
  if (first !== null) return first;
  for (const label of searchLabels(body)) {
    const name = charsetNamed(label);
    if (name !== null) return name;
  }
  return null;
}

/** What a page writes where its charset should stand, whether or not that names one; empty when nothing. */
export function metaLabel(body: Uint8Array): string {
  for (const label of searchLabels(body)) return label;
  return '';
}

const SEARCH_BYTES = 32 * 1024;
/** What is in a comment, as far as it reaches, declares nothing. */
const COMMENT_OR_META = /<!--[\s\S]*?(?:-->|$)|<meta\b[^>]{0,500}?charset\s*=[\s"']*([\w:.-]+)/gi;
const MAX_KNOWN_LABELS = 1000;
const knownLabels = new Map<string, string | null>();

const SQUASHED_NAMES = new Map(
  ['Big5', 'EUC-JP', 'EUC-KR', 'GBK', 'GB18030', 'ISO-2022-JP', 'KOI8-R', 'KOI8-U', 'Shift_JIS', 'UTF-8'].map(
    (name) => [squash(name), name],
  ),
);

function resolveLabel(label: string): string | null {
  const known = labelToName(label) ?? mendLabel(label);
  // UTF-16 shows in the bytes; a page that claims it and does not show it is something else
  if (known === null || known === 'replacement' || known === 'x-user-defined' || known.startsWith('UTF-16'))
    return null;
  return known;
}

function mendLabel(label: string): string | null {
  const squashed = squash(label);
  const codePage = /^(?:x?cp|x?win|windows|ms|ansi|wind?ows?cp)?(125[0-8]|874|866|949|936|932|950)$/.exec(
    squashed,
  );
  if (codePage) return CODE_PAGES[codePage[1]] ?? `windows-${codePage[1]}`;
  const iso = /^(?:iso|is0|so|iec)?8859(\d{1,2})(?:[ei])?$/.exec(squashed);
  if (iso) return labelToName(`iso-8859-${Number(iso[1])}`);
  return SQUASHED_NAMES.get(squashed) ?? labelToName(squashed);
}

const CODE_PAGES: Record<string, string> = {
  866: 'IBM866',
  932: 'Shift_JIS',
  936: 'GBK',
  949: 'EUC-KR',
  950: 'Big5',
};

function squash(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function* searchLabels(body: Uint8Array): Generator<string> {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SEARCH_BYTES)).toString(
    'latin1',
  );
  for (const [, label] of text.matchAll(COMMENT_OR_META)) if (label !== undefined) yield label;
  const xml = /^\s*<\?xml\b[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(text);
  if (xml) yield xml[1];
}
