/** Captures and pages, and their locations in an archive. */

/** File, entry, offset and length of a record: enough to read it again without reading anything else. */
export interface Location {
  /** The input file as the user named it; for CDX inputs the archive named in the CDX line. */
  file: string;
  /** Entry within a zip, WACZ or folder; absent for a plain file. */
  entry?: string;
  /**
   * Start of the record, or of its gzip member or zstd frame if records are compressed one by one. In a file
   * that is compressed as a whole, the offset in the decompressed stream.
   */
  offset: number;
  /** Bytes of the record from `offset`, counted in compressed form if the archive is compressed. */
  length: number;
}

/** One archived response with its location. */
export interface Capture extends Location {
  /** The URL as the archive states it. */
  url: string;
  /** ISO 8601 in UTC to the second, `2009-04-01T12:00:00Z`; empty when the archive gives no valid time. */
  time: string;
  /** HTTP status; 200 in formats that record none (folder, JSONL). */
  status: number;
  /** Declared media type in lower case, without parameters; empty if none is declared. */
  mime: string;
  /** WARC-Record-ID without angle brackets; empty if the record has none. */
  recordId: string;
  /** Digest of the payload as `sha1:…`; empty if the archive states none. */
  payloadDigest: string;
}

/** A capture whose body is HTML. */
export interface Page extends Capture {
  /** Key of the site that the page belongs to; see `siteOf`. */
  site: string;
  /** The charset of the original body, as a WHATWG encoding name (`UTF-8`, `windows-1251`). */
  charset: string;
  /** The body as UTF-8 bytes. All offsets of nodes and ranges are byte offsets here. */
  source: Uint8Array;
  /**
   * The body as it was served, if it differs from `source`: in another charset, with a byte order mark, or
   * with bytes that its charset does not allow. Set only if the reader was asked for it (`bodies`).
   */
  body?: Uint8Array;
  /** Extra keys of the page's input row, such as `id`; they are written again on its output rows. */
  extra?: Readonly<Record<string, unknown>>;
}
