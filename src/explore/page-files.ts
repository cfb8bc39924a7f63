/** Reads the files of the browser page made by `npm run build`; any path that is not a file gives index.html. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Contents and media type of a file. */
export interface PageFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

let files: Map<string, PageFile> | undefined;

/** Returns the file of a request path. Only names listed from the folder match, so a request cannot form a path. */
export function readPageFile(path: string): PageFile {
  files ??= readAll();
  return files.get(path.slice(1)) ?? files.get('index.html')!;
}

function readAll(): Map<string, PageFile> {
  const folder = new URL('page/', import.meta.url);
  if (!existsSync(new URL('index.html', folder))) {
    throw new Error(
      `the page of the explorer is not built: ${fileURLToPath(folder)} is missing; npm run build makes it`,
    );
  }
  const found = new Map<string, PageFile>();
  for (const name of readdirSync(folder)) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type) found.set(name, { bytes: new Uint8Array(readFileSync(new URL(name, folder))), type });
  }
  return found;
}
