/** Captures and pages: what an archive holds, and where. */

/** Where the bytes of a capture lie: enough to read it again without reading anything else. */
export interface Location {
  /** The input file as the user named it; for CDX inputs the archive that the line names. */
  file: string;
  /** Entry within a zip, WACZ or folder; absent for a plain file. */
  entry?: string;
  /**
   * Start of the record: of its gzip member or zstd frame when compressed per record. For a file that is
   * compressed as a whole, the offset in the decompressed stream.
   */
  offset: number;
  /** Bytes of the record from `offset`, compressed where the archive is. */
  length: number;
}

/** One archived response. */
export interface Capture extends Location {
  url: string;
  /** ISO 8601 in UTC to the second, `2009-04-01T12:00:00Z`; empty when the archive gives no valid time. */
  time: string;
  /** HTTP status; 200 where the format knows none (folder, JSONL). */
  status: number;
  /** Media type as declared, lower case without parameters; empty when undeclared. */
  mime: string;
  /** WARC-Record-ID without angle brackets; empty when there is none. */
  recordId: string;
  /** As `sha1:…`; empty when the archive states none. */
  payloadDigest: string;
}

/** A capture that is HTML. */
export interface Page extends Capture {
  /** The group of pages it is compared with; see `siteOf`. */
  site: string;
  /** The charset its body was in, as a WHATWG encoding name (`UTF-8`, `windows-1251`). */
  charset: string;
  /** Its body as UTF-8 bytes. All offsets of nodes and ranges are byte offsets here. */
  source: Uint8Array;
  /**
   * Its body as it was served, where `source` is not that: in another charset, with a byte order mark, with
   * bytes that its charset does not allow. Only when the reader was asked for it (`bodies`).
   */
  body?: Uint8Array;
  /** Keys of the row it came in that Chaff gives no meaning to, such as `id`: rows of its text have them again. */
  extra?: Readonly<Record<string, unknown>>;
}
