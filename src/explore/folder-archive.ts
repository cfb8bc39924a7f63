/**
 * Reads pages of an output folder again from their archives. An archive is searched at its path in the run,
 * relative to the current folder and to the parents of the output folder, then beside the output folder and in the
 * folders that the user names. A missing or changed archive throws an `ArchiveError` with the places that were
 * searched.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ArchiveResources, type Resources } from '../browse/resources.ts';
import type { Page } from '../model/page.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import type { Input } from '../read/raw-record.ts';
import { readPageAt, recordAt } from '../read/read-captures.ts';
import { checkReadOptions, type ReadOptions } from '../read/read-options.ts';
import { type FolderTables, type PageCaptureRow, readOriginals } from '../store/explore/read-pages.ts';
import type { RunFile, RunInput } from '../store/run-file.ts';

/** Thrown when an archive cannot be read again; the message is for the user. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

/** Opens the archives of a folder on first use, until it is closed. */
export class FolderArchive {
  readonly #tables: FolderTables;
  readonly #options: ReadOptions;
  /** Folders in which archives are searched by name. */
  readonly #archiveFolders: readonly string[];
  readonly #inputs = new Map<string, Promise<Input>>();
  #resources: Promise<Resources> | undefined;

  constructor(tables: FolderTables, { archiveFolders = [] }: { archiveFolders?: readonly string[] } = {}) {
    this.#tables = tables;
    this.#archiveFolders = archiveFolders;
    this.#options = readOptionsOf(tables.run);
  }

  /** Reads the page of a row into memory of its own. Throws an ArchiveError. */
  async read(row: PageCaptureRow): Promise<Page> {
    const input = await this.#inputOf(row.file);
    const location = locationOf(row);
    const event = readPageAt(input, location, this.#options);
    if (event.kind === 'page') return checked(event.page, row);
    const record = recordAt(input, location, checkReadOptions(this.#options));
    if (record?.kind === 'revisit') return this.#readOriginal(row, record.refersTo);
    const problems = event.kind === 'problem' ? [event.problem] : event.problems;
    const reason = problems[0]?.message ?? (event.kind === 'skip' ? event.code : 'it could not be read');
    throw new ArchiveError(`${row.file} no longer holds this page at byte ${row.offset}: ${reason}`);
  }

  /** Returns the styles, images and fonts of all archives that are found; reads these archives once. */
  resources(): Promise<Resources> {
    this.#resources ??= this.#survey();
    return this.#resources;
  }

  async close(): Promise<void> {
    const inputs = await Promise.allSettled(this.#inputs.values());
    closeInputs(inputs.flatMap((input) => (input.status === 'fulfilled' ? [input.value] : [])));
    this.#inputs.clear();
  }

  async #survey(): Promise<Resources> {
    const opened = await Promise.allSettled(this.#tables.run.inputs.map((input) => this.#open(input)));
    const inputs = opened.flatMap((input) => (input.status === 'fulfilled' ? [input.value] : []));
    return ArchiveResources.survey(inputs, this.#options);
  }

  /** Returns the page with the body of a revisit. */
  async #readOriginal(row: PageCaptureRow, refersTo?: Parameters<typeof readOriginals>[1]): Promise<Page> {
    const named = refersTo ?? { payloadDigest: row.payloadDigest, url: '', time: '' };
    for (const original of await readOriginals(this.#tables, named)) {
      if (original.page === row.page || original.htmlBytes !== row.htmlBytes) continue;
      const event = readPageAt(await this.#inputOf(original.file), locationOf(original), this.#options);
      if (event.kind !== 'page' || event.page.source.length !== row.htmlBytes) continue;
      const { url, time, site } = row;
      return { ...event.page, ...locationOf(row), url, time, site };
    }
    throw new ArchiveError(`this capture repeats an earlier one, and ${row.file} no longer leads to it`);
  }

  /** Returns the input that holds a file: itself, or an index that names it. */
  async #inputOf(file: string): Promise<Input> {
    const { inputs } = this.#tables.run;
    const named = inputs.find(({ name }) => name === file);
    if (named) return this.#open(named);
    const index = inputs.filter(({ format }) => format === 'cdx');
    if (index.length === 1) return this.#open(index[0]);
    throw new ArchiveError(`run.json does not name ${file} among its inputs`);
  }

  #open(input: RunInput): Promise<Input> {
    let opened = this.#inputs.get(input.name);
    if (!opened) {
      opened = this.#find(input);
      this.#inputs.set(input.name, opened);
      // forget a failure, so that a restored archive is found without a restart
      opened.catch(() => this.#inputs.delete(input.name));
    }
    return opened;
  }

  async #find({ name, format, sizeBytes }: RunInput): Promise<Input> {
    if (name === '-') {
      throw new ArchiveError(
        'the archive was read from a pipe and cannot be read again; name its file when you run the report',
      );
    }
    const places = this.#placesOf(name);
    let changed = '';
    for (const path of places) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found) continue;
      if (found.isFile() && format !== 'folder' && found.size !== sizeBytes) {
        changed ||= `${path} has ${found.size} bytes, and had ${sizeBytes} when the report was made`;
        continue;
      }
      const { inputs } = await openInputs([path], { limits: this.#options.limits });
      const input = inputs.find((one) => one.format === format);
      closeInputs(inputs.filter((one) => one !== input));
      if (input) return { ...input, name };
    }
    throw new ArchiveError(
      changed === ''
        ? `the archive ${name} is missing: put it beside ${this.#tables.folder}, or name its folder with --archives`
        : `the archive ${name} was changed: ${changed}; run the report again`,
    );
  }

  #placesOf(name: string): string[] {
    const folder = resolve(this.#tables.folder);
    const places = [
      resolve(name),
      // the command may have run in any parent folder
      ...foldersAbove(folder).map((path) => resolve(path, name)),
      join(dirname(folder), basename(name)),
      join(folder, basename(name)),
      ...this.#archiveFolders.map((path) => join(resolve(path), basename(name))),
    ];
    return [...new Set(places)];
  }
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}

function locationOf({ file, entry, offset, length }: PageCaptureRow) {
  return { file, offset, length, ...(entry === '' ? {} : { entry }) };
}

function checked(page: Page, { site, url, htmlBytes, file, offset }: PageCaptureRow): Page {
  if (page.source.length !== htmlBytes || page.url !== url) {
    throw new ArchiveError(
      `${file} was changed: at byte ${offset} it has ${page.url} with ${page.source.length} bytes, and had ${url} with ${htmlBytes}`,
    );
  }
  return { ...page, site };
}

/** Returns the options that determine how the bytes of a page are read. */
function readOptionsOf({ options }: RunFile): ReadOptions {
  const { limits, statuses } = options as Pick<ReadOptions, 'limits' | 'statuses'>;
  return { ...(limits ? { limits } : {}), ...(statuses ? { statuses } : {}) };
}
