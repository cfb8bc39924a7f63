/**
 * What the three ways to include have in common: how a file says "put that file here", and which bytes may
 * stand in a file as they are. Each syntax can also read back what it wrote, which is how the result is
 * checked without a server.
 */
import { createHash } from 'node:crypto';

export type IncludeStyle = 'ssi' | 'esi' | 'nunjucks';

export const INCLUDE_STYLES: readonly IncludeStyle[] = ['ssi', 'esi', 'nunjucks'];

/** What a file is made of when its includes are found. */
export type Part =
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'include'; path: string; parameters?: Map<string, Uint8Array> }
  | { kind: 'parameter'; name: string };

export interface IncludeSyntax {
  style: IncludeStyle;
  /** Whether files hold the pages' UTF-8 text rather than the bytes that were served. */
  holdsText: boolean;
  /** Path of a fragment's file below the folder of the style. */
  fragmentPath(id: string): string;
  /** Path of a page's file, from the path made of its URL. */
  pagePath(path: string): string;
  /** The bytes that include a file. */
  includeTag(path: string): string;
  /**
   * Bytes of a page as they may stand in a file, `first` at its start; null when the processor would
   * interpret or lose some of them, so that they must come from a file that it does not look into.
   */
  literal(bytes: Uint8Array, first: boolean): Uint8Array | null;
  /** Finds what the processor would find; throws on anything that was not written here. */
  parse(file: Uint8Array): Part[];
}

/** Deepest chain of includes from a page. Varnish gives up at 5, nginx at 50, Nunjucks has no limit. */
export const MAX_INCLUDE_DEPTH = 4;
/** Most includes of one page, those within its fragments counted each time. */
export const MAX_PAGE_INCLUDES = 1000;

/** The name of a fragment: 96 bits of a digest of its bytes, the same in every style and on every run. */
export function contentId(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 24);
}

/** Folder of the files that are served without looking into them. */
export const RAW_FOLDER = '_raw';
