/** The options of the page-level verdict, wherever it is given. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type PageOptions, SMOOTHINGS, type Smoothing } from '../detect/page/judge-page.ts';
import type { PageDetectorOptions } from '../detect/page/page-detector.ts';
import { decodePageModel, type PageModel } from '../detect/page/page-model.ts';
import { PENALTY_KINDS, type PenaltyKind } from '../detect/page/section-penalty.ts';
import { numberBetween, wholeNumber } from './common-options.ts';

/** Options of the verdict, as commander names them. */
export interface PageFlags {
  smoothing: Smoothing;
  penalty: number;
  penaltyKind?: PenaltyKind;
  levels?: number;
  delta?: number;
  levelling: boolean;
  threshold?: number;
  unsureBand?: number;
}

/** The same, as commands call them that have other detectors too. */
export type PageDetectorFlags = {
  [Name in keyof PageFlags as `page${Capitalize<Name>}`]: PageFlags[Name];
} & {
  pageModel?: PageModel;
};

/** With a prefix and a group of their own, for commands that have other detectors too. */
export function addPageOptions(command: Command, { prefix = '', group = '' } = {}): Command {
  const about = prefix === '' ? '' : 'page: ';
  const option = (flags: string, meaning: string) => {
    const made = new Option(flags.replace('--', `--${prefix}`), `${about}${meaning}`);
    command.addOption(group === '' ? made : made.helpGroup(group));
    return made;
  };
  option('--smoothing <kind>', 'isotonic over the tree, merging leaves, or none: each node for itself')
    .choices(SMOOTHINGS)
    .default('isotonic');
  option('--penalty <factor>', 'factor of the penalty of smoothing: more gives fewer and larger sections')
    .argParser(numberBetween(0, 1e6))
    .default(1);
  option(
    '--penalty-kind <kind>',
    "what the penalty of a node grows with: page over node in area, page over node in nodes, parent over node in area, or sums of these; the model's own when not given",
  ).choices(PENALTY_KINDS);
  option('--levels <n>', 'values that smoothing tries, or exact: all scores; 256 when not given').argParser(
    levels,
  );
  option(
    '--delta <difference>',
    'smoothing merge: leaves of which the scores differ by less are one; 0.24 when not given',
  ).argParser(numberBetween(0, 1));
  const levelling = new Option(
    `--no-${prefix}levelling`,
    `${about}take smoothed scores as they are: no level, no region, no replies`,
  );
  command.addOption(group === '' ? levelling : levelling.helpGroup(group));
  option(
    '--threshold <score>',
    "score from which a node is template; the model's own when not given",
  ).argParser(numberBetween(0, 1));
  option(
    '--unsure-band <width>',
    'scores this far below the threshold are unsure, and kept; 0.1 when not given',
  ).argParser(numberBetween(0, 1));
  return command;
}

/** `--page-model`, `--page-smoothing` and so on. */
export function addPageDetectorOptions(command: Command, group: string): Command {
  command.addOption(
    new Option('--page-model <file>', "page: a model of chaff train instead of the package's own")
      .argParser(readPageModel)
      .helpGroup(group),
  );
  return addPageOptions(command, { prefix: 'page-', group });
}

export function pageOptionsOf(flags: PageFlags): PageOptions {
  const { smoothing, penalty, penaltyKind, levels, delta, levelling, threshold, unsureBand } = flags;
  return {
    smoothing,
    penalty,
    ...(penaltyKind === undefined ? {} : { penaltyKind }),
    ...(levels === undefined ? {} : { levels }),
    ...(delta === undefined ? {} : { delta }),
    ...(levelling ? {} : { levelling }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(unsureBand === undefined ? {} : { unsureBand }),
  };
}

export function pageDetectorOptionsOf(flags: PageDetectorFlags): PageDetectorOptions {
  const options = pageOptionsOf({
    smoothing: flags.pageSmoothing,
    penalty: flags.pagePenalty,
    penaltyKind: flags.pagePenaltyKind,
    levels: flags.pageLevels,
    delta: flags.pageDelta,
    levelling: flags.pageLevelling,
    threshold: flags.pageThreshold,
    unsureBand: flags.pageUnsureBand,
  });
  return { ...options, ...(flags.pageModel === undefined ? {} : { model: flags.pageModel }) };
}

function levels(text: string): number {
  return text === 'exact' ? 0 : wholeNumber(2, 65_535)(text);
}

/** The model of a file that `chaff train` has written. */
export function readPageModel(path: string): PageModel {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${(error as Error).message}.`);
  }
  try {
    return decodePageModel(text);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}
