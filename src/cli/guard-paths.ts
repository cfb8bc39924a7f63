/**
 * Refuses, before a command starts, to write where it would destroy what it reads: an output that is an input, lies
 * inside an input folder or holds an input, and without `--overwrite` a file that is an archive. Files are compared by
 * device and inode, and by their path after links for what does not exist yet, so that links, `..` and the case of
 * names make no difference.
 */
import { closeSync, fstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { fileSource } from '../read/byte-source.ts';
import { archivesBeside } from '../read/cdx.ts';
import { isWebUrl } from '../read/fetch-pages.ts';
import { walkFolder } from '../read/folder.ts';
import { closeInputs, expandName, openInputs } from '../read/open-inputs.ts';
import { type Sniffed, sniffFormat } from '../read/sniff-format.ts';
import { UsageError } from './context.ts';
import { checkOutputFile, checkOutputFolder } from './output.ts';
import { draftName } from './output-name.ts';
import { InputArgument, InputOption, OutputOption } from './path-options.ts';

/** Adds the check to a command; its declarations say what it reads and writes. */
export function guardPaths(command: Command): Command {
  const given = new Map<string, string[]>();
  for (const option of command.options) {
    if (!(option instanceof InputOption)) continue;
    // the value of the option may be what the file holds, so its name is kept here
    command.on(`option:${option.name()}`, (name: string) => {
      const key = option.attributeName();
      given.set(key, option.variadic ? [...(given.get(key) ?? []), name] : [name]);
    });
  }
  return command.hook('preAction', () => checkPaths(pathsOf(command, given)));
}

/** What a command reads and writes. */
export interface Paths {
  /** Files, folders, globs, URLs and `-`. */
  inputs: string[];
  outputs: OutputPath[];
  /** Whether archives may be replaced. */
  overwrite?: boolean;
  /** Folder of the archives that an index names. */
  base?: string;
}

/** A file or folder that a command writes. */
export interface OutputPath {
  /** How messages name the option. */
  flag: string;
  path: string;
  /** Files that are written because of the path. */
  also?: string[];
  /** Undefined if the path decides. */
  kind: 'file' | 'folder' | undefined;
  /** Whether the path is the option's default: what lies there is from an earlier run of the same command. */
  isDefault?: boolean;
}

function pathsOf(command: Command, given: Map<string, string[]>): Paths {
  const flags = command.opts<{ overwrite?: boolean; base?: string }>();
  const inputs: string[] = [];
  command.registeredArguments.forEach((argument, k) => {
    if (!(argument instanceof InputArgument)) return;
    const names = [command.processedArgs[k] ?? []].flat() as string[];
    inputs.push(...names, ...names.flatMap(argument.besides));
  });
  const named = [...inputs];
  const outputs: OutputPath[] = [];
  for (const option of command.options) {
    const key = option.attributeName();
    if (option instanceof InputOption) inputs.push(...(given.get(key) ?? []).flatMap(option.pathsOf));
    if (!(option instanceof OutputOption)) continue;
    const { byDefault, also } = option.written;
    if (command.getOptionValue(key) === undefined && byDefault && named.length > 0) {
      command.setOptionValueWithSource(key, byDefault(named, flags), 'implied');
    }
    const path = command.getOptionValue(key) as string | undefined;
    if (path === undefined || path === '-') continue;
    const [, kind] = /<(file|folder)>/.exec(option.flags) ?? [];
    const others = [...(also?.(path, flags) ?? []), ...(kind === 'folder' ? [] : [draftName(path)])];
    outputs.push({
      flag: option.short ?? option.long!,
      path,
      also: others,
      kind: kind as OutputPath['kind'],
      isDefault: command.getOptionValueSource(key) === 'default',
    });
  }
  return { inputs, outputs, overwrite: flags.overwrite, base: flags.base };
}

/** Throws a UsageError for an output that would destroy an input, or an archive without `overwrite`. */
export async function checkPaths({ inputs: names, outputs, overwrite, base }: Paths): Promise<void> {
  const nameless = outputs.find(({ path }) => path === '');
  if (nameless)
    throw new UsageError(`${nameless.flag} needs the name of a ${nameless.kind ?? 'file or folder'}`);
  const placeOf = placer();
  const inputs = await placeInputs(names, placeOf);
  refuseStandardOutput(inputs);
  const written = outputs.flatMap(({ flag, path, also = [], kind, isDefault }) =>
    [path, ...also].map((file): WrittenPlace => {
      const name = file === path ? `${flag} ${path}` : `${flag} ${path}: the file ${file}`;
      return { ...placeOf(file), path: file, name, kind: kind ?? 'file', flag, isDefault };
    }),
  );
  if (written.some(({ isThere }) => isThere))
    inputs.push(...(await placeNamedArchives(names, base, placeOf)));
  for (const output of written) {
    for (const input of inputs) refuse(output, input);
    const other = written.find(({ flag, ids }) => flag !== output.flag && meet(ids, output.ids));
    if (other) throw new UsageError(`${output.name} is also ${other.flag}: name another ${output.kind}`);
  }
  for (const { name, path, kind, isDefault } of overwrite ? [] : written) {
    if (!isDefault && isArchive(path)) {
      throw new UsageError(`${name} is an archive: name another ${kind}, or replace it (--overwrite)`);
    }
  }
  checkNames(outputs);
}

/** Throws for a name that no such file or folder can have. */
function checkNames(outputs: OutputPath[]): void {
  for (const { flag, path, kind } of outputs) {
    if (kind === 'folder') checkOutputFolder(flag, path);
    else if (kind === 'file') checkOutputFile(flag, path);
  }
}

/** Where a file or folder is. A link is in two places: its own, and the one that it leads to. */
interface Place {
  /** How messages name it. */
  name: string;
  isThere: boolean;
  isFolder: boolean;
  hasOtherNames: boolean;
  /** Its identities. */
  ids: string[];
  /** The identities of all folders above it. */
  above: string[];
}

interface WrittenPlace extends Place {
  path: string;
  flag: string;
  kind: 'file' | 'folder';
  isDefault?: boolean;
}

function refuse(output: WrittenPlace, input: Place): void {
  const { name, kind } = output;
  const which = input.name === output.path ? 'one of the inputs' : `the input ${input.name}`;
  if (meet(output.ids, input.ids)) throw new UsageError(`${name} is ${which}: name another ${kind}`);
  if (meet(output.above, input.ids)) {
    throw new UsageError(`${name} lies inside the input folder ${input.name}: name a ${kind} outside of it`);
  }
  if (meet(output.ids, input.above)) {
    throw new UsageError(`${name} is a folder that holds the input ${input.name}: name another one`);
  }
  if (input.isFolder && output.hasOtherNames) {
    for (const file of walkFolder(input.name, () => true)) {
      if (!output.ids.includes(idOf(join(input.name, file)))) continue;
      throw new UsageError(`${name} is ${join(input.name, file)} in an input folder: name another ${kind}`);
    }
  }
}

/** Refuses to write to an input by way of standard output, of which only the file is known. */
function refuseStandardOutput(inputs: readonly Place[]): void {
  const out = idOfDescriptor(1);
  const input = inputs.find(({ ids, isFolder }) => !isFolder && out !== undefined && ids.includes(out));
  if (input) throw new UsageError(`standard output is the input ${input.name}: name another file`);
}

async function placeInputs(names: readonly string[], placeOf: Placer): Promise<Place[]> {
  const places: Place[] = [];
  for (const name of names) {
    if (name === '-') {
      const id = idOfDescriptor(0);
      if (id === undefined) continue;
      places.push({
        name: 'on standard input',
        isThere: true,
        isFolder: false,
        hasOtherNames: false,
        ids: [id],
        above: [],
      });
    } else if (!isWebUrl(name)) places.push(...(await expandName(name)).map(placeOf));
  }
  return places;
}

/** The archives that the indexes among the inputs name. */
async function placeNamedArchives(
  names: readonly string[],
  base: string | undefined,
  placeOf: Placer,
): Promise<Place[]> {
  const places: Place[] = [];
  for (const name of names) {
    if (name === '-' || isWebUrl(name)) continue;
    const files = (await expandName(name)).filter(mayBeIndex);
    if (files.length === 0) continue;
    const { inputs } = await openInputs(files, {
      remote: { base, leaveArchives: true },
      readParquet: async (path) => (await import('../run/columnar-index.ts')).writeIndexLines(path),
    });
    try {
      for (const input of inputs.filter(({ format }) => format === 'cdx')) {
        for (const path of archivesBeside(input)) places.push(placeOf(path));
      }
    } finally {
      closeInputs(inputs);
    }
  }
  return places;
}

/** Whether a file may be an index: it has no ending of an archive, and begins like an index or like Parquet. */
function mayBeIndex(path: string): boolean {
  if (/\.(w?arc(\.gz|\.zst)?|wacz|zip|html?)$/i.test(path)) return false;
  return /\.parquet$/i.test(path) || sniffed(path)?.format === 'cdx';
}

/** Whether a file is an archive by its first bytes; no other kind of input, which commands also write. */
function isArchive(path: string): boolean {
  return ['warc', 'arc', 'wacz', 'zip'].includes(sniffed(path)?.format ?? '');
}

function sniffed(path: string): Sniffed | undefined {
  if (statOf(path)?.isFile() !== true) return undefined;
  let file: number | undefined;
  try {
    const fd = openSync(path, 'r');
    file = fd;
    const end = fstatSync(fd).size;
    return sniffFormat(
      fileSource(() => fd, { end, windowBytes: 64 * 1024 }),
      '',
    );
  } catch {
    return undefined; // the command will report what is wrong with the file
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

type Placer = (name: string) => Place;

/** Returns a function that places names; it looks at each folder once. */
function placer(): Placer {
  const known = new Map<string, string[]>();
  const idsAbove = (path: string): string[] => {
    const folder = dirname(path);
    let ids = known.get(folder);
    if (ids === undefined) {
      ids = folder === path ? [] : [idOf(folder), ...idsAbove(folder)];
      known.set(folder, ids);
    }
    return ids;
  };
  return (name) => {
    // the system resolves `link/..` after the link, path.resolve() before it
    const paths = [...new Set([name, resolve(name)])].flatMap((path) => [besideLink(path), follow(path)]);
    const places = [...new Set(paths)];
    const stats = statOf(name);
    return {
      name,
      isThere: stats !== undefined,
      isFolder: stats?.isDirectory() === true,
      hasOtherNames: stats?.isFile() === true && stats.nlink > 1n,
      ids: places.map(idOf),
      above: places.flatMap(idsAbove),
    };
  };
}

/** The path of a link itself, or of what is no link. */
function besideLink(path: string): string {
  return /(^|[\\/])\.\.?[\\/]*$/.test(path) ? follow(path) : join(follow(dirname(path)), basename(path));
}

/** The path after all links, also of what does not exist and of links that lead nowhere. */
function follow(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = follow(parent, links);
    const target = links < MAX_LINKS ? linkTarget(path) : undefined;
    return target === undefined ? join(folder, basename(path)) : follow(resolve(folder, target), links + 1);
  }
}

/** Systems follow at most this many links. */
const MAX_LINKS = 40;

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Device and inode of what exists, else its path. */
function idOf(path: string): string {
  const stats = statOf(path);
  return stats === undefined ? path : `${stats.dev}:${stats.ino}`;
}

/** Identity of the file of a standard stream; undefined for pipes and terminals. */
function idOfDescriptor(descriptor: number): string | undefined {
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  } catch {
    return undefined; // the stream is closed
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined; // the path is below a file, or may not be read
  }
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((id) => others.includes(id));
}
