/** `chaff fragments --includes`: the flags, the export and its check, and what they say. */
import { type Command, Option } from 'commander';
import { INCLUDE_STYLES, type IncludeStyle } from '../fragments/includes/include-syntax.ts';
import { type VerifiedStyle, verifyIncludes } from '../fragments/includes/rebuild-pages.ts';
import type { StyleSummary } from '../fragments/includes/style-writer.ts';
import {
  checkIncludesFolder,
  DEFAULT_INCLUDE_COST_BYTES,
  type IncludesSummary,
  writeIncludes,
} from '../fragments/includes/write-includes.ts';
import type { FragmentResult } from '../fragments/shared-page.ts';
import { countOf, formatCount } from '../model/count-of.ts';
import { coloursOf } from './colours.ts';
import { wholeNumber } from './common-options.ts';
import type { Context } from './context.ts';
import { UsageError } from './exit-codes.ts';
import { printable } from './summary.ts';
import { checkWritable } from './writable-target.ts';

export interface IncludeFlags {
  includes?: string;
  includeStyle: IncludeStyle | 'all';
  includeCost: number;
}

export function addIncludeOptions(command: Command): void {
  command
    .option('--includes <folder>', 'write fragments as files, and pages that include them')
    .addOption(
      new Option('--include-style <name>', 'how they are included')
        .choices([...INCLUDE_STYLES, 'all'])
        .default('all'),
    )
    .option(
      '--include-cost <bytes>',
      'what an include costs beside its tag',
      wholeNumber(0),
      DEFAULT_INCLUDE_COST_BYTES,
    );
}

/** Refuses a folder before any work is done. */
export function checkIncludeFlags({
  includes,
  includeStyle,
  relation,
}: IncludeFlags & { relation: string }): void {
  if (includes === undefined) return;
  if (includes === '') throw new UsageError('--includes needs the name of a folder');
  if (relation === 'structural' && includeStyle !== 'nunjucks') {
    throw new UsageError(
      '--includes needs the complete relation: of structural fragments only --include-style nunjucks makes use',
    );
  }
  try {
    checkIncludesFolder(includes);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  checkWritable('--includes', includes);
}

/** Writes the includes and rebuilds every page from them; the function that it gives prints the outcome. */
export async function exportIncludes(
  { streams }: Context,
  result: FragmentResult,
  {
    folder,
    includeStyle,
    includeCost,
    quiet,
  }: Omit<IncludeFlags, 'includes'> & { folder: string; quiet?: boolean },
): Promise<() => void> {
  const styles = includeStyle === 'all' ? INCLUDE_STYLES : [includeStyle];
  const summary = await writeIncludes(result, { folder, styles, includeCostBytes: includeCost });
  const verified = await verifyIncludes(folder, styles, result);
  return () => printIncludes(streams, summary, verified, quiet);
}

/** Throws when a page could not be rebuilt. */
function printIncludes(
  streams: Context['streams'],
  summary: IncludesSummary,
  verified: VerifiedStyle[],
  quiet = false,
): void {
  if (!quiet) {
    summary.styles.forEach((style, k) => {
      streams.stderr.write(`${styleLine(style, verified[k].rebuilt)}\n`);
    });
    streams.stderr.write(
      `includes are in ${coloursOf(streams.stderr).bold(summary.folder)}; each style has a README.md\n`,
    );
  }
  for (const { style, failed, failedCount } of verified) {
    if (failedCount === 0) continue;
    for (const url of failed) streams.stderr.write(`not rebuilt (${style}): ${printable(url)}\n`);
    throw new Error(`${countOf(failedCount, 'page')} cannot be rebuilt from the ${style} includes`);
  }
}

function styleLine(
  { style, wholePages, fragments, partials, servedBytes, storedBytes }: StyleSummary,
  rebuilt: number,
): string {
  const files = [countOf(fragments, 'fragment')];
  if (partials > 0) files.push(countOf(partials, 'partial'));
  const share = servedBytes === 0 ? 0 : Math.round((100 * (servedBytes - storedBytes)) / servedBytes);
  const whole = wholePages === 0 ? '' : `, ${formatCount(wholePages)} of them kept whole`;
  return `includes (${style}): ${countOf(rebuilt, 'page')} rebuilt byte for byte${whole}; ${files.join(', ')}; ${kilobytes(servedBytes)} in ${kilobytes(storedBytes)} (${share} % saved)`;
}

function kilobytes(bytes: number): string {
  return `${formatCount(Math.round(bytes / 1000))} kB`;
}
