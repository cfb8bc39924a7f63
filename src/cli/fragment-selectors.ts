/** `chaff fragments --selectors`: the flags, the export, and what it says. */
import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { SELECTOR_FORMATS, type SelectorFormat } from '../fragments/selectors/selector-formats.ts';
import { type SelectorSummary, writeSelectors } from '../fragments/selectors/write-selectors.ts';
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

/** Writes the selectors; the function that it gives prints how many are exact. */
export async function exportSelectors(
  { streams }: Context,
  result: FragmentResult,
  { file, format, quiet }: { file: string; format?: SelectorFormat; quiet?: boolean },
): Promise<() => void> {
  const summary = await writeSelectors(result, { file, format });
  return () => {
    if (!quiet)
      streams.stderr.write(`${selectorLine(summary)}; in ${coloursOf(streams.stderr).bold(file)}\n`);
  };
}

function selectorLine({ templates, exact, auditPages, left }: SelectorSummary): string {
  const more = left === 0 ? '' : `; ${countOf(left, 'template')} that save less are left out`;
  const pages = `${countOf(auditPages, 'page')} ${auditPages === 1 ? 'shows' : 'show'} all of them`;
  const found =
    templates === 0
      ? 'no template on two pages'
      : `${exact} of ${countOf(templates, 'template')} exact, ${pages}`;
  return `selectors: ${found}${more}`;
}
