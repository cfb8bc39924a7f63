/**
 * Reads the directory of a zip file, zip64 included, and locates the bytes of its entries. Existing readers
 * (such as unzipit) are asynchronous and do not reveal the offset of the data; here a WARC stored in a zip is
 * read in place, synchronously, like any file. Names of entries never become paths. Without a directory, as
 * in a cut-off file, the local headers are walked.
 */
import { type ByteSource, indexOfBytes, takeBytes } from './byte-source.ts';

/** One entry of a zip. */
export interface ZipEntry {
  name: string;
  /** Compression method: 0 stored, 8 deflated; others cannot be read. */
  method: number;
  encrypted: boolean;
  /** Size in the zip. */
  storedBytes: number;
  /** Size after decompression, as stated. */
  sizeBytes: number;
  /** Offset of its local header. */
  headerOffset: number;
  /** Offset of the next local header or the directory; the data cannot reach beyond it. */
  endOffset: number;
}

/** The entries of a zip. */
export interface ZipDirectory {
  entries: ZipEntry[];
  /** The fault of the directory in words; empty without a fault. */
  fault: string;
}

const END_SIGNATURE = 0x06054b50;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const MAX_DIRECTORY_BYTES = 512 * 1024 * 1024;
const MAX_COMMENT_BYTES = 0xffff;
/** Maximum number of entries that are kept in memory. */
const MAX_ENTRIES = 1_000_000;

/** Whether bytes start like a zip file. */
export function isZip(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x50 &&
    bytes[1] === 0x4b &&
    ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))
  );
}

/** Reads the directory of a zip, or its local headers if the directory is missing. */
export function readZipDirectory(source: ByteSource): ZipDirectory {
  const end = findEnd(source);
  if (end === null) return { entries: walkLocalHeaders(source), fault: 'has no directory at its end' };
  const { count, directoryBytes } = end;
  // bytes in front of the archive shift all offsets; the directory always ends at the start of its end record
  const directoryStart = end.recordOffset - directoryBytes;
  const shift = directoryStart - end.directoryOffset;
  if (directoryStart < 0 || shift < 0 || directoryBytes > MAX_DIRECTORY_BYTES) {
    return { entries: walkLocalHeaders(source), fault: 'has a directory that lies outside of it' };
  }
  const entries: ListedEntry[] = [];
  const bytes = takeBytes(source, directoryStart, directoryBytes);
  const view = viewOf(bytes);
  let at = 0;
  while (
    at + 46 <= bytes.length &&
    view.getUint32(at, true) === ENTRY_SIGNATURE &&
    entries.length < MAX_ENTRIES
  ) {
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const commentBytes = view.getUint16(at + 32, true);
    const extra = bytes.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes);
    const [sizeBytes, storedBytes, headerOffset] = wideNumbers(extra, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ]);
    entries.push({
      name: decodeName(bytes.subarray(at + 46, at + 46 + nameBytes)),
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      storedBytes,
      sizeBytes,
      headerOffset: headerOffset + shift,
    });
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
  const tooMany = entries.length === MAX_ENTRIES && at < bytes.length;
  const fault = tooMany
    ? `lists more than ${MAX_ENTRIES} entries; the others are left out`
    : entries.length === count
      ? ''
      : `lists ${entries.length} entries but states ${count}`;
  return { entries: withExtents(entries, directoryStart), fault };
}

type ListedEntry = Omit<ZipEntry, 'endOffset'>;

/** Sets the end of each entry, so that entries with different headers share no byte. */
function withExtents(listed: ListedEntry[], end: number): ZipEntry[] {
  const starts = [...new Set(listed.map(({ headerOffset }) => headerOffset))].sort((a, b) => a - b);
  const ends = new Map(starts.map((start, k) => [start, starts[k + 1] ?? Math.max(start, end)]));
  return listed.map((entry) => ({ ...entry, endOffset: ends.get(entry.headerOffset)! }));
}

/**
 * Chooses the entries to read, by name, and lists those that are left out because an earlier entry has the
 * same bytes.
 */
export function chooseEntries(
  { entries }: ZipDirectory,
  isWanted: (name: string) => boolean,
): { chosen: Map<string, ZipEntry>; repeats: string[] } {
  const chosen = new Map<string, ZipEntry>();
  const repeats: string[] = [];
  const seen = new Set<number>();
  for (const entry of entries) {
    const { name, headerOffset } = entry;
    if (!isWanted(name) || chosen.has(name)) continue;
    if (seen.has(headerOffset)) repeats.push(name);
    else chosen.set(name, entry);
    seen.add(headerOffset);
  }
  return { chosen, repeats };
}

const ENTRY_MISSING = 'the entry is not where the directory of the zip says';

/** Returns the span of an entry's data in the source, or a sentence about why it cannot be read. */
export function zipEntryData(source: ByteSource, entry: ZipEntry): { start: number; end: number } | string {
  const header = source.view(entry.headerOffset, 30);
  if (header.length < 30 || viewOf(header).getUint32(0, true) !== LOCAL_SIGNATURE) return ENTRY_MISSING;
  const view = viewOf(header);
  const start = entry.headerOffset + 30 + view.getUint16(26, true) + view.getUint16(28, true);
  const end = Math.min(start + entry.storedBytes, entry.endOffset, source.sizeBytes);
  if (start > source.sizeBytes) return ENTRY_MISSING;
  if (entry.encrypted) return 'the entry is encrypted';
  if (entry.method !== 0 && entry.method !== 8) return `the entry uses compression ${entry.method}`;
  return { start, end: Math.max(start, end) };
}

interface EndRecord {
  recordOffset: number;
  count: number;
  directoryBytes: number;
  directoryOffset: number;
}

function findEnd(source: ByteSource): EndRecord | null {
  const tailStart = Math.max(0, source.sizeBytes - 22 - MAX_COMMENT_BYTES);
  const tail = takeBytes(source, tailStart, source.sizeBytes - tailStart);
  const view = viewOf(tail);
  for (let at = tail.length - 22; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    const commentBytes = view.getUint16(at + 20, true);
    if (at + 22 + commentBytes > tail.length) continue;
    const wide = findEnd64(source, tailStart + at);
    if (wide) return wide;
    return {
      recordOffset: tailStart + at,
      count: view.getUint16(at + 10, true),
      directoryBytes: view.getUint32(at + 12, true),
      directoryOffset: view.getUint32(at + 16, true),
    };
  }
  return null;
}

/** Finds the zip64 end record, to which a locator right before the plain one points. */
function findEnd64(source: ByteSource, endOffset: number): EndRecord | null {
  const locator = source.view(Math.max(0, endOffset - 20), 20);
  if (endOffset < 20 || viewOf(locator).getUint32(0, true) !== LOCATOR64_SIGNATURE) return null;
  const stated = readWide(viewOf(locator), 8);
  // at the stated offset, or right before the locator if bytes were put in front of the file
  for (const recordOffset of [stated, endOffset - 20 - 56]) {
    if (!(recordOffset >= 0) || recordOffset + 56 > source.sizeBytes) continue;
    const view = viewOf(source.view(recordOffset, 56));
    if (view.getUint32(0, true) !== END64_SIGNATURE) continue;
    const count = readWide(view, 32);
    return { recordOffset, count, directoryBytes: readWide(view, 40), directoryOffset: readWide(view, 48) };
  }
  return null;
}

/** Replaces numbers that are all ones by those of the zip64 extra field, in their order. */
function wideNumbers(extra: Uint8Array, numbers: [number, number, number]): [number, number, number] {
  if (!numbers.includes(0xffffffff)) return numbers;
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const id = view.getUint16(at, true);
    const end = at + 4 + view.getUint16(at + 2, true);
    if (id === 1) {
      let from = at + 4;
      return numbers.map((number) => {
        if (number !== 0xffffffff || from + 8 > Math.min(end, extra.length)) return number;
        from += 8;
        return readWide(view, from - 8);
      }) as [number, number, number];
    }
    at = end;
  }
  return numbers;
}

function walkLocalHeaders(source: ByteSource): ZipEntry[] {
  const SIGNATURE = Uint8Array.of(0x50, 0x4b, 3, 4);
  const entries: ListedEntry[] = [];
  for (let at = indexOfBytes(source, SIGNATURE, 0, source.sizeBytes); at >= 0; ) {
    const header = takeBytes(source, at, 30);
    if (header.length < 30 || entries.length === MAX_ENTRIES) break;
    const view = viewOf(header);
    const nameBytes = view.getUint16(26, true);
    const extraBytes = view.getUint16(28, true);
    const flags = view.getUint16(6, true);
    const dataStart = at + 30 + nameBytes + extraBytes;
    const next = indexOfBytes(source, SIGNATURE, dataStart, source.sizeBytes);
    const [sizeBytes, storedBytes] = wideNumbers(takeBytes(source, at + 30 + nameBytes, extraBytes), [
      view.getUint32(22, true),
      view.getUint32(18, true),
      0,
    ]);
    // with flag 8 the sizes follow the data: the data then reaches to the next header, or to the end
    const known = (flags & 8) === 0 || storedBytes > 0;
    const end = known ? dataStart + storedBytes : next < 0 ? source.sizeBytes : next;
    entries.push({
      name: decodeName(takeBytes(source, at + 30, nameBytes)),
      method: view.getUint16(8, true),
      encrypted: (flags & 1) === 1,
      storedBytes: Math.max(0, Math.min(end, source.sizeBytes) - dataStart),
      sizeBytes: known ? sizeBytes : 0,
      headerOffset: at,
    });
    at = known ? indexOfBytes(source, SIGNATURE, Math.max(end, at + 4), source.sizeBytes) : next;
  }
  return withExtents(entries, source.sizeBytes);
}

function readWide(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}
