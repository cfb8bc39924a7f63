/** Options of `page` and `train` for the layout of pages, and for the browser that measures it. */
import { type Command, Option } from 'commander';
import type { BrowserLayoutOptions } from '../browse/browser-layout.ts';
import { LAYOUTS, type LayoutKind } from '../run/tasks/task.ts';
import { UsageError } from './context.ts';
import { wholeNumber } from './option-table.ts';

/** Flags of `addLayoutOptions`. */
export interface LayoutFlags {
  layout: LayoutKind;
  tabs?: number;
  layoutTime?: number;
}

/** Adds the options of the layout and its browser. */
export function addLayoutOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--layout <kind>',
        'source of the boxes of nodes: an estimate, or Chromium with the resources of the archive',
      )
        .choices(LAYOUTS)
        .default('estimate'),
    )
    .option(
      '--tabs <n>',
      'with --layout browser: pages that each worker lays out at once',
      wholeNumber(1, 64),
    )
    .option(
      '--layout-time <ms>',
      'with --layout browser: longest time for one page (10000 when not given), then its boxes are estimated',
      wholeNumber(1, 600_000),
    );
}

/** Options of the browser; throws for browser options without `--layout browser`. */
export function browserOptionsOf({ layout, tabs, layoutTime }: LayoutFlags): BrowserLayoutOptions {
  if (layout !== 'browser') {
    const stray = tabs !== undefined ? '--tabs' : layoutTime !== undefined ? '--layout-time' : undefined;
    if (stray) throw new UsageError(`${stray} goes with --layout browser`);
  }
  return {
    ...(tabs === undefined ? {} : { tabs }),
    ...(layoutTime === undefined ? {} : { pageMs: layoutTime }),
  };
}
