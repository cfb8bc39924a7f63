/** `chaff fragments --selectors`: the flags, the export, and what it says. */
import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { SELECTOR_FORMATS, type SelectorFormat } from '../fragments/selectors/selector-formats.ts';
import { writeSelectors } from '../fragments/selectors/write-selectors.ts';
import type { FragmentResult } from '../fragments/shared-page.ts';
import { countOf } from '../model/count-of.ts';
import { coloursOf } from './colours.ts';
import type { Context } from './context.ts';
import { UsageError } from './exit-codes.ts';
import { checkWritable } from './writable-target.ts';

export interface SelectorFlags {
  selectors?: string;
  selectorFormat?: SelectorFormat;
}

export function addSelectorOptions(command: Command): void {
  command
    .option('--selectors <file>', 'write one CSS selector per template, and pages to look at')
    .addOption(
      new Option('--selector-format <name>', 'of the selectors; default: by the name of the file').choices(
        SELECTOR_FORMATS,
      ),
    );
}

/** Refuses what cannot work before any work is done. */
export function checkSelectorFlags({
  selectors,
  selectorFormat,
  relation,
}: SelectorFlags & { relation: string }): void {
  if (selectors === undefined) {
    if (selectorFormat !== undefined) throw new UsageError('--selector-format needs --selectors');
    return;
  }
  if (selectors === '') throw new UsageError('--selectors needs the name of a file');
  if (statSync(selectors, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--selectors must name a file, and ${selectors} is a folder`);
  }
  if (relation === 'structural') throw new UsageError('--selectors needs the complete relation');
  checkWritable('--selectors', selectors);
}

/** Writes the selectors and says how many are exact. */
export async function exportSelectors(
  { streams }: Context,
  result: FragmentResult,
  { selectors: file, selectorFormat: format, quiet }: SelectorFlags & { quiet?: boolean },
): Promise<void> {
  if (file === undefined) return;
  const { templates, exact, auditPages, left } = await writeSelectors(result, { file, format });
  if (quiet) return;
  const more = left === 0 ? '' : `; ${countOf(left, 'template')} that save less are left out`;
  const pages = `${countOf(auditPages, 'page')} ${auditPages === 1 ? 'shows' : 'show'} all of them`;
  const found =
    templates === 0
      ? 'no template on two pages'
      : `${exact} of ${countOf(templates, 'template')} exact, ${pages}`;
  streams.stderr.write(`selectors: ${found}${more}; in ${coloursOf(streams.stderr).bold(file)}\n`);
}
