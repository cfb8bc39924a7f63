/** `chaff fragments --dictionary`: the flags, the export, and what it says. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import {
  DEFAULT_DICTIONARY_BYTES,
  type DictionarySummary,
  MAX_DICTIONARY_BYTES,
  MIN_DICTIONARY_BYTES,
  writeDictionaries,
} from '../fragments/dictionary/write-dictionaries.ts';
import type { FragmentResult } from '../fragments/shared-page.ts';
import { coloursOf } from './colours.ts';
import { wholeNumber } from './common-options.ts';
import { compressionText } from './compression-table.ts';
import type { Context } from './context.ts';
import { UsageError } from './exit-codes.ts';
import { checkWritable } from './writable-target.ts';

export interface DictionaryFlags {
  dictionary?: string;
  dictionarySize: number;
}

const MOST_NAMED_FILES = 6;

export function addDictionaryOptions(command: Command): void {
  command
    .option('--dictionary <file>', 'write a compression dictionary per site, and measure it on other pages')
    .option(
      '--dictionary-size <bytes>',
      'largest dictionary',
      wholeNumber(MIN_DICTIONARY_BYTES, MAX_DICTIONARY_BYTES),
      DEFAULT_DICTIONARY_BYTES,
    );
}

/** Refuses a name before any work is done. */
export function checkDictionaryFlags({ dictionary }: DictionaryFlags): void {
  if (dictionary === undefined) return;
  if (dictionary === '') throw new UsageError('--dictionary needs the name of a file');
  if (statSync(dictionary, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--dictionary must name a file, and ${dictionary} is a folder`);
  }
  checkWritable('--dictionary', dictionary);
}

/** Writes the dictionaries and measures them; the function that it gives prints what they save. */
export async function exportDictionaries(
  { streams }: Context,
  result: FragmentResult,
  { file, dictionarySize, quiet }: { file: string; dictionarySize: number; quiet?: boolean },
): Promise<() => void> {
  const summary = await writeDictionaries(result, { file, maxBytes: dictionarySize });
  return () => {
    if (!quiet) printDictionaries(streams, summary);
  };
}

function printDictionaries(streams: Context['streams'], summary: DictionarySummary): void {
  streams.stderr.write(compressionText(summary));
  const named = summary.files.filter((name) => !name.endsWith('.zdict'));
  const more = named.length - MOST_NAMED_FILES;
  const names = named.slice(0, MOST_NAMED_FILES).map((name) => coloursOf(streams.stderr).bold(name));
  if (names.length === 0) return;
  streams.stderr.write(
    `in ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}; beside ${named.length === 1 ? 'it' : 'each'} a .zdict for .warc.zst\n`,
  );
}
